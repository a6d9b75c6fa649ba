//! Build of the page.
//!
//! ```text
//! apps/web/wasm/VIEW (Rust) ──cargo, profile `web`──► module ──bindgen──► src/generated/VIEW ─────┐
//!                                                             JavaScript, types, the module       │
//! apps/web/src (TypeScript) ──npm ci──tsc──vite──────────────────────────────────────────────────┴► dist
//! ```
//!
//! Steps whose input is unchanged are skipped, and a file of `dist` is written only if it differs:
//! a second `cargo xtask lab` starts immediately, and the program that embeds the page is not
//! recompiled.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::counting::Count;
use crate::node::Node;
use crate::page_folder::read;
use crate::program::{Task, root, run, run_counting_tests, run_parallel, target_folder};
use crate::{page_folder, setup};

const TARGET: &str = "wasm32-unknown-unknown";

/// Cargo profile of the modules.
const PROFILE: &str = "web";

/// Program that compares the bits of the engine's results with stored hashes.
const GOLDEN: [&str; 4] = ["--package", "embate-contracts", "--bin", "golden"];

/// Builds the page and returns its folder.
pub(crate) fn build(node: &Node) -> Result<PathBuf, String> {
    prepare(node)?;
    bundle(node)
}

/// Builds the input of the bundler: npm packages, wasm modules and their bindings.
pub(crate) fn prepare(node: &Node) -> Result<(), String> {
    setup::wasm_target()?;
    install_packages(node)?;
    let views = views()?;
    run(&mut build_of(&views)?)?;
    let generate = |view: &String| -> Task<'_> {
        let view = view.clone();
        Box::new(move || generate(&view))
    };
    run_parallel(views.iter().map(generate).collect())
}

fn web() -> PathBuf {
    root().join("apps/web")
}

/// Folder of intermediate files. Not the usual target folder: with other compiler flags, cargo would
/// rebuild the usual one each time.
fn build_folder() -> Result<PathBuf, String> {
    Ok(target_folder()?.join("web"))
}

/// Installs the packages of `package-lock.json`, unless they are installed.
fn install_packages(node: &Node) -> Result<(), String> {
    let wanted = fingerprint(&[&read(&web().join("package.json"))?, &lock_file()?]);
    let installed = web().join("node_modules/.embate-installed");
    if fs::read_to_string(&installed).is_ok_and(|have| have == wanted) {
        return Ok(());
    }
    // Packages may contain scripts that run on this machine; none of ours needs them.
    let arguments = ["ci", "--no-audit", "--no-fund", "--ignore-scripts"];
    run(node.npm().args(arguments).current_dir(web()))?;
    write(&installed, wanted.as_bytes())
}

/// Names of the views: the folders of `apps/web/wasm` that hold a crate. The crate of a view is
/// `embate-web-VIEW`.
fn views() -> Result<Vec<String>, String> {
    let folder = web().join("wasm");
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut views: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|view| view.join("Cargo.toml").is_file())
        .filter_map(|view| Some(view.file_name()?.to_str()?.to_owned()))
        .collect();
    if views.is_empty() {
        return Err(format!("{}: no view (a folder with a Cargo.toml)", folder.display()));
    }
    views.sort();
    Ok(views)
}

/// Builds every module that is tested.
pub(crate) fn modules() -> Result<(), String> {
    run(build_of(&views()?)?.arg("--lib").args(GOLDEN))
}

/// One cargo invocation for the modules of all views, which share the engine.
fn build_of(views: &[String]) -> Result<Command, String> {
    let mut command = wasm_build()?;
    for view in views {
        command.arg("--package").arg(format!("embate-web-{view}"));
    }
    Ok(command)
}

/// Builds the golden program with the flags of the page's engine, and runs it in Node.
pub(crate) fn golden(node: &Node) -> Result<(), String> {
    // All modules, although they are built: alone, the program would select other features and
    // rebuild its dependencies.
    modules()?;
    run_golden(node, &module_folder()?.join("golden.wasm"))
}

/// Folder of the compiled modules.
fn module_folder() -> Result<PathBuf, String> {
    Ok(build_folder()?.join(TARGET).join(PROFILE))
}

/// Runs a golden module in Node.
pub(crate) fn run_golden(node: &Node, module: &Path) -> Result<(), String> {
    let script = "const bytes = require('fs').readFileSync(process.argv[1]);
        WebAssembly.instantiate(bytes, {}).then(({ instance }) => {
            const list = instance.exports.main(0, 0);
            console.log(list ? `golden: list ${list} has other bits as WebAssembly` : 'golden: the same bits');
            process.exitCode = list;
        });";
    run(node.command("node").args(["-e", script]).arg(module))
}

/// A build for the browser, to which packages are added.
fn wasm_build() -> Result<Command, String> {
    let mut command = Command::new("cargo");
    command.args(["build", "--profile", PROFILE, "--locked", "--target", TARGET, "--target-dir"]);
    command.arg(build_folder()?);
    let mut flags = vec!["-Ctarget-feature=+simd128".to_owned()];
    // Panic messages contain source paths; folders of the build machine must not be in the page.
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = std::env::home_dir().map(|home| home.join(".cargo"));
    for (folder, name) in [(Some(root()), "embate"), (cargo_home.or(home), "cargo")] {
        if let Some(folder) = folder {
            flags.push(format!("--remap-path-prefix={}={name}", folder.display()));
        }
    }
    // Encoded, because the name of a folder may contain a space.
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    Ok(command)
}

