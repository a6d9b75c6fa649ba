//! Capacity: how many objects each technique holds at 60 and at 30 frames per second.

use embate_report::chart::{Chart, Dots, Kind, Scale};
use embate_report::language::{Language, NO_VALUE};
use embate_report::{Block, Finding, Table, Verdict, push_charts};
use embate_scene::generators::Bounds;

use super::plan::{self, CAPACITIES, Request};
use super::published::OBJECTS;
use super::{findings, label};
use crate::statistics::{Range, median};
use crate::studies::labels;
use crate::studies::moving_worlds::capacity::most_objects;
use crate::studies::moving_worlds::row::{Row, unique};
use crate::studies::moving_worlds::{STUDY_BRUTE, STUDY_GRID};
use crate::studies::timing_spread;

/// Whether a row is the result of a capacity search. Its number of objects is measured, so it
/// cannot be grouped with rows of other seeds.
fn is_capacity(row: &Row) -> bool {
    CAPACITIES.iter().any(|(case, _)| row.case == *case)
}

/// The rows of capacity searches, and all others.
pub(super) fn split(rows: &[Row]) -> (Vec<Row>, Vec<Row>) {
    rows.iter().cloned().partition(is_capacity)
}

/// The capacity of a technique, one number of objects per world.
struct Capacity {
    objects: Vec<u32>,
}

impl Capacity {
    fn of(rows: &[Row], case: &str, technique: &str, bounds: Bounds) -> Option<Self> {
        let own = rows.iter().filter(|row| {
            row.case == case && row.technique == technique && row.bounds == bounds.name()
        });
        let objects: Vec<u32> = own.map(|row| row.objects).collect();
        (!objects.is_empty()).then_some(Self { objects })
    }

    fn median(&self) -> f64 {
        let objects: Vec<f64> = self.objects.iter().map(|&objects| objects.into()).collect();
        median(&objects).unwrap_or(f64::NAN)
    }

    /// Over the worlds, at least as wide as the resolution of the search.
    fn range(&self) -> Option<Range> {
        match self.objects[..] {
            [single] => Range::around(single.into()),
            ref several => {
                Range::of(&several.iter().map(|&objects| objects.into()).collect::<Vec<_>>())
            }
        }
    }

    /// `41,200`, or `at least 50,697` where the search ended at its largest number.
    fn in_words(&self, language: Language) -> String {
        let number = language.number(self.median(), 0);
        if self.objects.iter().any(|&objects| objects >= largest_tried()) {
            return language.text(format!("at least {number}"), format!("ao menos {number}"));
        }
        number
    }
}

/// The number of objects at which a search ends without a limit found.
fn largest_tried() -> u32 {
    let scenes = plan::capacity(&Request::default(), &plan::published());
    scenes.first().map_or(u32::MAX, most_objects)
}

