//! The ratio of Lorenzi 2014 in several builds: "the ratio of the two times is the same on any
//! processor and with any compiler".
//!
//! A part of the study runs in a build restricted to SSE2, one with AVX2, one without optimization
//! and as WebAssembly in Node; then in the usual release build, whose report compares them all.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::node::Node;
use crate::program::{root, run, target_folder};
use crate::{golden, page};

/// The part of the study, in minutes per build.
const STUDY: [&str; 13] = [
    "study",
    "rays",
    "--fresh",
    "--families",
    "high",
    "--sizes",
    "1000,10000",
    "--rays",
    "500",
    "--repeats",
    "5",
    "--technique",
    TECHNIQUES,
];

const TECHNIQUES: &str = "study-brute,study-octree,study-brute-literal,study-octree-literal";

/// The same for the module of the page.
const OPTIONS: &str = r#"{"families":["high"],"sizes":[1000,10000],"rays":500,"repeats":5,
    "technique":["study-brute","study-octree","study-brute-literal","study-octree-literal"]}"#;

#[derive(Clone, Copy)]
enum Profile {
    Release,
    Unoptimized,
}

/// Runs all builds and writes the report that compares them.
pub(crate) fn compare() -> Result<(), String> {
    let node = Node::find()?;
    let mut earlier = Vec::new();
    if cfg!(target_arch = "x86_64") {
        let sse2 = [&["-Ctarget-cpu=x86-64"], &golden::SSE2_ONLY[..]].concat();
        earlier.push(native("sse2", &sse2, Profile::Release)?);
        earlier.push(native("avx2", &["-Ctarget-cpu=x86-64-v3"], Profile::Release)?);
    }
    earlier.push(native("unoptimized", &[], Profile::Unoptimized)?);
    earlier.push(wasm(&node)?);

    let out = folder()?.join("release");
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--release", "--locked", "--package", "embate-cli", "--"]);
    cargo.args(STUDY).arg("--out").arg(&out);
    for earlier in earlier {
        cargo.arg("--compare").arg(earlier);
    }
    run(&mut cargo)
}

fn folder() -> Result<PathBuf, String> {
    Ok(target_folder()?.join("builds"))
}

/// Runs the study in a build of its own, and returns the folder of its results.
fn native(name: &str, flags: &[&str], profile: Profile) -> Result<PathBuf, String> {
    let out = folder()?.join(name);
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--locked", "--package", "embate-cli", "--target-dir"]);
    cargo.arg(folder()?.join(format!("{name}-target")));
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    match profile {
        Profile::Release => cargo.arg("--release"),
        Profile::Unoptimized => cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0"),
    };
    run(cargo.arg("--").args(STUDY).arg("--out").arg(&out))?;
    Ok(out)
}

/// Runs the study in the page's module.
fn wasm(node: &Node) -> Result<PathBuf, String> {
    page::prepare(node)?;
    let out = folder()?.join("wasm");
    let bindings = root().join("apps/web/src/generated/studies/embate_web_studies.js");
    run(&mut in_node(node, &bindings, &out))?;
    Ok(out)
}

fn in_node(node: &Node, bindings: &Path, out: &Path) -> Command {
    let script = "const { mkdirSync, readFileSync, writeFileSync } = require('fs');
        const [, bindings, out, options] = process.argv;
        import(require('url').pathToFileURL(bindings)).then(({ initSync, Study }) => {
            initSync({ module: readFileSync(bindings.replace(/\\.js$/, '_bg.wasm')) });
            const study = new Study('rays', options);
            const rows = JSON.parse(study.plan()).cases.map(({ key }, number) => {
                console.log(`measuring ${key}`);
                return study.measure(number, { advanced() {} });
            });
            mkdirSync(out, { recursive: true });
            writeFileSync(`${out}/results.csv`, study.csv(`[${rows.join()}]`));
            const machine = { os: `Node ${process.version}`, arch: 'wasm32' };
            const versions = { target_features: ['simd128'] };
            writeFileSync(`${out}/run.json`, JSON.stringify({ study: 'rays', machine, versions }));
        });";
    let mut command = node.command("node");
    command.args(["-e", script]).arg(bindings).arg(out).arg(OPTIONS);
    command
}
