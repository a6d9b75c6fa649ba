//! Recommended technique for a world, with its reason in both languages.

use embate::Aabb;
use embate::advisor::{BroadPhaseAdvice, recommend_broad_phase};
use embate::broad_phase::{AabbSlice, BRUTE_FORCE_MAX, BroadPhaseKind};
use embate_report::language::Language;
use serde::Serialize;

use crate::localized_text::LocalizedText;

/// Recommended technique and cell size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// Name of the technique.
    pub technique: &'static str,
    /// Recommended cell size of a grid; `None` if half of the objects are points.
    pub cell: Option<f32>,
    /// Reason of the recommendation.
    pub reason: LocalizedText<String>,
}

impl Advice {
    /// `{"technique":"sweep","cell":23.1,"reason":{"en":"…","pt-BR":"…"}}`
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The advice for these boxes, of which this share moves from frame to frame.
pub(super) fn advice(boxes: &[Aabb<2>], moving: f32) -> Advice {
    let Ok(boxes) = AabbSlice::new(boxes) else {
        unreachable!("a world is finite, and its objects have a size")
    };
    let advice = recommend_broad_phase(boxes, moving);
    let reason = LocalizedText { en: advice.reason(), pt: in_portuguese(&advice) };
    Advice { technique: advice.kind.name(), cell: advice.grid_cell_size, reason }
}

/// [`BroadPhaseAdvice::reason`], clause by clause.
fn in_portuguese<const D: usize>(advice: &BroadPhaseAdvice<D>) -> String {
    let portuguese = Language::BrazilianPortuguese;
    let mut clauses = vec![if advice.kind == BroadPhaseKind::BruteForce {
        format!(
            "com menos de {BRUTE_FORCE_MAX} caixas, todas contra todas custa menos que qualquer ordem"
        )
    } else {
        "a mais rápida em nossas medições (200 a 10 milhões de caixas)".to_owned()
    }];
    clauses.extend(advice.size_outlier_ratio().map(|ratio| {
        let ratio = portuguese.integer(ratio.round() as u64);
        format!("caixas de até {ratio} × a mediana são varridas em classes de tamanho próprias")
    }));
    if advice.use_incremental {
        let percent = (100.0 * advice.features.moving_fraction).round() as u64;
        clauses.push(format!(
            "com {percent}% em movimento, mantenha um IncrementalBroadPhase: ele processa só as caixas que se movem"
        ));
    }
    clauses.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(count: usize, longest: f32) -> Vec<Aabb<2>> {
        let at = |i: usize| Aabb { min: [i as f32, 0.0], max: [i as f32 + 1.0, 1.0] };
        let mut boxes: Vec<Aabb<2>> = (0..count).map(at).collect();
        boxes[0].max[0] = longest;
        boxes
    }

    /// Both languages are put together from the same clauses.
    #[test]
    fn both_languages_give_the_same_reasons() {
        for (boxes, moving, clauses) in
            [(row(10, 1.0), 1.0, 1), (row(300, 1.0), 1.0, 1), (row(300, 90.0), 0.0, 3)]
        {
            let Advice { reason, technique, cell } = advice(&boxes, moving);
            assert_eq!(technique, if boxes.len() < BRUTE_FORCE_MAX { "brute" } else { "sweep" });
            assert_eq!(cell, Some(2.0));
            for text in [&reason.en, &reason.pt] {
                assert_eq!(text.split(';').count(), clauses, "{text}");
            }
        }
    }
}
