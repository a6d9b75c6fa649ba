//! Combine rules: friction and restitution of a contact from those of its two bodies.

/// Combination of the friction or the restitution of two bodies in contact.
///
/// Each [`Material`](crate::dynamics::Material) can have a rule for its friction and one for its
/// restitution. A rule of one body overrides the default of the other. Of two rules the greater one
/// applies: `GeometricMean < Average < Min < Multiply < Max`.
///
/// ```
/// use embate::dynamics::{CombineRule, Material};
///
/// // Ice is slippery for every body, whatever its own friction.
/// let ice = Material {
///     friction: 0.02,
///     friction_combine_rule: Some(CombineRule::Min),
///     ..Material::default()
/// };
/// assert!(CombineRule::Max > CombineRule::Min); // a body with `Max` overrides `Min`
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[doc(alias = "CoefficientCombineRule")]
pub enum CombineRule {
    /// √(a·b): the default for friction.
    GeometricMean,
    /// (a + b) / 2.
    Average,
    /// The smaller one.
    Min,
    /// a·b.
    Multiply,
    /// The larger one: the default for restitution.
    Max,
}

impl CombineRule {
    /// Every rule, in ascending order of precedence.
    pub const ALL: [Self; 5] =
        [Self::GeometricMean, Self::Average, Self::Min, Self::Multiply, Self::Max];

    /// Combines two coefficients.
    #[must_use]
    pub fn combine(self, a: f32, b: f32) -> f32 {
        match self {
            Self::GeometricMean => (a * b).sqrt(),
            Self::Average => 0.5 * (a + b),
            Self::Min => {
                if a < b {
                    a
                } else {
                    b
                }
            }
            Self::Multiply => a * b,
            Self::Max => {
                if a > b {
                    a
                } else {
                    b
                }
            }
        }
    }

    /// The rule that applies to two bodies: the greater of theirs, or `default` without any.
    pub(crate) fn of_pair(a: Option<Self>, b: Option<Self>, default: Self) -> Self {
        a.max(b).unwrap_or(default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::Material;

    fn material(friction: f32, restitution: f32, rule: Option<CombineRule>) -> Material {
        Material {
            friction,
            restitution,
            friction_combine_rule: rule,
            restitution_combine_rule: rule,
            ..Material::default()
        }
    }

    #[test]
    fn default_rules_are_geometric_mean_and_maximum() {
        let combined = material(0.2, 0.3, None).combine(&material(0.8, 0.1, None));
        assert_eq!((combined.friction, combined.restitution), ((0.2_f32 * 0.8).sqrt(), 0.3));
    }

    #[test]
    fn rule_of_one_body_overrides_the_default_of_the_other() {
        let expected = [
            (CombineRule::GeometricMean, (0.25_f32 * 0.75).sqrt()),
            (CombineRule::Average, 0.5),
            (CombineRule::Min, 0.25),
            (CombineRule::Multiply, 0.1875),
            (CombineRule::Max, 0.75),
        ];
        for (rule, value) in expected {
            let (a, b) = (material(0.25, 0.25, Some(rule)), material(0.75, 0.75, None));
            for combined in [a.combine(&b), b.combine(&a)] {
                assert_eq!((combined.friction, combined.restitution), (value, value), "{rule:?}");
            }
        }
    }

    #[test]
    fn greater_of_two_rules_applies() {
        for (place, greater) in CombineRule::ALL.into_iter().enumerate() {
            for lesser in CombineRule::ALL.into_iter().take(place) {
                let a = material(0.3, 0.3, Some(lesser));
                let b = material(0.6, 0.6, Some(greater));
                assert_eq!(a.combine(&b).friction, greater.combine(0.3, 0.6));
                assert_eq!(b.combine(&a).restitution, greater.combine(0.6, 0.3));
            }
        }
    }
}
