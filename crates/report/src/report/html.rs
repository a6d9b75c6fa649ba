//! HTML of a report: one file with its style, charts and tables.

use std::fmt::Write;

use super::{Block, Finding, FindingKind, Report, Section, Table, Verdict, of_kind};
use crate::chart::{Chart, Theme, page_colors};
use crate::language::{Language, NO_VALUE};

const STYLE: &str = include_str!("style.css");

/// No resource is loaded and no script runs, even if a text contains HTML.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Texts the page itself adds.
struct Words {
    contents: &'static str,
    skip: &'static str,
    theme: &'static str,
    theme_auto: &'static str,
    theme_light: &'static str,
    theme_dark: &'static str,
    data: &'static str,
    published: &'static str,
    ours: &'static str,
    source: &'static str,
}

const ENGLISH: Words = Words {
    contents: "Contents",
    skip: "Skip to the report",
    theme: "Colors",
    theme_auto: "as the system",
    theme_light: "light",
    theme_dark: "dark",
    data: "Data of this chart",
    published: "Published",
    ours: "Here",
    source: "Source",
};

const PORTUGUESE: Words = Words {
    contents: "Sumário",
    skip: "Ir para o relatório",
    theme: "Cores",
    theme_auto: "como no sistema",
    theme_light: "claras",
    theme_dark: "escuras",
    data: "Dados deste gráfico",
    published: "Publicado",
    ours: "Aqui",
    source: "Fonte",
};

/// Makes any text harmless between tags and inside quoted attributes, of HTML and of XML alike.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(letter),
            // XML has no way at all to write these.
            control if control.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            plain => escaped.push(plain),
        }
    }
    escaped
}

pub(super) fn page(report: &Report) -> String {
    let language = report.language;
    let words = language.select(&ENGLISH, &PORTUGUESE);
    let (light, dark) = (page_colors(false), page_colors(true));
    let style = STYLE.replace("/*light*/", &light).replace("/*dark*/", &dark);
    let (title, lead) = (escape(&report.title), escape(&report.lead));
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#report\">{}</a>\n",
        words.skip
    );
    let _ = write!(html, "<header>\n<h1>{title}</h1>\n<p class=\"lead\">{lead}</p>\n");
    for notice in &report.notices {
        let _ = writeln!(html, "<p class=\"notice\" role=\"note\">{}</p>", escape(notice));
    }
    theme_choice(&mut html, words);
    html.push_str("</header>\n");
    contents(&mut html, report, words);
    html.push_str("<main id=\"report\">\n");
    for section in &report.sections {
        write_section(&mut html, section, language, words);
    }
    let _ = write!(
        html,
        "</main>\n<footer><p>{}</p></footer>\n</body>\n</html>\n",
        escape(&report.footer)
    );
    html
}

/// Radio buttons that the style sheet reads with `:has`: a choice without a script.
fn theme_choice(html: &mut String, words: &Words) {
    let choices =
        [("auto", words.theme_auto), ("light", words.theme_light), ("dark", words.theme_dark)];
    let _ = write!(html, "<fieldset class=\"theme\"><legend>{}</legend>", words.theme);
    for (id, label) in choices {
        let checked = if id == "auto" { " checked" } else { "" };
        let _ = write!(
            html,
            "<label><input type=\"radio\" name=\"theme\" id=\"theme-{id}\"{checked}> \
             {label}</label>"
        );
    }
    html.push_str("</fieldset>\n");
}

fn contents(html: &mut String, report: &Report, words: &Words) {
    let _ = write!(html, "<nav aria-label=\"{}\">\n<ol>\n", words.contents);
    for Section { id, heading, .. } in &report.sections {
        let _ = writeln!(html, "<li><a href=\"#{}\">{}</a></li>", escape(id), escape(heading));
    }
    html.push_str("</ol>\n</nav>\n");
}

fn write_section(html: &mut String, section: &Section, language: Language, words: &Words) {
    let (id, heading) = (escape(&section.id), escape(&section.heading));
    let _ = write!(
        html,
        "<section id=\"{id}\" aria-labelledby=\"{id}-heading\">\n\
         <h2 id=\"{id}-heading\">{heading}</h2>\n"
    );
    for block in &section.blocks {
        match block {
            Block::Subheading(text) => {
                let _ = writeln!(html, "<h3>{}</h3>", escape(text));
            }
            Block::Paragraph(text) => {
                let _ = writeln!(html, "<p>{}</p>", escape(text));
            }
            Block::List(items) => list(html, items),
            Block::Definitions(pairs) => definitions(html, pairs),
            Block::Table(table) => write_table(html, table),
            Block::Chart(chart) => figure(html, chart, language, words),
            Block::Findings(findings) => write_findings(html, findings, language, words),
        }
    }
    html.push_str("</section>\n");
}

