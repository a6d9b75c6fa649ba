//! On what did it all run, and what disturbed it?

use serde_json::Value;

use super::Block;
use crate::language::{Language, NO_VALUE};
use crate::run_folder::RunInfo;

/// What a reader must know before trusting the times: a debug build, several cases at once, sittings.
#[must_use]
pub fn sitting(info: &RunInfo, language: Language) -> Vec<Block> {
    let mut blocks = Vec::new();
    if info.versions.profile == "debug" {
        blocks.push(Block::Paragraph(language.say(
            "This run was made by a debug build: its counts are right, its times are not to be trusted.",
            "Esta execução foi feita por uma compilação de depuração: as contagens valem, os tempos não merecem confiança.",
        )));
    }
    let threads = info.parameters.get("threads").and_then(Value::as_u64).unwrap_or(1);
    if threads > 1 {
        let threads = language.integer(threads);
        blocks.push(Block::Paragraph(language.text(
            format!("Cases were measured {threads} at a time, which is quicker and disturbs the times; run with --threads 1 for times to quote."),
            format!("Os casos foram medidos {threads} por vez, o que é mais rápido e perturba os tempos; use --threads 1 para tempos que se possam citar."),
        )));
    }
    if info.resumed > 0 {
        let times = language.integer(info.resumed.into());
        blocks.push(Block::Paragraph(language.text(
            format!("The run was interrupted and taken up again (times: {times}); rows of different sittings may differ in speed."),
            format!("A execução foi interrompida e retomada (vezes: {times}); linhas de sessões diferentes podem diferir em velocidade."),
        )));
    }
    blocks
}

/// Machine, versions, command and parameters.
#[must_use]
pub fn machine(info: &RunInfo, language: Language) -> Vec<Block> {
    let unknown = || language.say("unknown", "desconhecido");
    let (machine, versions) = (&info.machine, &info.versions);
    let features = machine.cpu_features.join(", ");
    let facts = vec![
        (language.say("Processor", "Processador"), machine.cpu.clone().unwrap_or_else(unknown)),
        (
            language.say("Threads available", "Threads disponíveis"),
            language.integer(machine.cores as u64),
        ),
        (
            language.say("Vector instructions", "Instruções vetoriais"),
            if features.is_empty() { NO_VALUE.to_owned() } else { features },
        ),
        (
            language.say("Memory", "Memória"),
            machine.memory_bytes.map_or_else(unknown, |bytes| language.bytes(bytes)),
        ),
        (language.say("System", "Sistema"), format!("{}, {}", machine.os, machine.arch)),
        (
            language.say("Program", "Programa"),
            format!("embate {} ({})", versions.embate, versions.profile),
        ),
        (language.say("Compiler", "Compilador"), versions.rustc.clone().unwrap_or_else(unknown)),
        (language.say("Started", "Início"), info.started.clone()),
        (
            language.say("Finished", "Fim"),
            info.finished.clone().unwrap_or_else(|| NO_VALUE.to_owned()),
        ),
        (language.say("Command", "Comando"), info.command_line()),
        (language.say("Seed", "Semente"), info.seed.to_string()),
    ];
    let parameters = info
        .parameters
        .iter()
        .filter(|(name, _)| *name != "seed")
        .map(|(name, value)| (format!("--{name}"), parameter(value, language)))
        .collect();
    vec![
        Block::Definitions(facts),
        Block::Subheading(language.say("Parameters", "Parâmetros")),
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