/// Generates the JavaScript, the types and the module that the page imports.
fn generate(view: &str) -> Result<(), String> {
    let module = module_folder()?.join(format!("embate_web_{view}.wasm"));
    let generated = web().join("src/generated").join(view);
    let bindgen = root().join("xtask/bindgen");
    let mut parts = vec![read(&module)?];
    parts.push(read(&bindgen.join("Cargo.lock"))?);
    for file in page_folder::files(&bindgen.join("src"))? {
        parts.push(read(&bindgen.join("src").join(file))?);
    }
    let made_from = fingerprint(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let stamp = generated.join("made-from.txt");
    if fs::read_to_string(&stamp).is_ok_and(|have| have == made_from) {
        return Ok(());
    }

    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--locked", "--manifest-path", "xtask/bindgen/Cargo.toml"]);
    command.arg("--target-dir").arg(build_folder()?.join("bindgen")).arg("--");
    run(command.args([&module, &generated]))?;
    write(&stamp, made_from.as_bytes())
}

/// Checks the types and bundles the folder that is served.
fn bundle(node: &Node) -> Result<PathBuf, String> {
    let (made, page) = (build_folder()?.join("page"), web().join("dist"));
    let stamp = build_folder()?.join("page-made-from.txt");
    let made_from = fingerprint_of_sources()?;
    if !(made.is_dir() && fs::read_to_string(&stamp).is_ok_and(|have| have == made_from)) {
        // An interrupted build must not be taken for a complete one.
        let _ = fs::remove_file(&stamp);
        let mut build = node.npm();
        build.args(["run", "build", "--", "--emptyOutDir", "--outDir"]).arg(&made);
        run(build.current_dir(web()))?;
        write(&stamp, made_from.as_bytes())?;
    }
    page_folder::mirror(&made, &page)?;
    Ok(page)
}

/// Fingerprint of the bundler's input: sources, generated bindings, and settings of the tools.
fn fingerprint_of_sources() -> Result<String, String> {
    let mut files: Vec<PathBuf> = ["index.html", "package.json", "package-lock.json"]
        .into_iter()
        .chain(["tsconfig.json", "vite.config.ts"])
        .map(|file| web().join(file))
        .collect();
    for folder in ["src", "public"].map(|folder| web().join(folder)) {
        files.extend(page_folder::files(&folder)?.into_iter().map(|file| folder.join(file)));
    }
    let mut parts = Vec::new();
    for file in &files {
        parts.push(file.to_string_lossy().into_owned().into_bytes());
        parts.push(read(file)?);
    }
    Ok(fingerprint(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}

/// Unit tests of the page's TypeScript, in Node.
pub(crate) fn unit_tests(node: &Node, count: &mut Count) -> Result<(), String> {
    run_counting_tests(node.npm().args(["run", "unit"]).current_dir(web()), count)
}

/// The file of measurements among the tests of the page.
const SPEED_TESTS: &str = "speed.test.mjs";

/// Tests of the whole page in Chromium, without measurements. The page and its wasm modules are
/// those of a release; the debug build of `embate` that the Rust tests left behind serves them.
pub(crate) fn browser_tests(
    node: &Node,
    chromium: &Path,
    embate: &Path,
    count: &mut Count,
) -> Result<(), String> {
    let folder = web().join("tests");
    let mut tests = page_folder::files(&folder)?;
    // Listed file by file: versions of Node differ in their handling of a folder.
    tests.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    tests.retain(|file| file.as_os_str() != SPEED_TESTS);
    if tests.is_empty() {
        // Otherwise Node would search for tests elsewhere, or succeed with none.
        return Err(format!("{}: no tests of the page (*.test.mjs)", folder.display()));
    }
    // Each file has its own browser and mostly waits for it.
    let mut command = node.command("node");
    command.args(["--test", "--test-concurrency=2"]);
    command.args(tests.iter().map(|file| Path::new("tests").join(file)));
    run_counting_tests(in_browser(&mut command, chromium, embate), count)
}

/// Measurements of the page in Chromium; nothing else may run.
pub(crate) fn speed_tests(
    node: &Node,
    chromium: &Path,
    embate: &Path,
    count: &mut Count,
) -> Result<(), String> {
    let mut command = node.command("node");
    command.arg("--test").arg(Path::new("tests").join(SPEED_TESTS));
    run_counting_tests(in_browser(&mut command, chromium, embate), count)
}

pub(crate) fn screenshots(node: &Node, chromium: &Path, embate: &Path) -> Result<(), String> {
    let mut command = node.command("node");
    run(in_browser(command.arg("tests/screenshots.mjs"), chromium, embate))
}

/// Passes the paths of Chromium and `embate` to a script of the page.
fn in_browser<'c>(command: &'c mut Command, chromium: &Path, embate: &Path) -> &'c mut Command {
    command.env("EMBATE_CHROMIUM", chromium).env("EMBATE_BIN", embate).current_dir(web())
}

fn lock_file() -> Result<Vec<u8>, String> {
    read(&web().join("package-lock.json"))
}

fn fingerprint(parts: &[&[u8]]) -> String {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        hasher.write_usize(part.len());
        hasher.write(part);
    }
    format!("{:016x}\n", hasher.finish())
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(file, bytes).map_err(|error| format!("{}: {error}", file.display()))
}