/// Frame rate and bounds of each column, in the order of the plan.
fn columns() -> impl Iterator<Item = ((&'static str, u32), Bounds)> {
    Bounds::ALL.into_iter().flat_map(|bounds| CAPACITIES.map(|rate| (rate, bounds)))
}

fn column_name((fps, bounds): (u32, Bounds), language: Language) -> String {
    let shape = labels::bounds(bounds.name(), language);
    language.text(format!("{shape}, {fps} per second"), format!("{shape}, {fps} por segundo"))
}

/// The capacities as a table.
pub(super) fn table(rows: &[Row], language: Language) -> Option<Table> {
    let techniques = unique(rows.iter().map(|row| row.technique.as_str()));
    let of_technique = |technique: &&str| {
        let values = columns().map(|((case, _), bounds)| {
            let capacity = Capacity::of(rows, case, technique, bounds);
            capacity.map_or(NO_VALUE.to_owned(), |capacity| capacity.in_words(language))
        });
        [label(technique, language)].into_iter().chain(values).collect()
    };
    let mut head = vec![language.text("Technique", "Técnica")];
    head.extend(columns().map(|((_, fps), bounds)| column_name((fps, bounds), language)));
    let caption = language.text(
        "Most objects at 60 and at 30 frames per second, without drawing (median over the worlds)",
        "Máximo de objetos a 60 e a 30 quadros por segundo, sem desenho (mediana dos mundos)",
    );
    let rows: Vec<Vec<String>> = techniques.iter().map(of_technique).collect();
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// The capacities as a chart.
fn chart(rows: &[Row], language: Language) -> Chart {
    let techniques = unique(rows.iter().map(|row| row.technique.as_str()));
    let series = columns()
        .enumerate()
        .map(|(style, ((_, fps), bounds))| (column_name((fps, bounds), language), style));
    let of_technique = |technique: &&str| {
        let values = columns().map(|((case, _), bounds)| {
            Capacity::of(rows, case, technique, bounds).map(|capacity| capacity.median())
        });
        (label(technique, language), values.collect())
    };
    let worlds = unique(rows.iter().map(|row| row.seed)).len();
    let most = language.integer(largest_tried().into());
    Chart {
        id: "capacity".to_owned(),
        title: language.text(
            "Most objects at 60 and at 30 frames per second",
            "Máximo de objetos a 60 e a 30 quadros por segundo",
        ),
        description: language.text(
            format!("Largest number of objects for which a technique finds the pairs of a frame in 16.7 and in 33.3 ms. Searches end at {most} objects."),
            format!("Maior número de objetos para o qual uma técnica encontra os pares de um quadro em 16,7 e em 33,3 ms. As buscas terminam com {most} objetos."),
        ),
        source: language.text(
            format!("objects of 5–50 px, world 2000×2000 px, cells of 100 px, worlds (seeds): {worlds}"),
            format!("objetos de 5–50 px, mundo 2000×2000 px, células de 100 px, mundos (sementes): {worlds}"),
        ),
        x_label: language.text("Objects", "Objetos"),
        y_label: language.text("Technique", "Técnica"),
        kind: Kind::Dots(Dots {
            series: series.collect(),
            rows: techniques.iter().map(of_technique).collect(),
            scale: Scale::Log,
        }),
    }
}

/// The section of the report.
pub(super) fn blocks(rows: &[Row], language: Language) -> Vec<Block> {
    let Some(table) = table(rows, language) else { return Vec::new() };
    let mut blocks = vec![Block::Paragraph(language.text(
        "The question of the study in its own unit: how many objects does a technique hold in real time, at 60 and at 30 frames per second? The worlds are those of experiment 2. The number of objects grows until finding the pairs takes longer than a frame, and is then narrowed down to 2%. Nothing is drawn here; the page searches with drawing. The denser the world, the more pairs each object has: time grows faster than the number of objects.",
        "A pergunta do estudo na sua própria unidade: quantos objetos uma técnica sustenta em tempo real, a 60 e a 30 quadros por segundo? Os mundos são os do experimento 2. O número de objetos cresce até que encontrar os pares demore mais que um quadro e então é refinado a 2 %. Aqui nada é desenhado; a página busca com desenho. Quanto mais denso o mundo, mais pares tem cada objeto: o tempo cresce mais rápido que o número de objetos.",
    ))];
    push_charts(&mut blocks, [chart(rows, language)]);
    blocks.push(Block::Table(table));
    blocks
}

/// The conclusion of the study: its grid is satisfactory even with very many objects.
pub(super) fn conclusion(rows: &[Row], language: Language) -> Finding {
    let most_published = OBJECTS.into_iter().max().unwrap_or(0);
    let (case, _) = CAPACITIES[CAPACITIES.len() - 1];
    let of = |technique| Bounds::ALL.map(|bounds| Capacity::of(rows, case, technique, bounds));
    let grid = of(STUDY_GRID);
    let verdicts = grid.iter().flatten().map(|capacity| {
        timing_spread::verdict(capacity.range(), [most_published.into(), f64::INFINITY])
    });
    let verdict = Verdict::over_all(verdicts, grid.iter().all(Option::is_some));
    let in_words = |capacities: [Option<Capacity>; 2]| {
        let words = Bounds::ALL.into_iter().zip(capacities).filter_map(|(bounds, capacity)| {
            let shape = labels::bounds(bounds.name(), language).to_lowercase();
            Some(format!("{} {shape}", capacity?.in_words(language)))
        });
        words.collect::<Vec<_>>().join(", ")
    };
    let measured = (verdict != Verdict::NotRun).then(|| {
        let (name, held) = (label(STUDY_GRID, language), in_words(grid));
        let (brute, of_brute) = (label(STUDY_BRUTE, language), in_words(of(STUDY_BRUTE)));
        let words = language.text(
            format!("{name}: {held} at 30 frames per second"),
            format!("{name}: {held} a 30 quadros por segundo"),
        );
        let compared =
            if of_brute.is_empty() { String::new() } else { format!("; {brute}: {of_brute}") };
        (words + &compared, verdict)
    });
    let claim = language.text(
        "The grid gives a satisfactory experience on the web even with very many objects",
        "A grade dá uma experiência satisfatória na web mesmo com muitíssimos objetos",
    );
    let most = language.integer(most_published.into());
    let published = language.text(
        format!("30 to 60 frames per second are the measure of real time; the table ends at {most} objects"),
        format!("30 a 60 quadros por segundo são a medida de tempo real; a tabela termina com {most} objetos"),
    );
    let note = language.text(
        format!("Confirmed if the study's grid holds {most} boxes and {most} circles at 30 frames per second; the number is Embate's, from the study's table. This run is a native program without drawing; in the page, experiment “Capacity” measures with drawing."),
        format!("Confirmado se a grade do estudo sustenta {most} caixas e {most} círculos a 30 quadros por segundo; o número é do Embate, da tabela do estudo. Esta execução é um programa nativo sem desenho; na página, o experimento “Capacidade” mede com desenho."),
    );
    let place = language.text("conclusion", "conclusão");
    let base = findings::published("very-many-objects", place);
    findings::measured(Finding { claim, published, note, ..base }, measured, language)
}
