//! Techniques: name and one sentence each.

use embate::broad_phase::{BroadPhaseKind, SweepAxis};
use embate_replica::structure::PairStructure;
use serde::Serialize;

use crate::localized_text::LocalizedText;

/// A technique as the page lists it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a property that the page reads by name")]
pub(super) struct TechniqueEntry {
    name: &'static str,
    label: LocalizedText,
    about: LocalizedText,
    of_study: bool,
    takes_cell: bool,
    /// With a size of 0 it chooses the cell size.
    chooses_cell: bool,
    draws_cells: bool,
    /// Its objects lie on levels of cells.
    has_levels: bool,
}

/// The automatic choice, then the techniques of `study broad2d`, in its order, then sort and sweep.
pub(super) fn all() -> Vec<PairStructure> {
    let auto = PairStructure::Engine(BroadPhaseKind::Auto);
    [auto].into_iter().chain(PairStructure::choices_2d()).collect()
}

/// All techniques with their texts.
pub(super) fn listed() -> Vec<TechniqueEntry> {
    let list = |technique: PairStructure| {
        let (label, about) = texts(technique);
        TechniqueEntry {
            name: technique.name(),
            label,
            about,
            of_study: matches!(
                technique,
                PairStructure::GoncalesBruteForce | PairStructure::GoncalesGrid
            ),
            takes_cell: technique.has_cell_size(),
            chooses_cell: technique.has_cell_size() && technique != PairStructure::GoncalesGrid,
            draws_cells: technique != technique.own_brute_force()
                && !matches!(technique, PairStructure::SweepAndPrune(_)),
            has_levels: technique.has_levels(),
        }
    };
    all().into_iter().map(list).collect()
}

