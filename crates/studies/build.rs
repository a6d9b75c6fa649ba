//! Passes version and optimization level of the compiler to the crate, for the provenance of measured times.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Ok(level) = std::env::var("OPT_LEVEL") {
        println!("cargo::rustc-env=EMBATE_OPT_LEVEL={level}");
    }
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    if let Some(version) = version.ok().and_then(|output| String::from_utf8(output.stdout).ok()) {
        println!("cargo::rustc-env=EMBATE_RUSTC_VERSION={}", version.trim());
    }
}
