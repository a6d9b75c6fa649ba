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

/// What makes the times less certain: a debug build, several cases at once, a resumed run.
#[must_use]
pub fn measurement_conditions(run: &Provenance<'_>, language: Language) -> Vec<Block> {
    let mut blocks = Vec::new();
    if run.profile == "debug" {
        blocks.push(Block::Paragraph(language.text(
            "This run was made by a debug build: its counts are right, its times are not to be trusted.",
            "Esta execução foi feita por uma compilação de depuração: as contagens valem, os tempos não merecem confiança.",
        )));
    }
    let threads = run.parameters.get("threads").and_then(Value::as_u64).unwrap_or(1);
    if threads > 1 {
        let threads = language.integer(threads);
        blocks.push(Block::Paragraph(language.text(
            format!("Cases were measured {threads} at a time, which is quicker and disturbs the times; run with --threads 1 for times to quote."),
            format!("Os casos foram medidos {threads} por vez, o que é mais rápido e perturba os tempos; use --threads 1 para tempos que se possam citar."),
        )));
    }
    if run.resumed > 0 {
        let times = language.integer(run.resumed.into());
        blocks.push(Block::Paragraph(language.text(
            format!("The run was interrupted and taken up again (times: {times}); rows of different sittings may differ in speed."),
            format!("A execução foi interrompida e retomada (vezes: {times}); linhas de sessões diferentes podem diferir em velocidade."),
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
        (language.text("Finished", "Fim"), run.finished.unwrap_or(NO_VALUE).to_owned()),
        (language.text("Command", "Comando"), run.command_line.clone()),
        (language.text("Seed", "Semente"), run.seed.to_string()),
    ];
    let parameters = run
        .parameters
        .iter()
        .filter(|(name, _)| *name != "seed")
        .map(|(name, value)| (format!("--{name}"), parameter(value, language)))
        .collect();
    vec![
        Block::Definitions(facts),
        Block::Subheading(language.text("Parameters", "Parâmetros")),
        Block::Definitions(parameters),
    ]
}

/// A parameter as one would say it; an object by its name, as for meshes.
fn parameter(value: &Value, language: Language) -> String {
    match value {
        Value::Null => NO_VALUE.to_owned(),
        Value::Bool(yes) => language.yes_no(*yes).to_owned(),
        Value::Number(number) => match number.as_u64() {
            Some(count) => language.integer(count),
            None => language.significant(number.as_f64().unwrap_or(f64::NAN), 4),
        },
        Value::String(words) => words.clone(),
        Value::Array(values) if values.is_empty() => NO_VALUE.to_owned(),
        Value::Array(values) => {
            let values: Vec<_> = values.iter().map(|value| parameter(value, language)).collect();
            values.join("; ")
        }
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| match (name.as_str(), value) {
                ("name", Value::String(name)) => name.clone(),
                _ => format!("{name} {}", parameter(value, language)),
            });
            fields.collect::<Vec<_>>().join(", ")
        }
    }
}
