//! Techniques: name and one sentence each.

use embate::broad_phase::BroadPhaseKind;
use embate_replica::structure::PairStructure;
use serde::Serialize;

use crate::localized_text::LocalizedText;

/// A technique as the page lists it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a question that the page asks by name")]
pub(super) struct TechniqueEntry {
    name: &'static str,
    label: LocalizedText,
    about: LocalizedText,
    of_study: bool,
    takes_cell: bool,
    /// Given a size of 0, it chooses its cells itself.
    chooses_cell: bool,
    draws_cells: bool,
}

/// The choice that suits, then those that `study broad2d` compares, in its order.
pub(super) fn all() -> Vec<PairStructure> {
    let auto = PairStructure::Engine(BroadPhaseKind::Auto);
    [auto].into_iter().chain(PairStructure::all_2d()).collect()
}

/// All of them, with their words.
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
            draws_cells: technique != technique.own_brute_force(),
        }
    };
    all().into_iter().map(list).collect()
}

/// A technique without words does not compile: a new one cannot be forgotten here.
fn texts(technique: PairStructure) -> (LocalizedText, LocalizedText) {
    let of = |label: [&'static str; 2], about: [&'static str; 2]| {
        (LocalizedText { en: label[0], pt: label[1] }, LocalizedText { en: about[0], pt: about[1] })
    };
    match technique {
        PairStructure::GoncalesBruteForce => of(
            ["Brute force (study)", "Força bruta (estudo)"],
            [
                "The study’s own: every pair of objects, one at a time.",
                "A do estudo: cada par de objetos, um de cada vez.",
            ],
        ),
        PairStructure::GoncalesGrid => of(
            ["Grid (study)", "Grade (estudo)"],
            [
                "The study’s own: objects are listed in the cells of their corners, and those larger than a cell can be missed.",
                "A do estudo: cada objeto entra na lista das células de seus cantos, e os maiores que uma célula podem passar despercebidos.",
            ],
        ),
        PairStructure::Engine(BroadPhaseKind::Auto) => of(
            ["Auto", "Automática"],
            [
                "Whatever suits so many objects: each against each for few, the sweep for many.",
                "O que convém a tantos objetos: todos contra todos se são poucos, a varredura se são muitos.",
            ],
        ),
        PairStructure::Engine(BroadPhaseKind::BruteForce) => of(
            ["Brute force", "Força bruta"],
            ["Every pair, eight at a time.", "Todos os pares, oito de cada vez."],
        ),
        PairStructure::Engine(BroadPhaseKind::TiledSweep) => of(
            ["Sweep", "Varredura"],
            [
                "Cuts the world into strips, orders each strip from left to right, and tests every object against those it reaches. Fewer than 250 objects it tests each against each, as brute force does.",
                "Corta o mundo em faixas, ordena cada uma da esquerda para a direita e testa cada objeto contra os que ele alcança. Se são menos de 250, testa todos contra todos, como a força bruta.",
            ],
        ),
        PairStructure::SweepAndPrune(_) => of(
            ["Sweep", "Varredura"],
            [
                "Orders all objects along one axis, and tests every object against those it reaches.",
                "Ordena todos os objetos ao longo de um eixo e testa cada um contra os que ele alcança.",
            ],
        ),
        PairStructure::Engine(BroadPhaseKind::Bvh) => of(
            ["Tree", "Árvore"],
            [
                "A hierarchy of boxes around boxes, eight to a node, built anew for every frame.",
                "Uma hierarquia de caixas em volta de caixas, oito por nó, refeita a cada quadro.",
            ],
        ),
        PairStructure::Engine(BroadPhaseKind::Grid) => of(
            ["Grid", "Grade"],
            [
                "Every object is listed once, in layers of cells that double in size, so that no pair is missed. Cells far apart share a list: a test may reach across the world.",
                "Cada objeto entra em uma só lista, em camadas de células que dobram de tamanho, e nenhum par se perde. Células distantes dividem uma lista: um teste pode atravessar o mundo.",
            ],
        ),
        PairStructure::Engine(BroadPhaseKind::Octree) => of(
            ["Quadtree", "Quadtree"],
            [
                "Cells are cut into four again and again; every object lives in the smallest that holds it whole.",
                "As células são cortadas em quatro várias vezes; cada objeto fica na menor que o contém por inteiro.",
            ],
        ),
    }
}

#[cfg(test)]
mod tests {
    use embate::broad_phase::BRUTE_FORCE_MAX;

    use super::*;

    #[test]
    fn sweep_description_has_its_brute_force_threshold() {
        let (_, about) = texts(PairStructure::Engine(BroadPhaseKind::TiledSweep));
        for text in [about.en, about.pt] {
            assert!(text.contains(&format!(" {BRUTE_FORCE_MAX}")), "{text}");
        }
    }
}
