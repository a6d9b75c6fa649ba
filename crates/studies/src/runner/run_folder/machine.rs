//! Machine of a run, read once at its start; unknown properties stay unknown.

use serde::{Deserialize, Serialize};

/// Machine as far as known. It does not identify its owner.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Processor model, where the system says.
    pub cpu: Option<String>,
    /// Threads this process may run at once; 0 if unknown.
    pub cores: usize,
    /// Main memory in bytes, where the system says.
    pub memory_bytes: Option<u64>,
    /// `linux`, `macos`, `windows`, …
    pub os: String,
    /// `x86_64`, `aarch64`, …
    pub arch: String,
    /// Vector instructions found at run time, for instance `avx2`.
    pub cpu_features: Vec<String>,
}

impl Machine {
    /// The machine this program runs on.
    #[must_use]
    pub fn this() -> Self {
        // Linux has /proc; elsewhere these files do not exist and the values stay unknown.
        let cpu_info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let mem_info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        Self {
            cpu: field(&cpu_info, "model name"),
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            memory_bytes: field(&mem_info, "MemTotal").and_then(|text| kibibytes(&text)),
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            cpu_features: cpu_features(),
        }
    }
}

/// The value of the first line `name : value`.
fn field(text: &str, name: &str) -> Option<String> {
    text.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(found, _)| found.trim() == name)
        .map(|(_, value)| value.trim().to_owned())
}

fn kibibytes(text: &str) -> Option<u64> {
    text.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn cpu_features() -> Vec<String> {
    [
        ("sse4.2", std::is_x86_feature_detected!("sse4.2")),
        ("avx", std::is_x86_feature_detected!("avx")),
        ("avx2", std::is_x86_feature_detected!("avx2")),
        ("fma", std::is_x86_feature_detected!("fma")),
        ("bmi2", std::is_x86_feature_detected!("bmi2")),
        ("avx512f", std::is_x86_feature_detected!("avx512f")),
    ]
    .into_iter()
    .filter(|(_, found)| *found)
    .map(|(name, _)| name.to_owned())
    .collect()
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn cpu_features() -> Vec<String> {
    // Elsewhere the vector width is fixed by the target: NEON on aarch64, simd128 in wasm.
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_proc_files_are_parsed() {
        let text = "processor\t: 0\nmodel name\t: AMD EPYC: 7B13\nmodel name\t: other\n";
        assert_eq!(field(text, "model name").as_deref(), Some("AMD EPYC: 7B13"));
        assert_eq!(field(text, "flags"), None);
        assert_eq!(kibibytes("2048 kB"), Some(2 << 20));
        assert_eq!(kibibytes("2048"), None);
    }
}
