//! Citation: how to cite a run, and the references of the three studies (`docs/studies.md`).

use embate_report::Block;
use embate_report::language::Language;
use embate_report::provenance::Provenance;

use crate::study_kind::StudyKind;

/// How to cite the run, and the references: that of the repeated study first.
pub(super) fn blocks(
    kind: StudyKind,
    title: &str,
    run: &Provenance<'_>,
    language: Language,
) -> Vec<Block> {
    let (version, date, machine) = (run.embate, run.date(), run.machine_name());
    let seed = run.seed;
    let citation = language.text(
        format!("Embate {version}. “{title}”. Run of {date}, seed {seed}, on {machine}."),
        format!("Embate {version}. “{title}”. Execução de {date}, semente {seed}, em {machine}."),
    );
    let mut references = vec![
        language.text(
            "Lorenzi 2014: H. Lorenzi. Thesis on ray–triangle intersection with an octree, 2014; article with V. Brandi Jr., 2015.",
            "Lorenzi 2014: H. Lorenzi. Monografia sobre a interseção de raios e triângulos com uma octree, 2014; artigo com V. Brandi Jr., 2015.",
        ),
        language.text(
            "Lasch: R. M. Lasch. Thesis project on a 3D collision simulator, IFSul.",
            "Lasch: R. M. Lasch. Projeto de trabalho de conclusão sobre um simulador de colisões 3D, IFSul.",
        ),
        language.text(
            "Gonçales et al. 2016: V. H. P. Gonçales et al. Study of 2D broad phases on the web, UNOESTE, 2016.",
            "Gonçales et al. 2016: V. H. P. Gonçales et al. Estudo de fases amplas 2D na web, UNOESTE, 2016.",
        ),
    ];
    let own = match kind {
        StudyKind::Rays | StudyKind::TriangleTests => 0,
        StudyKind::Broad3d | StudyKind::Simulator => 1,
        StudyKind::Broad2d => 2,
    };
    references[..=own].rotate_right(1);
    let mut blocks = vec![
        Block::Subheading(language.text("How to cite this run", "Como citar esta execução")),
        Block::Paragraph(citation),
        Block::Subheading(language.text("Published studies", "Estudos publicados")),
        Block::List(references),
    ];
    if kind == StudyKind::TriangleTests {
        blocks.extend([
            Block::Subheading(language.text("Published tests", "Testes publicados")),
            Block::Definitions(triangle_tests()),
        ]);
    }
    blocks
}

/// The publications of the ray–triangle tests, by author.
fn triangle_tests() -> Vec<(String, String)> {
    [
        (
            "Möller, Trumbore 1997",
            "T. Möller, B. Trumbore. Fast, Minimum Storage Ray/Triangle Intersection. Journal of Graphics Tools 2(1), 1997.",
        ),
        (
            "Segura, Feito 2001",
            "R. J. Segura, F. R. Feito. Algorithms to Test Ray-Triangle Intersection. Comparative Study. WSCG, 2001.",
        ),
        (
            "Woop, Benthin, Wald 2013",
            "S. Woop, C. Benthin, I. Wald. Watertight Ray/Triangle Intersection. Journal of Computer Graphics Techniques 2(1), 2013.",
        ),
    ]
    .map(|(name, publication)| (name.to_owned(), publication.to_owned()))
    .to_vec()
}