fn list(html: &mut String, items: &[String]) {
    html.push_str("<ul>\n");
    for item in items {
        let _ = writeln!(html, "<li>{}</li>", escape(item));
    }
    html.push_str("</ul>\n");
}

fn definitions(html: &mut String, pairs: &[(String, String)]) {
    html.push_str("<dl class=\"facts\">\n");
    for (name, value) in pairs {
        let _ = writeln!(html, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(value));
    }
    html.push_str("</dl>\n");
}

/// Wide tables scroll inside their own box, which the keyboard can reach.
fn write_table(html: &mut String, table: &Table) {
    let caption = escape(&table.caption);
    let _ = write!(
        html,
        "<div class=\"scroll\" role=\"group\" aria-label=\"{caption}\" tabindex=\"0\">\n\
         <table>\n<caption>{caption}</caption>\n<thead><tr>"
    );
    let is_numeric = |column: usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.get(column));
        cells.all(|cell| looks_numeric(cell))
    };
    let classes: Vec<_> = (0..table.head.len())
        .map(|column| if is_numeric(column) { " class=\"number\"" } else { "" })
        .collect();
    for (name, class) in table.head.iter().zip(&classes) {
        let _ = write!(html, "<th scope=\"col\"{class}>{}</th>", escape(name));
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        html.push_str("<tr>");
        for (column, (cell, class)) in row.iter().zip(&classes).enumerate() {
            let cell = escape(cell);
            let _ = if column == 0 {
                write!(html, "<th scope=\"row\"{class}>{cell}</th>")
            } else {
                write!(html, "<td{class}>{cell}</td>")
            };
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody>\n</table>\n</div>\n");
}

fn looks_numeric(cell: &str) -> bool {
    let cell = cell.trim_start_matches(['−', '<', ' ']);
    cell.is_empty() || cell == NO_VALUE || cell.starts_with(|first: char| first.is_ascii_digit())
}

fn figure(html: &mut String, chart: &Chart, language: Language, words: &Words) {
    let Chart { id, title, description, source, .. } = chart;
    let _ = write!(
        html,
        "<figure id=\"chart-{}\">\n<figcaption><strong>{}</strong> {}</figcaption>\n\
         <div class=\"scroll drawing\" role=\"group\" aria-label=\"{}\" tabindex=\"0\">",
        escape(id),
        escape(title),
        escape(description),
        escape(title),
    );
    html.push_str(&chart.svg(Theme::Page, language));
    html.push_str("</div>\n");
    if !source.is_empty() {
        let _ = writeln!(html, "<p class=\"source\">{}</p>", escape(source));
    }
    let _ = write!(html, "<details>\n<summary>{}</summary>\n", words.data);
    write_table(html, &chart.data_table(language));
    html.push_str("</details>\n</figure>\n");
}

/// One group per kind, each with its own counts.
fn write_findings(html: &mut String, findings: &[Finding], language: Language, words: &Words) {
    for kind in FindingKind::ALL {
        if of_kind(findings, kind).next().is_none() {
            continue;
        }
        let heading = kind.heading(language);
        let counts = Verdict::ALL.map(|verdict| {
            let count =
                of_kind(findings, kind).filter(|finding| finding.verdict == verdict).count();
            format!("{} {}: {count}", verdict.sign(), verdict.text(language))
        });
        let _ = write!(
            html,
            "<h3>{heading}</h3>\n<p>{}</p>\n<p class=\"counts\">{}</p>\n",
            kind.explanation(language),
            counts.join(" · ")
        );
        html.push_str("<ol class=\"findings\">\n");
        for finding in of_kind(findings, kind) {
            write_finding(html, finding, language, words);
        }
        html.push_str("</ol>\n");
    }
}

fn write_finding(html: &mut String, finding: &Finding, language: Language, words: &Words) {
    let class = match finding.verdict {
        Verdict::Confirmed => "confirmed",
        Verdict::NotConfirmed => "not-confirmed",
        Verdict::Undecided => "undecided",
        Verdict::NotRun => "not-run",
    };
    let _ = write!(
        html,
        "<li class=\"{class}\">\n<p class=\"claim\"><span class=\"verdict\">\
         <span aria-hidden=\"true\">{}</span> {}</span> {}</p>\n<dl>",
        finding.verdict.sign(),
        finding.verdict.text(language),
        escape(&finding.claim),
    );
    // A finding of Embate has no published value.
    let published = Some(&finding.published).filter(|published| !published.is_empty());
    let values = published.map(|published| (words.published, published));
    for (name, value) in values.into_iter().chain([(words.ours, &finding.ours)]) {
        let _ = write!(html, "<div><dt>{name}</dt><dd>{}</dd></div>", escape(value));
    }
    html.push_str("</dl>\n");
    if !finding.quote.is_empty() {
        let _ = writeln!(html, "<blockquote>{}</blockquote>", escape(&finding.quote));
    }
    if !finding.note.is_empty() {
        let _ = writeln!(html, "<p class=\"note\">{}</p>", escape(&finding.note));
    }
    let places = [finding.source.as_str(), finding.place.as_str()];
    let place = places.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    let _ = write!(html, "<p class=\"note\">{}: {}</p>\n</li>\n", words.source, escape(&place));
}

#[cfg(test)]
mod tests {
    use super::super::finding::tests::sample;
    use super::*;

    fn report(blocks: Vec<Block>) -> Report {
        Report {
            language: Language::BrazilianPortuguese,
            title: "A <b>title</b>".to_owned(),
            lead: "Lead & more".to_owned(),
            notices: vec!["A <notice>".to_owned()],
            sections: vec![Section {
                id: "one".to_owned(),
                heading: "One's \"heading\"".to_owned(),
                blocks,
            }],
            footer: "Footer".to_owned(),
        }
    }

    #[test]
    fn every_text_is_escaped() {
        let hostile = "</p><script>alert('1')</script>\u{0}\" onload=\"x";
        let table = Table {
            caption: hostile.to_owned(),
            head: vec![hostile.to_owned()],
            rows: vec![vec![hostile.to_owned()]],
        };
        let finding = sample(FindingKind::Cited, Verdict::NotRun, hostile);
        let html = report(vec![
            Block::Subheading(hostile.to_owned()),
            Block::Paragraph(hostile.to_owned()),
            Block::List(vec![hostile.to_owned()]),
            Block::Definitions(vec![(hostile.to_owned(), hostile.to_owned())]),
            Block::Table(table),
            Block::Findings(vec![finding]),
        ])
        .html();
        assert!(!html.contains("<script"));
        assert!(!html.contains("onload=\""));
        assert!(!html.contains('\0'));
        assert_eq!(html.matches("&lt;script&gt;").count(), 16);
        assert!(html.contains("<p class=\"notice\" role=\"note\">A &lt;notice&gt;</p>"));
    }

    #[test]
    fn page_has_its_language_and_no_external_resources() {
        let html = report(Vec::new()).html();
        assert!(html.contains("<html lang=\"pt-BR\">"));
        assert!(html.contains("default-src 'none'"));
        for loader in ["src=", "@import", "url(", "<link", "<script"] {
            assert!(!html.contains(loader), "{loader}");
        }
    }

    #[test]
    fn numeric_columns_are_right_aligned() {
        let table = Table {
            caption: "c".to_owned(),
            head: ["case", "size", "class"].map(str::to_owned).to_vec(),
            rows: vec![
                ["1", "−1,5", "low"].map(str::to_owned).to_vec(),
                ["2", NO_VALUE, "high"].map(str::to_owned).to_vec(),
            ],
        };
        let html = report(vec![Block::Table(table)]).html();
        assert!(
            html.contains(
                "<th scope=\"row\" class=\"number\">1</th><td class=\"number\">−1,5</td>"
            )
        );
        assert!(html.contains("<td>low</td>"));
    }

    #[test]
    fn verdicts_are_written_as_words() {
        let finding = sample(FindingKind::Published, Verdict::NotConfirmed, "c");
        let html = report(vec![Block::Findings(vec![finding])]).html();
        assert!(html.contains("não confirmado</span>"));
        assert!(html.contains(
            "✓ confirmado: 0 · ✗ não confirmado: 1 · ? inconclusivo: 0 · ○ não executado: 0"
        ));
    }

    #[test]
    fn findings_of_each_kind_have_a_heading_and_their_own_counts() {
        let cited = sample(FindingKind::Cited, Verdict::Confirmed, "cited claim");
        let mut own = sample(FindingKind::FoundHere, Verdict::Confirmed, "own claim");
        own.published.clear();
        let html = report(vec![Block::Findings(vec![own, cited])]).html();
        let place = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text}: {html}"));
        assert!(place("<h3>Citadas pelo estudo</h3>") < place("cited claim"));
        assert!(place("cited claim") < place("<h3>Encontradas aqui</h3>"));
        assert!(place("<h3>Encontradas aqui</h3>") < place("own claim"));
        assert!(!html.contains("<h3>Publicadas</h3>"));
        assert_eq!(html.matches("✓ confirmado: 1 ·").count(), 2);
        // Only the cited finding has a published value.
        assert_eq!(html.matches("<dt>Publicado</dt>").count(), 1);
    }
}
