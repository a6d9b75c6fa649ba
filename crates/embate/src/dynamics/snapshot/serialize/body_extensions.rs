//! Body extensions: properties of bodies that format version 4 does not have, written for the
//! bodies whose values are not the defaults.

use crate::dynamics::body::body_data::BodyData;
use crate::dynamics::body::body_def::Material;
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::body::combine_rule::CombineRule;
use crate::dynamics::snapshot::serialize::reader_writer::{Reader, Writer};
use crate::dynamics::snapshot::serialize::{SnapshotDefect, SnapshotError};

/// Body index, two combine rules, user data, mass.
const EXTENSION_BYTES: usize = 26;

/// Extension of one body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyExtension {
    index: u32,
    friction_combine_rule: Option<CombineRule>,
    restitution_combine_rule: Option<CombineRule>,
    user_data: u128,
    /// Bits of the mass: it is not validated, and may be NaN.
    mass_when_dynamic: u32,
}

impl BodyExtension {
    fn of(index: BodyIndex, data: &BodyData) -> Self {
        Self {
            index: index.0,
            friction_combine_rule: data.material.friction_combine_rule,
            restitution_combine_rule: data.material.restitution_combine_rule,
            user_data: data.user_data,
            mass_when_dynamic: data.mass_when_dynamic.to_bits(),
        }
    }

    fn is_default(&self) -> bool {
        self.friction_combine_rule.is_none()
            && self.restitution_combine_rule.is_none()
            && self.user_data == 0
            && self.mass_when_dynamic == 0
    }
}

/// Extensions of all bodies that need one, by ascending index.
pub(crate) fn collect(bodies: &BodySet) -> Vec<BodyExtension> {
    let extensions = bodies.iter().map(|(index, data)| BodyExtension::of(index, data));
    extensions.filter(|extension| !extension.is_default()).collect()
}

/// Writes nothing if there are no extensions.
pub(crate) fn write(out: &mut Writer, extensions: &[BodyExtension]) {
    if extensions.is_empty() {
        return;
    }
    out.count(extensions.len());
    for extension in extensions {
        out.u32(extension.index);
        for rule in [extension.friction_combine_rule, extension.restitution_combine_rule] {
            out.u8(rule_number(rule));
        }
        out.raw(&extension.user_data.to_le_bytes());
        out.u32(extension.mass_when_dynamic);
    }
}

pub(crate) fn read(input: &mut Reader<'_>, bodies: &mut BodySet) -> Result<(), SnapshotError> {
    let count = input.count(EXTENSION_BYTES)?;
    input.ensure(count > 0, SnapshotDefect::NoExtensions)?;
    let mut previous = None;
    for _ in 0..count {
        let index = input.u32()?;
        input.ensure(
            previous.is_none_or(|previous| previous < index),
            SnapshotDefect::UnsortedExtensions,
        )?;
        previous = Some(index);
        let friction_combine_rule = read_rule(input)?;
        let restitution_combine_rule = read_rule(input)?;
        let user_data = input.u128()?;
        let mass_when_dynamic = input.u32()?;
        let extension = BodyExtension {
            index,
            friction_combine_rule,
            restitution_combine_rule,
            user_data,
            mass_when_dynamic,
        };
        input.ensure(!extension.is_default(), SnapshotDefect::EmptyExtension)?;
        let body_index = BodyIndex(index);
        input.ensure(bodies.is_alive(body_index), SnapshotDefect::ExtensionWithoutBody)?;
        let material = bodies.data(body_index).material;
        let material = Material { friction_combine_rule, restitution_combine_rule, ..material };
        bodies.set_material(body_index, material);
        bodies.set_user_data(body_index, user_data);
        bodies.set_mass_when_dynamic(body_index, f32::from_bits(mass_when_dynamic));
    }
    Ok(())
}

/// 0 for none, else one more than the position in [`CombineRule::ALL`].
fn rule_number(rule: Option<CombineRule>) -> u8 {
    CombineRule::ALL.iter().position(|&other| Some(other) == rule).map_or(0, |at| at as u8 + 1)
}

fn read_rule(input: &mut Reader<'_>) -> Result<Option<CombineRule>, SnapshotError> {
    match input.u8()? {
        0 => Ok(None),
        number => match CombineRule::ALL.get(usize::from(number) - 1) {
            Some(&rule) => Ok(Some(rule)),
            None => input.error(SnapshotDefect::UnknownCombineRule),
        },
    }
}
