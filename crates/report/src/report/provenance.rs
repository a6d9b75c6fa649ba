//! Provenance of measurements: machine, versions, command and parameters as report blocks.

use serde_json::{Map, Value};

use super::Block;
use crate::language::{Language, NO_VALUE};

/// On which machine, by which build and by which command a run was measured.
#[derive(Clone, Debug)]
pub struct Provenance<'a> {
    /// Processor model, where it is known.
    pub cpu: Option<&'a str>,
    /// Threads available; 0 if unknown.
    pub cores: usize,
    /// Vector instructions, for instance `avx2`.
    pub cpu_features: &'a [String],
    /// Main memory in bytes, where it is known.
    pub memory_bytes: Option<u64>,
    /// `linux`, `macos`, `windows`, …
    pub os: &'a str,
    /// `x86_64`, `aarch64`, …
    pub arch: &'a str,
    /// Version of Embate.
    pub embate: &'a str,
    /// `release` or `debug`.
    pub profile: &'a str,
    /// Version of the compiler, where it is known.
    pub rustc: Option<&'a str>,
    /// Start time in UTC, ISO 8601.
    pub started: &'a str,
    /// End time in UTC, ISO 8601; `None` for an incomplete run.
    pub finished: Option<&'a str>,
    /// The command line, quoted for a shell.
    pub command_line: String,
    /// The seed of every random number of the run.
    pub seed: u64,
    /// Values by the names of their flags.
    pub parameters: &'a Map<String, Value>,
    /// Number of times the run was resumed.
    pub resumed: u32,
}

impl<'a> Provenance<'a> {
    /// The processor, or the platform where the processor is not known.
    #[must_use]
    pub fn machine_name(&self) -> &'a str {
        self.cpu.unwrap_or(self.os)
    }

    /// Day of the end, or of the start of an incomplete run, ISO 8601.
    #[must_use]
    pub fn date(&self) -> &'a str {
        let time = self.finished.unwrap_or(self.started);
        time.split_once('T').map_or(time, |(date, _)| date)
    }
}

/// Version, machine and date, for captions of charts.
#[must_use]
pub fn source_line(run: &Provenance<'_>) -> String {
    let debug = if run.profile == "debug" { " (debug)" } else { "" };
    format!("embate {}{debug} · {} · {}", run.embate, run.machine_name(), run.date())
}

/// What makes the times less certain: a debug build, several cases at once, a resumed run.
#[must_use]
pub fn measurement_conditions(run: &Provenance<'_>, language: Language) -> Vec<Block> {
    let mut blocks = Vec::new();
    if run.profile == "debug" {
        blocks.push(Block::Paragraph(language.text(
            "Debug build: the counts of this run are valid, the times are not.",
            "Compilação de depuração: as contagens desta execução valem, os tempos não.",
        )));
    }
    let threads = run.parameters.get("threads").and_then(Value::as_u64).unwrap_or(1);
    if threads > 1 {
        let threads = language.integer(threads);
        blocks.push(Block::Paragraph(language.text(
            format!("Cases were measured {threads} at a time, which is quicker but makes the times less reliable; use --threads 1 for times to publish."),
            format!("Os casos foram medidos {threads} por vez, o que é mais rápido, mas torna os tempos menos confiáveis; use --threads 1 para tempos a publicar."),
        )));
    }
    if run.resumed > 0 {
        let times = language.integer(run.resumed.into());
        blocks.push(Block::Paragraph(language.text(
            format!("The run was interrupted and resumed (times: {times}); rows measured before and after may differ in speed."),
            format!("A execução foi interrompida e retomada (vezes: {times}); linhas medidas antes e depois podem diferir em velocidade."),
        )));
    }
    blocks
}

/// Machine, versions, command and parameters.
#[must_use]
pub fn machine(run: &Provenance<'_>, language: Language) -> Vec<Block> {
    let unknown = || language.text("unknown", "desconhecido");
    let or_unknown = |value: Option<&str>| value.map_or_else(unknown, str::to_owned);
    let features = run.cpu_features.join(", ");
    let facts = vec![
        (language.text("Processor", "Processador"), or_unknown(run.cpu)),
        (
            language.text("Threads available", "Threads disponíveis"),
            language.integer(run.cores as u64),
        ),
        (
            language.text("Vector instructions", "Instruções vetoriais"),
            if features.is_empty() { NO_VALUE.to_owned() } else { features },
        ),
        (
            language.text("Memory", "Memória"),
            run.memory_bytes.map_or_else(unknown, |bytes| language.bytes(bytes)),
        ),
        (language.text("System", "Sistema"), format!("{}, {}", run.os, run.arch)),
        (language.text("Program", "Programa"), format!("embate {} ({})", run.embate, run.profile)),
        (language.text("Compiler", "Compilador"), or_unknown(run.rustc)),
        (language.text("Started", "Início"), run.started.to_owned()),
        (
            language.text("Finished", "Fim"),
            run.finished
                .map_or_else(|| language.text("not finished", "não terminada"), str::to_owned),
        ),
        (language.text("Command", "Comando"), run.command_line.clone()),
        (language.text("Seed", "Semente"), run.seed.to_string()),
    ];
    let parameters = run.parameters.iter().filter(|(name, _)| *name != "seed");
    vec![
        Block::Definitions(facts),
        Block::Subheading(language.text("Parameters", "Parâmetros")),
        Block::Paragraph(language.text(
            "Options and their values in the notation of the command line. A parameter without dashes follows from the options.",
            "Opções e seus valores na notação da linha de comando. Um parâmetro sem hífens decorre das opções.",
        )),
        Block::Definitions(parameters.map(|(name, value)| parameter(name, value)).collect()),
    ]
}

