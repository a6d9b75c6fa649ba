//! Golden hashes in every build configuration: results must have the same bits in all of them.
//!
//! `cargo xtask test` checks the test profile and the page's WebAssembly. This module checks
//! release, no optimization, `target-cpu=native`, x86-64 restricted to SSE2, WebAssembly without
//! SIMD (scalar emulation of every lane), and aarch64 under QEMU if it is installed.

use std::path::Path;
use std::process::Command;

use crate::node::Node;
use crate::program::{run, stdout_of, succeeds, target_folder};
use crate::{page, setup};

const AARCH64: &str = "aarch64-unknown-linux-gnu";
const WASM: &str = "wasm32-unknown-unknown";
/// Debian's emulator, linker and libraries for aarch64.
const QEMU: &str = "qemu-aarch64";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

/// Disables the SIMD levels that `fearless_simd` selects at run time on x86-64, so that SSE2 is
/// left.
pub(crate) const SSE2_ONLY: [&str; 6] = [
    "--cfg",
    "disable_dispatch_avx512",
    "--cfg",
    "disable_dispatch_avx2",
    "--cfg",
    "disable_dispatch_sse4_2",
];

/// Checks every build configuration.
pub(crate) fn all_builds() -> Result<(), String> {
    setup::wasm_target()?;
    let node = Node::find()?;
    run(build("run", "release", &[])?.arg("--release"))?;
    run(build("run", "unoptimized", &[])?.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0"))?;
    run(build("run", "native-cpu", &["-Ctarget-cpu=native"])?.arg("--release"))?;
    if cfg!(target_arch = "x86_64") {
        run(build("run", "sse2", &SSE2_ONLY)?.arg("--release"))?;
    }
    run(build("build", "wasm-without-simd", &[])?.args(["--release", "--target", WASM]))?;
    let module = folder("wasm-without-simd")?.join(WASM).join("release/golden.wasm");
    page::run_golden(&node, &module)?;
    aarch64()
}

fn folder(name: &str) -> Result<std::path::PathBuf, String> {
    Ok(target_folder()?.join("golden").join(name))
}

/// A cargo command (`build` or `run`) for the golden-hash program, with a target folder per
/// configuration.
fn build(subcommand: &str, name: &str, flags: &[&str]) -> Result<Command, String> {
    let mut command = Command::new("cargo");
    command.args([subcommand, "--locked", "--package", "embate-contracts", "--bin", "golden"]);
    command.arg("--target-dir").arg(folder(name)?);
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    Ok(command)
}

fn aarch64() -> Result<(), String> {
    let mut rustc = Command::new("rustc");
    let std = stdout_of(rustc.args(["--print", "target-libdir", "--target", AARCH64]));
    let has_std = std.is_some_and(|folder| Path::new(&folder).is_dir());
    let has_emulator = succeeds(Command::new(QEMU).arg("--version"));
    let has_linker = succeeds(Command::new(LINKER).arg("--version"));
    if !(has_std && has_emulator && has_linker) {
        println!(
            "golden: aarch64 was skipped. It needs `rustup target add {AARCH64}` and Debian's \
             packages qemu-user, gcc-aarch64-linux-gnu and libc6-dev-arm64-cross."
        );
        return Ok(());
    }
    let mut command = build("run", "aarch64", &[])?;
    command.args(["--release", "--target", AARCH64]);
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    let runner = format!("{QEMU} -L {LIBRARIES}");
    run(command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", runner))
}
