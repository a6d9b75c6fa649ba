//! The steps of each command, in order. The first that fails ends the command.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::available_parallelism;

use crate::counting::Count;
use crate::node::Node;
use crate::program::{cargo, clock, counted, replace_by, root, run, side_by_side, target_folder};
use crate::{embree, page, page_folder, setup};

/// Everything that must hold before a change may land.
pub(crate) fn test() -> Result<(), String> {
    clock();
    setup::components()?;
    setup::wasm_target()?;
    let (node, chromium) = (Node::find()?, setup::chromium()?);
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["fmt", "--check", "--manifest-path", "xtask/bindgen/Cargo.toml"])?;
    // Then all tests but those of the program that carries the page, which is not made yet.
    let rust = || {
        cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
        check_features()?;
        cargo(&["test", "--workspace", "--locked", "--lib", "--no-run"])
    };
    // The engine must build where there are no threads, files or AVX2.
    let prepare = || page::modules().and_then(|()| page::prepare(&node));
    // Side by side: each has minutes in which it keeps one processor busy.
    side_by_side(vec![Box::new(rust), Box::new(prepare)])?;
    // Before the tests, so that the program they build carries the page and is built once; not while the lints look at
    // the files that it carries.
    page::build(&node)?;

    let mut count = Count::default();
    let rest = || cargo(&["test", "--workspace", "--locked", "--no-run"]);
    let unit = side_by_side(vec![Box::new(|| page::unit_tests(&node, &mut count)), Box::new(rest)]);
    let tests = unit
        .and(rust_tests(&mut count))
        .and(feature_tests(&QUICK_FEATURES, &mut count))
        .and(page::golden(&node))
        .and(browser_tests(&node, &chromium, &mut count));
    let rest = tests.and_then(|()| examples()).and_then(|()| docs());
    println!("\n── {:.0} s", clock().elapsed().as_secs_f64());
    println!("{} passed, {} failed", count.passed, count.failed);
    rest
}

/// Each Cargo feature of the engine.
const FEATURES: [&str; 8] =
    ["raycast", "broad-phase", "dynamics", "mesh-io", "parallel", "serde", "mint", "glam"];

/// Features whose tests take seconds; `cargo xtask soak features` runs those of all. Without
/// `parallel` they run the serial code that replaces threads, as the golden hashes in WebAssembly do.
const QUICK_FEATURES: [&str; 3] = ["mesh-io", "parallel", "serde"];

/// A cargo command for the library of the engine with one feature alone.
fn with_feature_alone(command: &str, feature: &str) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.args([command, "--package", "embate", "--locked", "--lib", "--no-default-features"]);
    cargo.args(["--features", feature]);
    cargo
}

/// The engine compiles without warnings with each feature alone.
fn check_features() -> Result<(), String> {
    FEATURES.iter().try_for_each(|feature| {
        run(with_feature_alone("clippy", feature).args(["--", "-D", "warnings"]))
    })
}

fn feature_tests(features: &[&str], count: &mut Count) -> Result<(), String> {
    features.iter().try_for_each(|feature| counted(&mut with_feature_alone("test", feature), count))
}

/// The unit tests of the engine with each feature alone.
pub(crate) fn soak_features() -> Result<(), String> {
    feature_tests(&FEATURES, &mut Count::default())
}

fn rust_tests(count: &mut Count) -> Result<(), String> {
    let test = |first: &[&str], last: &str, count: &mut Count| {
        counted(Command::new("cargo").args(first).args(["--workspace", "--locked", last]), count)
    };
    if setup::has_nextest() {
        // One more than there are processors: some wait for clocks.
        let at_once =
            format!("--test-threads={}", available_parallelism().map_or(2, usize::from) + 1);
        // Without --no-fail-fast one failure would hide the others.
        test(&["nextest", "run", &at_once], "--no-fail-fast", count).and(test(
            &["test"],
            "--doc",
            count,
        ))
    } else {
        test(&["test"], "--no-fail-fast", count)
    }
}

/// The page in a real browser, from the program that the tests before built: they leave it with the
/// page in it. Its Rust is not optimised as what ships is; the page and its engine are.
fn browser_tests(node: &Node, chromium: &Path, count: &mut Count) -> Result<(), String> {
    page::browser_tests(node, chromium, &program("debug")?, count)
}

/// The `embate` of a profile.
fn program(profile: &str) -> Result<PathBuf, String> {
    let name = format!("embate{}", std::env::consts::EXE_SUFFIX);
    Ok(target_folder()?.join(profile).join(name))
}

/// Every example runs, because a reader will run it.
fn examples() -> Result<(), String> {
    let folder = root().join("crates/embate/examples");
    let files = std::fs::read_dir(&folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()));
    let mut names: Vec<String> = files.collect();
    names.sort();
    // With the whole workspace, as the tests were: alone, the engine would have other features and be built anew.
    cargo(&["build", "--workspace", "--locked", "--examples"])?;
    let built = target_folder()?.join("debug/examples");
    for name in names {
        run(&mut Command::new(built.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))))?;
    }
    Ok(())
}

fn docs() -> Result<(), String> {
    let arguments = ["doc", "--workspace", "--no-deps", "--locked", "--document-private-items"];
    run(Command::new("cargo").args(arguments).env("RUSTDOCFLAGS", "-D warnings"))
}

/// Builds everything and serves the page until Ctrl-C.
pub(crate) fn lab(more: &[&str]) -> Result<(), String> {
    let program = release_with_page(&Node::find()?)?;
    replace_by(Command::new(program).arg("lab").args(more))
}

fn release_with_page(node: &Node) -> Result<PathBuf, String> {
    page::build(node)?;
    cargo(&["build", "--release", "--locked", "--package", "embate-cli"])?;
    program("release")
}

/// The pictures of the page in `docs/`, taken anew.
pub(crate) fn screenshots() -> Result<(), String> {
    let (node, chromium) = (Node::find()?, setup::chromium()?);
    page::screenshots(&node, &chromium, &release_with_page(&node)?)
}

/// The page as a folder that any web server can serve.
pub(crate) fn web(out: Option<&str>) -> Result<(), String> {
    let out = out.map(Path::new);
    // A folder that may not be touched is told before the work, not after it.
    out.map_or(Ok(Vec::new()), page_folder::earlier)?;
    let page = page::build(&Node::find()?)?;
    out.map_or(Ok(()), |out| page_folder::copy(&page, out))
}

/// The contracts at full size.
pub(crate) fn soak(which: &str) -> Result<(), String> {
    // Nothing else builds the benchmarks, and what they ask of the engine must not rot unseen.
    cargo(&["check", "--locked", "--manifest-path", "bench/Cargo.toml"])?;
    let arguments = ["run", "--release", "--locked", "--package", "embate-contracts"];
    cargo(&[&arguments[..], &["--bin", "soak", "--", which]].concat())
}

/// Embate beside its peers. They live in a workspace of their own.
pub(crate) fn bench(which: &str, filters: &[&str]) -> Result<(), String> {
    let mut command = Command::new("cargo");
    command.args(["run", "--release", "--locked", "--manifest-path", "bench/Cargo.toml"]);
    if filters.contains(&"--threads") {
        // A peer that has threads only if it is built with them, and is slower on one then.
        command.args(["--features", "parallel"]);
    }
    command.args(["--", which]).args(filters);
    if which == "rays"
        && let Some(embree) = embree::library()
    {
        command.env("EMBATE_EMBREE", embree);
    }
    // Peers in C as their own builds make them: without this they keep their assertions.
    run(command.env("CFLAGS", "-O3 -DNDEBUG"))
}
