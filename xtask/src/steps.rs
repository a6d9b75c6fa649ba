//! Steps of each command, in order. A failing step ends the command.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::available_parallelism;

use crate::counting::Count;
use crate::node::Node;
use crate::program::{
    cargo, clock, exec, root, run, run_counting_tests, run_parallel, target_folder,
};
use crate::{embree, page, page_folder, setup};

/// Formatting, lints, tests, examples and documentation: all checks of a change.
pub(crate) fn test() -> Result<(), String> {
    clock();
    setup::components()?;
    setup::wasm_target()?;
    let (node, chromium) = (Node::find()?, setup::chromium()?);
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["fmt", "--check", "--manifest-path", "xtask/bindgen/Cargo.toml"])?;
    // Builds the unit tests, but not the integration tests of the CLI, which embeds the page: it is
    // not built yet.
    let rust = || {
        cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
        check_features()?;
        cargo(&["test", "--workspace", "--locked", "--lib", "--no-run"])
    };
    // The wasm modules: the engine must build without threads, files and AVX2.
    let prepare = || page::modules().and_then(|()| page::prepare(&node));
    // In parallel: each has minutes with only one busy core.
    run_parallel(vec![Box::new(rust), Box::new(prepare)])?;
    // Before the tests, so that the CLI is built once, with the page; after the lints, which read
    // the embedded files.
    page::build(&node)?;

    let mut count = Count::default();
    let integration = || cargo(&["test", "--workspace", "--locked", "--no-run"]);
    let unit =
        run_parallel(vec![Box::new(|| page::unit_tests(&node, &mut count)), Box::new(integration)]);
    let tests = unit.and(rust_tests(&mut count)).and(page::golden(&node));
    // Browsers mostly wait: the rest runs beside them.
    let embate = program("debug")?;
    let (mut in_browsers, mut beside) = (Count::default(), Count::default());
    let browsers = || page::browser_tests(&node, &chromium, &embate, &mut in_browsers);
    let rest = || {
        let doc_tests = doc_tests(&mut beside);
        doc_tests.and(feature_tests(&QUICK_FEATURES, &mut beside)).and(examples()).and(docs())
    };
    let rest = run_parallel(vec![Box::new(browsers), Box::new(rest)]);
    count.add(in_browsers);
    count.add(beside);
    // Measurements run alone.
    let result = tests.and(rest).and(page::speed_tests(&node, &chromium, &embate, &mut count));
    println!("\n── {:.0} s", clock().elapsed().as_secs_f64());
    println!("{} passed, {} failed", count.passed, count.failed);
    result
}

/// The Cargo features of the engine.
const FEATURES: [&str; 8] =
    ["raycast", "broad-phase", "dynamics", "mesh-io", "parallel", "serde", "mint", "glam"];

/// Features whose tests take seconds; `cargo xtask soak features` tests all.
const QUICK_FEATURES: [&str; 6] = ["broad-phase", "mesh-io", "parallel", "serde", "mint", "glam"];

/// A cargo command for the engine with a single feature.
fn single_feature_command(command: &str, feature: &str) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.args([command, "--package", "embate", "--locked", "--lib", "--no-default-features"]);
    cargo.args(["--features", feature]);
    cargo
}

/// Lints the engine with each feature alone.
fn check_features() -> Result<(), String> {
    FEATURES.iter().try_for_each(|feature| {
        run(single_feature_command("clippy", feature).args(["--", "-D", "warnings"]))
    })
}

/// Runs the unit tests of the engine with each feature alone. Without `parallel` they test the serial
/// code that replaces threads, as the golden hashes in WebAssembly do.
fn feature_tests(features: &[&str], count: &mut Count) -> Result<(), String> {
    features.iter().try_for_each(|feature| {
        run_counting_tests(&mut single_feature_command("test", feature), count)
    })
}

/// Runs the unit tests of the engine with each feature alone.
pub(crate) fn soak_features() -> Result<(), String> {
    feature_tests(&FEATURES, &mut Count::default())
}

