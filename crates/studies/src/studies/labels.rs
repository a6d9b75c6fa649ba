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
        "study-brute-literal" => ("Brute force (study, literal)", "Força bruta (estudo, literal)"),
        "study-octree-literal" => ("Octree (study, literal)", "Octree (estudo, literal)"),
        "study-grid" => ("Grid (study)", "Grade (estudo)"),
        "brute" => ("Brute force", "Força bruta"),
        "octree" if kind == StudyKind::Broad2d => ("Quadtree", "Quadtree"),
        "octree-strict" if kind == StudyKind::Broad2d => {
            ("Quadtree, strict (Lasch)", "Quadtree, estrita (Lasch)")
        }
        "octree-strict" => ("Octree, strict (study)", "Octree, estrita (estudo)"),
        "octree" => ("Octree", "Octree"),
        "bvh" => ("BVH", "BVH"),
        "kd-tree" => ("k-d tree", "Árvore k-d"),
        "bsp" => ("BSP tree", "Árvore BSP"),
        "compact-octree" => ("Compact octree", "Octree compacta"),
        "compact-octree-4" => {
            ("Compact octree, leaves of up to 4", "Octree compacta, folhas de até 4")
        }
        "compact-octree-2" => {
            ("Compact octree, leaves of up to 2", "Octree compacta, folhas de até 2")
        }
        "bvh-compact" => ("BVH, compact", "BVH compacta"),
        "auto" => ("Auto", "Automática"),
        "sweep" => ("Sweep", "Varredura"),
        "tree" => ("Tree", "Árvore"),
        "grid" if kind == StudyKind::Rays => ("Uniform grid", "Grade uniforme"),
        "grid" => ("Grid", "Grade"),
        "sweep-x" if kind == StudyKind::Broad2d => {
            ("Sweep, x axis (Lasch)", "Varredura, eixo x (Lasch)")
        }
        "sweep-y" if kind == StudyKind::Broad2d => {
            ("Sweep, y axis (Lasch)", "Varredura, eixo y (Lasch)")
        }
        "sweep-variance" if kind == StudyKind::Broad2d => {
            ("Sweep, largest variance (Lasch)", "Varredura, maior variância (Lasch)")
        }
        "sweep-fresh" => ("Sweep, sorted from scratch", "Varredura, ordenada do zero"),
        "incremental" => ("Incremental broad phase", "Fase ampla incremental"),
        "sweep-x" => ("Sweep, x axis (study)", "Varredura, eixo x (estudo)"),
        "sweep-y" => ("Sweep, y axis (study)", "Varredura, eixo y (estudo)"),
        "sweep-z" => ("Sweep, z axis (study)", "Varredura, eixo z (estudo)"),
        "sweep-variance" => {
            ("Sweep, largest variance (study)", "Varredura, maior variância (estudo)")
        }
        "touching" => ("Intersection test", "Teste de interseção"),
        "separation" => ("Distance", "Distância"),
        "contact" => ("Contact points", "Pontos de contato"),
        "explicit-euler" => ("Explicit Euler", "Euler explícito"),
        "semi-implicit-euler" => ("Semi-implicit Euler", "Euler semi-implícito"),
        "verlet" => ("Position Verlet", "Verlet de posição"),
        "rk4" => ("Runge–Kutta, fourth order", "Runge–Kutta, quarta ordem"),
        "impulse" => ("Impulse (study)", "Impulso (estudo)"),
        "positions" => ("Positions only (PBD)", "Só posições (PBD)"),
        "soft" => ("Soft contacts (Embate)", "Contatos suaves (Embate)"),
        "study-moller-trumbore" => {
            ("Möller–Trumbore, f64 (study)", "Möller–Trumbore, f64 (estudo)")
        }
        "moller-trumbore" => ("Möller–Trumbore", "Möller–Trumbore"),
        "segura-feito" => ("Segura–Feito", "Segura–Feito"),
        "plucker" => ("Plücker", "Plücker"),
        "woop" => ("Woop, watertight (Embate)", "Woop, estanque (Embate)"),
        "exact" => ("Exact", "Exato"),
        "min-max" => ("Minimum and maximum", "Mínimo e máximo"),
        "center-half" => ("Center and half widths", "Centro e meias larguras"),
        "min-edges" => ("Minimum and edges", "Mínimo e arestas"),
        other => (other, other),
    };
    language.text(english, portuguese)
}

