//! Labels: techniques, cases and bounding volumes as tables and charts show them. `results.csv`,
//! `run.json` and the command line keep the identifiers.

use embate_report::Table;
use embate_report::language::Language;

use crate::study_kind::StudyKind;

/// Label of a technique of a study; an unknown name is its own label.
///
/// ```
/// use embate_report::language::Language;
/// use embate_studies::{StudyKind, technique_label};
///
/// let label = |kind| technique_label(kind, "octree", Language::English);
/// assert_eq!([label(StudyKind::Broad2d), label(StudyKind::Broad3d)], ["Quadtree", "Octree"]);
/// ```
#[must_use]
pub fn technique(kind: StudyKind, name: &str, language: Language) -> String {
    let (english, portuguese) = match name {
        "study-brute" => ("Brute force (study)", "Força bruta (estudo)"),
        "study-octree" => ("Octree (study)", "Octree (estudo)"),
        "study-grid" => ("Grid (study)", "Grade (estudo)"),
        "brute" => ("Brute force", "Força bruta"),
        "octree" if kind == StudyKind::Broad2d => ("Quadtree", "Quadtree"),
        "octree" => ("Octree", "Octree"),
        "bvh" => ("BVH", "BVH"),
        "auto" => ("Auto", "Automática"),
        "sweep" => ("Sweep", "Varredura"),
        "tree" => ("Tree", "Árvore"),
        "grid" => ("Grid", "Grade"),
        "sweep-x" => ("Sweep, x axis (study)", "Varredura, eixo x (estudo)"),
        "sweep-y" => ("Sweep, y axis (study)", "Varredura, eixo y (estudo)"),
        "sweep-z" => ("Sweep, z axis (study)", "Varredura, eixo z (estudo)"),
        "sweep-variance" => {
            ("Sweep, largest variance (study)", "Varredura, maior variância (estudo)")
        }
        "touching" => ("Intersection test", "Teste de interseção"),
        "separation" => ("Distance", "Distância"),
        "contact" => ("Contact points", "Pontos de contato"),
        "impulse" => ("Impulse (study)", "Impulso (estudo)"),
        "positions" => ("Positions only", "Só posições"),
        "soft" => ("Soft contacts (Embate)", "Contatos suaves (Embate)"),
        other => (other, other),
    };
    language.text(english, portuguese)
}

/// Label of a case of a study; the file name of a user's mesh is its own label.
pub(crate) fn case(kind: StudyKind, name: &str, language: Language) -> String {
    if kind == StudyKind::Simulator {
        return simulator_case(name, language);
    }
    let (english, portuguese) = match (kind, name) {
        (StudyKind::Rays, "random-low") => ("Random, low affinity", "Aleatório, baixa afinidade"),
        (StudyKind::Rays, "random-medium") => {
            ("Random, medium affinity", "Aleatório, média afinidade")
        }
        (StudyKind::Rays, "random-high") => ("Random, high affinity", "Aleatório, alta afinidade"),
        (StudyKind::Rays, "house") => ("House (stand-in)", "Casa (substituta)"),
        (StudyKind::Rays, "city") => ("City (stand-in)", "Cidade (substituta)"),
        (StudyKind::Broad2d, "experiment-1") => ("Experiment 1", "Experimento 1"),
        (StudyKind::Broad2d, "experiment-2") => ("Experiment 2", "Experimento 2"),
        (StudyKind::Broad2d | StudyKind::Broad3d, "custom") => {
            ("Custom world", "Mundo personalizado")
        }
        (StudyKind::Broad3d, "uniform") => ("Uniform", "Uniforme"),
        (StudyKind::Broad3d, "long-axis") => ("Long axis", "Eixo longo"),
        (StudyKind::Broad3d, "clustered") => ("Clustered", "Aglomerado"),
        (StudyKind::Broad3d, "static-50") => ("Half static", "Metade estática"),
        (StudyKind::Broad3d, "static-90") => ("Nine tenths static", "Nove décimos estáticos"),
        (_, other) => (other, other),
    };
    language.text(english, portuguese)
}