fn rust_tests(count: &mut Count) -> Result<(), String> {
    let test = |first: &[&str], last: &str, count: &mut Count| {
        let mut cargo = Command::new("cargo");
        run_counting_tests(cargo.args(first).args(["--workspace", "--locked", last]), count)
    };
    if setup::has_nextest() {
        // One more than the number of cores, since some tests sleep.
        let threads =
            format!("--test-threads={}", available_parallelism().map_or(2, usize::from) + 1);
        // --no-fail-fast: reports all failures, not only the first.
        test(&["nextest", "run", &threads], "--no-fail-fast", count)
    } else {
        test(&["test", "--all-targets"], "--no-fail-fast", count)
    }
}

fn doc_tests(count: &mut Count) -> Result<(), String> {
    let arguments = ["test", "--workspace", "--locked", "--doc"];
    run_counting_tests(Command::new("cargo").args(arguments), count)
}

/// Path of the `embate` program of a profile.
fn program(profile: &str) -> Result<PathBuf, String> {
    let name = format!("embate{}", std::env::consts::EXE_SUFFIX);
    Ok(target_folder()?.join(profile).join(name))
}

/// Folders with examples.
const EXAMPLES: [&str; 2] = ["crates/embate/examples", "crates/replica/examples"];

/// Runs every example of the engine and of the replicas.
fn examples() -> Result<(), String> {
    let mut names = Vec::new();
    for folder in EXAMPLES.map(|folder| root().join(folder)) {
        let files = std::fs::read_dir(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?
            .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()));
        names.extend(files);
    }
    names.sort();
    // With `--workspace`, as the tests: otherwise feature unification would differ and the engine
    // would be rebuilt.
    cargo(&["build", "--workspace", "--locked", "--examples"])?;
    let folder = target_folder()?.join("debug/examples");
    for name in names {
        run(&mut Command::new(folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))))?;
    }
    Ok(())
}

fn docs() -> Result<(), String> {
    let arguments = ["doc", "--workspace", "--no-deps", "--locked", "--document-private-items"];
    run(Command::new("cargo").args(arguments).env("RUSTDOCFLAGS", "-D warnings"))
}

/// Builds everything and serves the page until Ctrl-C.
pub(crate) fn lab(more: &[&str]) -> Result<(), String> {
    let program = program_with_page(&Node::find()?)?;
    exec(Command::new(program).arg("lab").args(more))
}

/// The program of the tests, with the page: it only serves files, and builds in half the time of a
/// release. The wasm modules in the page are optimized.
fn program_with_page(node: &Node) -> Result<PathBuf, String> {
    page::build(node)?;
    cargo(&["build", "--locked", "--package", "embate-cli"])?;
    program("debug")
}

/// Takes the screenshots of the page in `docs/`.
pub(crate) fn screenshots() -> Result<(), String> {
    let (node, chromium) = (Node::find()?, setup::chromium()?);
    page::screenshots(&node, &chromium, &program_with_page(&node)?)
}

/// Builds the page as a folder for any web server.
pub(crate) fn web(out: Option<&str>) -> Result<(), String> {
    let out = out.map(Path::new);
    // Rejects an unsuitable folder before the build, not after it.
    out.map_or(Ok(Vec::new()), page_folder::files_of_earlier_page)?;
    let page = page::build(&Node::find()?)?;
    out.map_or(Ok(()), |out| page_folder::copy(&page, out))
}

/// Runs the contracts at full size.
pub(crate) fn soak(which: &str) -> Result<(), String> {
    // No other command compiles the benchmarks.
    cargo(&["check", "--locked", "--manifest-path", "bench/Cargo.toml"])?;
    let arguments = ["run", "--release", "--locked", "--package", "embate-contracts"];
    cargo(&[&arguments[..], &["--bin", "soak", "--", which]].concat())
}

/// Runs a benchmark against other libraries, which are dependencies of a separate workspace.
pub(crate) fn bench(which: &str, filters: &[&str]) -> Result<(), String> {
    let mut command = Command::new("cargo");
    command.args(["run", "--release", "--locked", "--manifest-path", "bench/Cargo.toml"]);
    if filters.contains(&"--threads") {
        // rapier has threads only with this feature, which makes it slower on one thread.
        command.args(["--features", "parallel"]);
    }
    command.args(["--", which]).args(filters);
    if which == "rays"
        && let Some(embree) = embree::library()
    {
        command.env("EMBATE_EMBREE", embree);
    }
    // Release flags for the libraries in C; without them their assertions stay enabled.
    run(command.env("CFLAGS", "-O3 -DNDEBUG"))
}
