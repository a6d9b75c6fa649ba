//! Finding about models made by artists: affinity against the number of triangles.

use embate_replica::lorenzi2014::OctreeAffinity;
use embate_report::{Finding, FindingKind, Verdict};

use super::super::case_rows::CaseRows;
use super::super::report_text::ReportText;
use super::{MIN_MODELS, published, stated};

/// Models with triangle count and class, smallest first. House and city were built to have their
/// affinity and are left out.
fn models(all: CaseRows<'_>) -> Vec<(&str, u32, OctreeAffinity)> {
    let names = all.meshes().into_iter().filter(|case| published(case).is_none());
    let mut models: Vec<_> = names
        .filter_map(|case| Some((case, all.sizes(case).last().copied()?, all.affinity(case)?)))
        .collect();
    models.sort_by_key(|(_, triangles, _)| *triangles);
    models
}

/// "Artists' models tend to high affinity": the majority of the models.
pub(super) fn affinity(id: &'static str, all: CaseRows<'_>, text: ReportText) -> Finding {
    let models = models(all);
    let high = models.iter().filter(|(_, _, class)| *class == OctreeAffinity::High).count();
    let ours: Vec<_> =
        models.iter().map(|(case, size, class)| text.affinity_of(case, *class, *size)).collect();
    let verdict = match models.len() {
        0 => Verdict::NotRun,
        few if few < MIN_MODELS => Verdict::Undecided,
        count => Verdict::of(high * 2 > count),
    };
    Finding {
        claim: text.claim_models_high(),
        published: text.affinity_published(),
        ours: text.or_not_run((!ours.is_empty()).then(|| ours.join("; "))),
        verdict,
        note: text.rule_models(),
        ..stated(id, text.place_of_conclusion())
    }
}

/// Models of high affinity have more triangles than the others: a model of some hundred triangles
/// has none that is small beside it.
pub(super) fn affinity_by_size(id: &'static str, all: CaseRows<'_>, text: ReportText) -> Finding {
    let models = models(all);
    let sizes = |is_high: bool| {
        let of_class =
            models.iter().filter(move |(_, _, class)| (*class == OctreeAffinity::High) == is_high);
        of_class.map(|(_, triangles, _)| *triangles)
    };
    let (smallest_high, largest_other) = (sizes(true).min(), sizes(false).max());
    let verdict = match (smallest_high, largest_other) {
        (None, None) => Verdict::NotRun,
        (Some(high), Some(other)) if models.len() >= MIN_MODELS => Verdict::of(high > other),
        _ => Verdict::Undecided,
    };
    let size = |size: Option<u32>| {
        size.map_or_else(|| text.0.text("none", "nenhum"), |size| text.triangles(size))
    };
    let (high, other) = (size(smallest_high), size(largest_other));
    let ours = text.0.text(
        format!("smallest model of high affinity: {high}; largest of low or medium: {other}"),
        format!("menor modelo de afinidade alta: {high}; maior de baixa ou média: {other}"),
    );
    Finding {
        claim: text.0.text(
            "The affinity of a model depends on its number of triangles: models of some hundred triangles have medium affinity, large ones high",
            "A afinidade de um modelo depende do seu número de triângulos: modelos de algumas centenas têm afinidade média; os grandes, alta",
        ),
        ours: text.or_not_run((!models.is_empty()).then_some(ours)),
        verdict,
        note: text.0.text(
            "Triangles of a model with few are large beside it and stay on the first levels. Confirmed if every model of high affinity has more triangles than every other; undecided with models of one class. Large models are given with --mesh.",
            "Os triângulos de um modelo com poucos são grandes em relação a ele e ficam nos primeiros níveis. Confirmado se todo modelo de afinidade alta tem mais triângulos que todos os outros; inconclusivo com modelos de uma só classe. Modelos grandes são dados com --mesh.",
        ),
        ..Finding::new(id, FindingKind::FoundHere, "Embate", "")
    }
}
