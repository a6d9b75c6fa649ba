//! Do all answers have the same bits, however the engine is built?
//!
//! `cargo xtask test` asks it in the profile of the tests, and as the page's WebAssembly. Here it is asked as released; as
//! written, where nothing is optimised; for this very processor, where the compiler may use whatever it has; without the wide lanes that this processor
//! has; as WebAssembly without lanes, where every lane is computed by itself; and for aarch64, if there is something
//! to run that with.

use std::path::Path;
use std::process::Command;

use crate::node::Node;
use crate::program::{answer, run, target_folder, works};
use crate::{page, setup};

const AARCH64: &str = "aarch64-unknown-linux-gnu";
const WASM: &str = "wasm32-unknown-unknown";
/// Debian's names of what runs and links for aarch64.
const QEMU: &str = "qemu-aarch64";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

/// x86-64 without what `fearless_simd` would choose at run time: SSE2 is left.
const NARROW: [&str; 6] = [
    "--cfg",
    "disable_dispatch_avx512",
    "--cfg",
    "disable_dispatch_avx2",
    "--cfg",
    "disable_dispatch_sse4_2",
];

/// Asks every build.
pub(crate) fn everywhere() -> Result<(), String> {
    setup::wasm_target()?;
    let node = Node::find()?;
    run(build("run", "release", &[])?.arg("--release"))?;
    run(build("run", "as-written", &[])?.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0"))?;
    run(build("run", "own-processor", &["-Ctarget-cpu=native"])?.arg("--release"))?;
    if cfg!(target_arch = "x86_64") {
        run(build("run", "narrow", &NARROW)?.arg("--release"))?;
    }
    run(build("build", "wasm-without-lanes", &[])?.args(["--release", "--target", WASM]))?;
    let module = folder("wasm-without-lanes")?.join(WASM).join("release/golden.wasm");
    page::ask_golden(&node, &module)?;
    aarch64()
}

fn folder(name: &str) -> Result<std::path::PathBuf, String> {
    Ok(target_folder()?.join("golden").join(name))
}

/// Builds, or builds and runs, what compares the bits; each kind in a folder of its own.
fn build(what: &str, name: &str, flags: &[&str]) -> Result<Command, String> {
    let mut command = Command::new("cargo");
    command.args([what, "--locked", "--package", "embate-contracts", "--bin", "golden"]);
    command.arg("--target-dir").arg(folder(name)?);
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    Ok(command)
}

fn aarch64() -> Result<(), String> {
    let mut rustc = Command::new("rustc");
    let std = answer(rustc.args(["--print", "target-libdir", "--target", AARCH64]));
    let has_std = std.is_some_and(|folder| Path::new(&folder).is_dir());
    let runs = works(Command::new(QEMU).arg("--version"));
    let links = works(Command::new(LINKER).arg("--version"));
    if !(has_std && runs && links) {
        println!(
            "golden: aarch64 was not asked. It needs `rustup target add {AARCH64}` and Debian's packages \
             qemu-user, gcc-aarch64-linux-gnu and libc6-dev-arm64-cross."
        );
        return Ok(());
    }
    let mut command = build("run", "aarch64", &[])?;
    command.args(["--release", "--target", AARCH64]);
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    let runner = format!("{QEMU} -L {LIBRARIES}");
    run(command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", runner))
}
