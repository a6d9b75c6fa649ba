//! Memory against time per ray on each mesh: the study's octree, and Embate's structures.
//!
//! "Less memory" is future work of Lorenzi 2014. All points are of one run and the same rays.

use embate_report::Table;
use embate_report::chart::{Chart, Kind, Lines, Origin, Scale, Series, slug};

use super::case_rows::{CaseRows, LITERAL_OCTREE, STUDY_OCTREE};
use super::charts::scene;
use super::report_text::ReportText;
use super::row::Row;
use super::setting::{COMPACT_BVH, LEAF_SIZES};
use crate::studies::number_format::optional;

const OCTREE: &str = "octree";
/// One point each.
const POINTS: [&str; 5] = [STUDY_OCTREE, LITERAL_OCTREE, OCTREE, "bvh", COMPACT_BVH];

fn bytes_per_triangle(row: &Row) -> f64 {
    row.bytes as f64 / f64::from(row.triangles)
}

fn nanoseconds(row: &Row, seconds: f64) -> f64 {
    seconds / f64::from(row.rays) * 1e9
}

/// Rows of the curve of a mesh: each structure, then the compact octree by leaf size, the largest
/// leaves first. Empty unless the compact structures were measured.
fn curve<'a>(cases: CaseRows<'a>, case: &str) -> (Vec<&'a Row>, Vec<&'a Row>) {
    let [size] = cases.sizes(case)[..] else { return (Vec::new(), Vec::new()) };
    let row = |name: &str| cases.get(case, name, size);
    let points: Vec<_> = POINTS.into_iter().filter_map(row).collect();
    let leaves: Vec<_> = LEAF_SIZES.into_iter().filter_map(|(_, name)| row(name)).collect();
    let is_measured = row(COMPACT_BVH).is_some() && !leaves.is_empty();
    if is_measured { (points, leaves) } else { (Vec::new(), Vec::new()) }
}