/// Label and description; a technique without them does not compile.
fn texts(technique: PairStructure) -> (LocalizedText, LocalizedText) {
    let of = |label: [&'static str; 2], about: [&'static str; 2]| {
        (LocalizedText { en: label[0], pt: label[1] }, LocalizedText { en: about[0], pt: about[1] })
    };
    match technique {
        PairStructure::GoncalesBruteForce => of(
            ["Brute force (study)", "Força bruta (estudo)"],
            [
                "As in the study: every pair of objects, one at a time.",
                "Como no estudo: cada par de objetos, um por vez.",
            ],
        ),
        PairStructure::GoncalesGrid => of(
            ["Grid (study)", "Grade (estudo)"],
            [
                "As in the study, spatial hashing: objects are listed in the cells of their corners. Embate found that pairs of objects larger than a cell are missed.",
                "Como no estudo, hash espacial: cada objeto entra na lista das células de seus cantos. O Embate descobriu que pares de objetos maiores que uma célula se perdem.",
            ],
        ),
        PairStructure::Engine(BroadPhaseKind::Auto) => of(
            ["Auto", "Automática"],
            [
                "Picks for you: brute force for a few objects, sweep for many.",
                "Escolhe por você: força bruta para poucos objetos, varredura para muitos.",
            ],
        ),
        PairStructure::Engine(BroadPhaseKind::BruteForce) => of(
            ["Brute force", "Força bruta"],
            ["Every pair, eight at a time.", "Todos os pares, oito de cada vez."],
        ),
        PairStructure::Engine(BroadPhaseKind::TiledSweep) => of(
            ["Sweep", "Varredura"],
            [
                "Sweep and prune: divides the world into tiles, sorts each tile from left to right, and tests objects whose intervals overlap. Fewer than 250 objects are tested by brute force.",
                "Varredura e poda: divide o mundo em ladrilhos, ordena cada um da esquerda para a direita e testa objetos cujos intervalos se sobrepõem. Menos de 250 objetos são testados por força bruta.",
            ],
        ),
        PairStructure::SweepAndPrune(SweepAxis::Fixed(0)) => of(
            ["Sweep, x axis (Lasch)", "Varredura, eixo x (Lasch)"],
            [
                "Sort and sweep, as Lasch describes it: sorts all objects from left to right, and tests objects whose intervals overlap.",
                "Ordenação e varredura, como Lasch a descreve: ordena todos os objetos da esquerda para a direita e testa objetos cujos intervalos se sobrepõem.",
            ],
        ),
        PairStructure::SweepAndPrune(SweepAxis::Fixed(_)) => of(
            ["Sweep, y axis (Lasch)", "Varredura, eixo y (Lasch)"],
            [
                "Sort and sweep along the vertical axis: sorts all objects by height, and tests objects whose intervals overlap.",
                "Ordenação e varredura no eixo vertical: ordena todos os objetos pela altura e testa objetos cujos intervalos se sobrepõem.",
            ],
        ),
        PairStructure::SweepAndPrune(SweepAxis::LargestVariance) => of(
            ["Sweep, largest variance (Lasch)", "Varredura, maior variância (Lasch)"],
            [
                "Sort and sweep, as Lasch describes it: along the axis on which the centers of the previous frame have the largest variance.",
                "Ordenação e varredura, como Lasch a descreve: no eixo em que os centros do quadro anterior têm a maior variância.",
            ],
        ),
        PairStructure::FreshSweep => of(
            ["Sweep, sorted from scratch", "Varredura, ordenada do zero"],
            [
                "Sorts all objects along the axis of the largest variance, without the order of the previous frame.",
                "Ordena todos os objetos no eixo da maior variância, sem a ordem do quadro anterior.",
            ],
        ),
        PairStructure::Incremental => of(
            ["Incremental broad phase", "Fase ampla incremental"],
            [
                "Keeps the boxes and their pairs between frames, and searches only for objects that moved.",
                "Guarda as caixas e seus pares entre os quadros e busca só para objetos que se moveram.",
            ],
        ),
        PairStructure::Engine(BroadPhaseKind::Bvh) => of(
            ["Tree", "Árvore"],
            [
                "A bounding volume hierarchy (BVH): boxes around boxes, eight per node, rebuilt for every frame.",
                "Uma hierarquia de volumes envolventes (BVH): caixas em volta de caixas, oito por nó, refeita a cada quadro.",
            ],
        ),
        PairStructure::Engine(BroadPhaseKind::Grid) => of(
            ["Grid", "Grade"],
            [
                "Spatial hashing on several levels: every object is listed once, in a level of cells of its size, so no pair is missed. Distant cells with equal hashes share a list, so a test may involve distant objects.",
                "Hash espacial em vários níveis: cada objeto entra em uma só lista, em um nível de células do seu tamanho, e nenhum par se perde. Células distantes com o mesmo hash dividem uma lista, por isso um teste pode envolver objetos distantes.",
            ],
        ),
        PairStructure::StrictOctree => of(
            ["Quadtree, strict (Lasch)", "Quadtree, estrita (Lasch)"],
            [
                "The octree of Lasch in 2D: a box that a dividing line cuts belongs to the parent cell.",
                "A octree de Lasch em 2D: uma caixa cortada por uma linha de divisão pertence à célula-mãe.",
            ],
        ),
        PairStructure::Engine(BroadPhaseKind::Octree) => of(
            ["Quadtree", "Quadtree"],
            [
                "Cells are divided into four recursively; every object is stored in the smallest cell that contains it.",
                "As células são divididas em quatro recursivamente; cada objeto é guardado na menor célula que o contém.",
            ],
        ),
    }
}

#[cfg(test)]
mod tests {
    use embate::broad_phase::BRUTE_FORCE_MAX;
    use embate_report::language::Language;
    use embate_studies::{StudyKind, technique_label};

    use super::*;

    #[test]
    fn labels_equal_those_of_the_study_reports() {
        for technique in all().into_iter().chain(PairStructure::COHERENCE) {
            let label = texts(technique).0;
            let of_report =
                |language| technique_label(StudyKind::Broad2d, technique.name(), language);
            assert_eq!(label.en, of_report(Language::English));
            assert_eq!(label.pt, of_report(Language::BrazilianPortuguese));
        }
    }

    #[test]
    fn sweep_description_has_its_brute_force_threshold() {
        let (_, about) = texts(PairStructure::Engine(BroadPhaseKind::TiledSweep));
        for text in [about.en, about.pt] {
            assert!(text.contains(&format!(" {BRUTE_FORCE_MAX}")), "{text}");
        }
    }
}