/// Label of a case of a study; the file name of a user's mesh is its own label.
pub(crate) fn case(kind: StudyKind, name: &str, language: Language) -> String {
    if kind == StudyKind::Simulator {
        return simulator_case(name, language);
    }
    if let Some(speed) = name.strip_prefix("coherence-").filter(|_| kind == StudyKind::Broad2d) {
        return language
            .text(format!("Coherence, {speed} px/s"), format!("Coerência, {speed} px/s"));
    }
    let (english, portuguese) = match (kind, name) {
        (StudyKind::Rays, "random-low") => ("Random, low affinity", "Aleatório, baixa afinidade"),
        (StudyKind::Rays, "random-medium") => {
            ("Random, medium affinity", "Aleatório, média afinidade")
        }
        (StudyKind::Rays, "random-high") => ("Random, high affinity", "Aleatório, alta afinidade"),
        (StudyKind::Rays, "house") => ("House (stand-in)", "Casa (substituta)"),
        (StudyKind::Rays, "city") => ("City (stand-in)", "Cidade (substituta)"),
        (StudyKind::Rays, "artist-house-a") => ("House A (Kenney)", "Casa A (Kenney)"),
        (StudyKind::Rays, "artist-house-c") => ("House C (Kenney)", "Casa C (Kenney)"),
        (StudyKind::Rays, "artist-trees") => ("Trees (Kenney)", "Árvores (Kenney)"),
        (StudyKind::Broad2d, "experiment-1") => ("Experiment 1", "Experimento 1"),
        (StudyKind::Broad2d, "experiment-2") => ("Experiment 2", "Experimento 2"),
        (StudyKind::Broad2d, "capacity-60") => ("60 frames per second", "60 quadros por segundo"),
        (StudyKind::Broad2d, "capacity-30") => ("30 frames per second", "30 quadros por segundo"),
        (StudyKind::Broad2d | StudyKind::Broad3d, "custom") => {
            ("Custom world", "Mundo personalizado")
        }
        (StudyKind::Broad3d, "uniform") => ("Uniform", "Uniforme"),
        (StudyKind::Broad3d, "long-axis") => ("Long axis", "Eixo longo"),
        (StudyKind::Broad3d, "clustered") => ("Clustered", "Aglomerado"),
        (StudyKind::Broad3d, "static-50") => ("Half static", "Metade estática"),
        (StudyKind::Broad3d, "static-90") => ("Nine tenths static", "Nove décimos estáticos"),
        (StudyKind::TriangleTests, name) => triangle_tests_case(name),
        (_, other) => (other, other),
    };
    language.text(english, portuguese)
}

/// Case of the ray–triangle tests, in both languages.
fn triangle_tests_case(name: &str) -> (&str, &str) {
    match name {
        "pairs-hit" => ("Pairs, clear hit", "Pares, claramente dentro"),
        "pairs-miss" => ("Pairs, clear miss", "Pares, claramente fora"),
        "pairs-edge-on" => ("Pairs, edge-on", "Pares, de perfil"),
        "pairs-small" => ("Pairs, small triangle", "Pares, triângulo pequeno"),
        "aimed-vertices" => ("Closed meshes, vertices", "Malhas fechadas, vértices"),
        "aimed-edges" => ("Closed meshes, edges", "Malhas fechadas, arestas"),
        "aimed-random" => ("Closed meshes, any direction", "Malhas fechadas, qualquer direção"),
        "far-vertices" => ("Far meshes, vertices", "Malhas distantes, vértices"),
        "far-edges" => ("Far meshes, edges", "Malhas distantes, arestas"),
        "far-random" => ("Far meshes, any direction", "Malhas distantes, qualquer direção"),
        other => (other, other),
    }
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
        "overlap" => language.text("Overlap test", "Teste de sobreposição"),
        "motion" => language.text("Motion", "Movimento"),
        "merge" => language.text("Union", "União"),
        "nodes" => language.text("Octree descent", "Descida na octree"),
        "flight" => language.text("Free flight", "Voo livre"),
        "spring" => language.text("Spring", "Mola"),
        "orbit" => language.text("Orbit", "Órbita"),
        "window" => language.text("Clipping by a window", "Recorte por uma janela"),
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

/// Label of a case by its key in the journal, with its size and seed; a key of another form is its
/// own label.
pub(crate) fn case_of_key(kind: StudyKind, key: &str, language: Language) -> String {
    let words: Vec<&str> = key.split(' ').collect();
    let integer =
        |word: &str| word.parse().map_or(word.to_owned(), |count| language.integer(count));
    let with_seed = |seed: &str| language.text(format!("seed {seed}"), format!("semente {seed}"));
    let parts = match (kind, words.as_slice()) {
        (StudyKind::Rays, [.., size]) if words.len() > 1 => {
            let (name, size) = (key.trim_end_matches(size).trim_end(), integer(size));
            let triangles =
                language.text(format!("{size} triangles"), format!("{size} triângulos"));
            vec![case(kind, name, language), triangles]
        }
        (StudyKind::Broad2d, [name, shape, objects, "seed", seed]) => vec![
            case(kind, name, language),
            format!("{} {}", integer(objects), bounds(shape, language).to_lowercase()),
            with_seed(seed),
        ],
        (StudyKind::Broad3d, [name, _, objects, "seed", seed]) => {
            let count = integer(objects);
            let objects = language.text(format!("{count} objects"), format!("{count} objetos"));
            vec![case(kind, name, language), objects, with_seed(seed)]
        }
        (StudyKind::Simulator, [part, name @ .., seed]) => {
            let part = match *part {
                "broad" => language.text("Broad phase", "Fase ampla"),
                "pairs" => language.text("Pair tests", "Testes de pares"),
                "resolve" => language.text("Collision response", "Resposta a colisões"),
                "integrate" => language.text("Integrators", "Integradores"),
                "boxes" => language.text("Forms of a box", "Formas de uma caixa"),
                other => other.to_owned(),
            };
            vec![part, simulator_case(&name.join(" "), language), with_seed(seed)]
        }
        (StudyKind::TriangleTests, [name]) => vec![case(kind, name, language)],
        _ => vec![key.to_owned()],
    };
    parts.join(", ")
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
    use embate_replica::triangle_tests::TriangleTestKind;

    use super::*;
    use crate::studies::{simulator, triangle_tests};

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
            (StudyKind::TriangleTests, TriangleTestKind::ALL.map(TriangleTestKind::name).to_vec()),
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
    fn every_case_of_the_triangle_tests_has_a_label_in_both_languages() {
        for name in triangle_tests::plan::Case::ALL.map(triangle_tests::plan::Case::name) {
            let label = |language| case(StudyKind::TriangleTests, name, language);
            let [english, portuguese] = Language::ALL.map(label);
            assert!(english != portuguese && english != name, "{name}");
        }
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