/// The curve of a mesh as a table, with the octree as the unit.
pub(super) fn table(cases: CaseRows<'_>, case: &str, text: ReportText) -> Option<Table> {
    let language = text.0;
    let (points, leaves) = curve(cases, case);
    let octree = points.iter().copied().find(|row| row.technique == OCTREE);
    let rows = points.iter().chain(&leaves).map(|row| {
        let times = |value: f64| language.times(value);
        let memory = octree.map(|octree| row.bytes as f64 / octree.bytes as f64);
        vec![
            text.technique(&row.technique),
            language.significant(bytes_per_triangle(row), 3),
            language.significant(nanoseconds(row, row.query_s), 3),
            optional(memory, times),
            optional(octree.map(|octree| octree.query_s / row.query_s), times),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let head = vec![
        text.0.text("Structure", "Estrutura"),
        text.0.text("Bytes per triangle", "Bytes por triângulo"),
        text.0.text("ns per ray", "ns por raio"),
        text.0.text("Memory over octree", "Memória sobre a octree"),
        text.0.text("Speed over octree", "Velocidade sobre a octree"),
    ];
    let label = text.case(case);
    let caption = text.0.text(
        format!("{label}: memory against time per ray"),
        format!("{label}: memória contra tempo por raio"),
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// The curve of a mesh as a chart.
pub(super) fn chart(cases: CaseRows<'_>, case: &str, text: ReportText) -> Option<Chart> {
    let (points, leaves) = curve(cases, case);
    let last = leaves.first()?;
    let mut series: Vec<Series> = points
        .iter()
        .map(|row| {
            let style = POINTS.iter().position(|name| *name == row.technique).unwrap_or(0);
            series_of(text.technique(&row.technique), style, &[*row])
        })
        .collect();
    let sizes = LEAF_SIZES.map(|(size, _)| size.to_string()).join(", ");
    let name = text.0.text(
        format!("Compact octree, leaves of up to {sizes}"),
        format!("Octree compacta, folhas de até {sizes}"),
    );
    let mut by_memory = leaves.clone();
    by_memory.sort_by_key(|row| row.bytes);
    series.push(series_of(name, POINTS.len(), &by_memory));
    let label = text.case(case);
    let number = cases.meshes().iter().position(|name| *name == case).unwrap_or(0);
    let (bytes, time) = (bytes_per_triangle(last), nanoseconds(last, last.query_s));
    let [bytes, time] = [bytes, time].map(|value| text.0.significant(value, 3));
    let structure = text.technique(&last.technique);
    Some(Chart {
        // Numbered, because file names can have equal slugs.
        id: format!("memory-time-{}-{}", number + 1, slug(case)),
        title: text.0.text(
            format!("{label}: memory against time per ray"),
            format!("{label}: memória contra tempo por raio"),
        ),
        description: text.0.text(
            format!("Memory beside the mesh and time of a closest hit; further left is less, further down is faster. The memory of the study's octree is that of its program. {structure}: {bytes} bytes per triangle, {time} ns per ray."),
            format!("Memória além da malha e tempo da interseção mais próxima; mais à esquerda é menos, mais abaixo é mais rápido. A memória da octree do estudo é a do programa dele. {structure}: {bytes} bytes por triângulo, {time} ns por raio."),
        ),
        source: scene(cases, text),
        x_label: text.0.text("Memory per triangle (bytes)", "Memória por triângulo (bytes)"),
        y_label: text.0.text("Time per ray (ns)", "Tempo por raio (ns)"),
        kind: Kind::Lines(Lines {
            series,
            x_scale: Scale::Log,
            y_scale: Scale::Log,
            reference: None,
            marks: Vec::new(),
        }),
    })
}

/// With the range of the repeats as error bars.
fn series_of(name: String, style: usize, rows: &[&Row]) -> Series {
    let range = |row: &&Row| {
        let repeats = row.query_s_repeats.iter().map(|seconds| nanoseconds(row, *seconds));
        repeats
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), ns| (ns.min(low), ns.max(high)))
    };
    let has_repeats = rows.iter().all(|row| row.query_s_repeats.len() > 1);
    Series {
        name,
        style,
        origin: Origin::Measured,
        points: rows
            .iter()
            .map(|row| (bytes_per_triangle(row), nanoseconds(row, row.query_s)))
            .collect(),
        error_bars: if has_repeats { rows.iter().map(range).collect() } else { Vec::new() },
    }
}

#[cfg(test)]
mod tests {
    use embate_report::language::Language;

    use super::super::plan::{Case, RaysPlan};
    use super::super::sample_rows;
    use super::*;
    use crate::runner::run_context::{RunContext, system_clock};
    use crate::study::Study;
    use embate_replica::structure::RayStructure;

    #[test]
    fn memory_curve_has_every_structure_in_both_languages() {
        let rows = sample_rows::published();
        let cases = CaseRows::new(&rows);
        for language in Language::ALL {
            let text = ReportText(language);
            let table = table(cases, "city", text).unwrap();
            let names: Vec<_> = table.rows.iter().map(|row| row[0].as_str()).collect();
            let expected = [STUDY_OCTREE, OCTREE, "bvh", COMPACT_BVH].into_iter();
            let expected = expected.chain(LEAF_SIZES.map(|(_, name)| name));
            assert_eq!(names, expected.map(|name| text.technique(name)).collect::<Vec<_>>());
            assert_eq!(table.rows[1][3..], [language.times(1.0), language.times(1.0)]);
            let Kind::Lines(lines) = chart(cases, "city", text).unwrap().kind else { panic!() };
            assert_eq!(lines.series.last().unwrap().points.len(), LEAF_SIZES.len());
            assert_eq!(lines.series.len(), 5);
        }
        assert!(table(cases, "random-low", ReportText(Language::English)).is_none());
    }

    #[test]
    fn compact_structures_are_measured_on_meshes_without_errors_and_take_less_memory() {
        let mesh = embate_scene::generators::house();
        let techniques = vec![RayStructure::LorenziOctree, RayStructure::OCTREE, RayStructure::BVH];
        let plan = RaysPlan { techniques, rays: 40, repeats: 1, ..RaysPlan::quick() };
        let case = Case::Model { name: "house", mesh: &mesh };
        let context = RunContext { clock: system_clock, on_progress: &|_| {} };
        let rows = plan.measure(&case, &context);
        assert!(rows.iter().all(|row| row.errors == 0));
        let cases = CaseRows::new(&rows);
        let (points, leaves) = curve(cases, "house");
        assert_eq!((points.len(), leaves.len()), (4, LEAF_SIZES.len()));
        let octree = cases.of("house", OCTREE).next().unwrap().bytes;
        assert!(leaves.iter().all(|row| 3 * row.bytes < octree));
        assert!(leaves.is_sorted_by_key(|row| row.bytes));
    }
}