/// Parameters that follow from several options.
const DERIVED: [&str; 2] = ["case", "own-cells"];
/// Options that take one value. A run of several experiments has a value of each.
const SINGLE: [&str; 5] = ["world", "bounds", "size", "speed", "frames"];

/// An option as it is typed, in no language. Lists of options that take one value, and values that
/// are not options, are shown without dashes.
fn parameter(name: &str, value: &Value) -> (String, String) {
    let is_list = matches!(value, Value::Array(values) if values.len() > 1);
    let is_derived = DERIVED.contains(&name) || value.is_boolean();
    let has_several = is_list && SINGLE.contains(&name);
    let is_option = !(is_derived || has_several);
    let separator = if is_option { "," } else { " / " };
    let shown = if is_option { format!("--{name}") } else { name.to_owned() };
    (shown, plain(value, separator))
}

/// A value without separators of thousands or decimal commas; a mesh by its file name.
fn plain(value: &Value, separator: &str) -> String {
    match value {
        Value::Null => NO_VALUE.to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64() {
            // Options are single-precision; their shortest form is the one that was typed.
            Some(wide) if number.is_f64() && f64::from(wide as f32).to_bits() == wide.to_bits() => {
                (wide as f32).to_string()
            }
            _ => number.to_string(),
        },
        Value::Array(values) if values.is_empty() => NO_VALUE.to_owned(),
        Value::Array(values) => {
            let values: Vec<_> = values.iter().map(|value| plain(value, separator)).collect();
            values.join(separator)
        }
        Value::Object(fields) => match fields.get("name") {
            Some(Value::String(name)) => {
                let others = fields.iter().filter(|(key, _)| *key != "name");
                let others: Vec<_> =
                    others.map(|(key, value)| format!("{key} {}", plain(value, ","))).collect();
                format!("{name} ({})", others.join(", "))
            }
            _ => value.to_string(),
        },
        Value::Bool(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Regression: `--cell-size 5,000; 10,00` in Portuguese, `1.000` for 1000.
    #[test]
    fn parameters_are_written_as_they_are_typed_in_every_language() {
        let Value::Object(parameters) = json!({
            "cell-size": [5.0_f32, 0.1_f32, 1000.0_f32],
            "objects": [10, 1_000, 50_000],
            "size": ["5..50"],
            "world": ["2000x2000", "640x480"],
            "case": ["experiment-1", "experiment-2"],
            "quick": true,
            "seed": 3,
            "mesh": [{"name": "tent.obj", "triangles": 1_200, "crc32": 7}],
        }) else {
            unreachable!("an object was written")
        };
        let run = Provenance {
            cpu: None,
            cores: 2,
            cpu_features: &[],
            memory_bytes: None,
            os: "a browser",
            arch: "wasm32",
            embate: "1.0.0",
            profile: "release",
            rustc: None,
            started: "2026-01-02T03:04:05Z",
            finished: None,
            command_line: "embate study broad2d".to_owned(),
            seed: 3,
            parameters: &parameters,
            resumed: 0,
        };
        for language in Language::ALL {
            let blocks = machine(&run, language);
            let Some(Block::Definitions(shown)) = blocks.last() else { panic!("{blocks:?}") };
            let shown: Vec<_> = shown.iter().map(|(k, v)| format!("{k} {v}")).collect();
            for expected in [
                "--cell-size 5,0.1,1000",
                "--objects 10,1000,50000",
                "--size 5..50",
                "world 2000x2000 / 640x480",
                "case experiment-1 / experiment-2",
                "quick true",
                "--mesh tent.obj (crc32 7, triangles 1200)",
            ] {
                assert!(shown.contains(&expected.to_owned()), "{shown:?} lacks {expected}");
            }
        }
        assert_eq!((run.date(), run.machine_name()), ("2026-01-02", "a browser"));
        assert_eq!(source_line(&run), "embate 1.0.0 · a browser · 2026-01-02");
    }
}