/// `sphere-box deep`, `collision e=0.5 m=10`: word by word.
fn simulator_case(name: &str, language: Language) -> String {
    let word = |word: &str| match word {
        "gas" => language.text("Gas", "Gás"),
        "obstacles" => language.text("Obstacles", "Obstáculos"),
        "collision" => language.text("Collision", "Colisão"),
        "bounce" => language.text("Bounce", "Quique"),
        "pile" => language.text("Pile", "Pilha"),
        "sphere" => language.text("sphere", "esfera"),
        "box" => language.text("box", "caixa"),
        "polyhedron" => language.text("polyhedron", "poliedro"),
        "apart" => language.text("apart", "separados"),
        "touching" => language.text("touching", "em contato"),
        "deep" => language.text("deep", "profundos"),
        other => {
            let number = |value: &str| value.parse().map(|value| plain(value, language));
            match other.split_once('=').map(|(name, value)| (name, number(value))) {
                Some(("e", Ok(e))) => format!("e = {e}"),
                Some(("m", Ok(ratio))) => {
                    language.text(format!("mass ratio {ratio}"), format!("razão de massas {ratio}"))
                }
                _ => other.to_owned(),
            }
        }
    };
    let part = |part: &str| part.split('-').map(word).collect::<Vec<_>>().join("–");
    name.split(' ').map(part).collect::<Vec<_>>().join(", ")
}

/// A number without trailing zeros.
fn plain(value: f64, language: Language) -> String {
    language.number(value, usize::from(value.fract() != 0.0))
}

/// Label of a bounding volume.
pub(crate) fn bounds(name: &str, language: Language) -> String {
    match name {
        "aabb" => language.text("Boxes", "Caixas"),
        "circle" => language.text("Circles", "Círculos"),
        other => other.to_owned(),
    }
}

/// The labels of a report with the identifiers of `results.csv` and the command line.
pub(crate) fn table<'a>(
    kind: StudyKind,
    cases: impl IntoIterator<Item = &'a str>,
    techniques: impl IntoIterator<Item = &'a str>,
    language: Language,
) -> Option<Table> {
    let of_case = language.text("case", "caso");
    let of_technique = language.text("technique", "técnica");
    let cases = cases.into_iter().map(|name| (case(kind, name, language), &of_case, name));
    let techniques =
        techniques.into_iter().map(|name| (technique(kind, name, language), &of_technique, name));
    let rows: Vec<Vec<String>> = cases
        .chain(techniques)
        .filter(|(label, _, name)| label != name)
        .map(|(label, sort, name)| vec![label, sort.clone(), name.to_owned()])
        .collect();
    let head = vec![
        language.text("Label", "Rótulo"),
        language.text("Kind", "Tipo"),
        language.text("Identifier", "Identificador"),
    ];
    let caption = language.text(
        "Labels of this report and identifiers of results.csv and the command line",
        "Rótulos deste relatório e identificadores de results.csv e da linha de comando",
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

#[cfg(test)]
mod tests {
    use embate_replica::structure::{PairStructure, RayStructure};

    use super::*;
    use crate::studies::simulator;

    #[test]
    fn every_technique_has_its_own_label_in_both_languages() {
        let lists = [
            (StudyKind::Rays, RayStructure::ALL.map(RayStructure::name).to_vec()),
            (
                StudyKind::Broad2d,
                PairStructure::all_2d().into_iter().map(PairStructure::name).collect(),
            ),
            (
                StudyKind::Broad3d,
                PairStructure::all_3d().into_iter().map(PairStructure::name).collect(),
            ),
            (StudyKind::Simulator, simulator::TECHNIQUES.to_vec()),
        ];
        for (kind, names) in lists {
            for language in Language::ALL {
                let mut labels: Vec<String> =
                    names.iter().map(|name| technique(kind, name, language)).collect();
                for (label, name) in labels.iter().zip(&names) {
                    assert_ne!(label, name, "{kind:?}");
                    assert!(label.chars().count() <= 36, "{label}: legends shorten it");
                }
                labels.sort();
                labels.dedup();
                assert_eq!(labels.len(), names.len(), "{kind:?}");
            }
        }
    }

    #[test]
    fn simulator_cases_are_labeled_word_by_word() {
        let label = |name| case(StudyKind::Simulator, name, Language::BrazilianPortuguese);
        assert_eq!(label("sphere-box deep"), "esfera–caixa, profundos");
        assert_eq!(label("collision e=0.5 m=10"), "Colisão, e = 0,5, razão de massas 10");
        assert_eq!(label("bounce e=1"), "Quique, e = 1");
    }

    #[test]
    fn mesh_of_a_user_is_its_own_label() {
        assert_eq!(case(StudyKind::Rays, "gas.obj", Language::BrazilianPortuguese), "gas.obj");
        assert_eq!(case(StudyKind::Rays, "uniform", Language::English), "uniform");
    }

    #[test]
    fn label_table_has_only_names_that_differ_from_their_label() {
        let table = table(StudyKind::Rays, ["house", "x.obj"], ["bvh"], Language::English).unwrap();
        assert_eq!(
            table.rows,
            [["House (stand-in)", "case", "house"], ["BVH", "technique", "bvh"]]
        );
    }
}
