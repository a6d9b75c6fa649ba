//! How does the page come to be?
//!
//! ```text
//! apps/web/VIEW (Rust) ──cargo, profile web──► module ──bindgen──► src/generated/VIEW ──wasm-opt──┐
//!                                                       JavaScript, types                        │
//! apps/web/src (TypeScript) ──npm ci──tsc──vite──────────────────────────────────────────────────┴► dist
//! ```
//!
//! What did not change is not made again, and a file of `dist` is written only if it differs: a second
//! `cargo xtask lab` starts at once, and the program that holds the page is not compiled anew.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::counting::Count;
use crate::node::Node;
use crate::page_folder::read;
use crate::program::{Task, counted, root, run, side_by_side, target_folder};
use crate::{page_folder, setup};

const TARGET: &str = "wasm32-unknown-unknown";

/// The program that asks the engine for the bits of its answers.
const GOLDEN: [&str; 4] = ["--package", "embate-contracts", "--bin", "golden"];

/// What rustc emits for wasm besides plain instructions; wasm-opt refuses what it is not told of.
const WASM_OPT: [&str; 11] = [
    "-O3",
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-call-indirect-overlong",
    "--strip-producers",
];

/// The Rust half of a view: a folder `apps/web/VIEW` that holds a crate.
#[derive(Debug)]
struct View {
    name: String,
    package: String,
}

/// Builds the page and returns its folder.
pub(crate) fn build(node: &Node) -> Result<PathBuf, String> {
    prepare(node)?;
    bundle(node)
}

/// Makes all that the page is bundled from.
pub(crate) fn prepare(node: &Node) -> Result<(), String> {
    setup::wasm_target()?;
    install_packages(node)?;
    let views = views()?;
    compile(&views)?;
    // Side by side, as wasm-opt keeps one processor busy.
    let generate = |view| -> Task<'_> { Box::new(move || generate(view, node)) };
    side_by_side(views.iter().map(generate).collect())
}

fn web() -> PathBuf {
    root().join("apps/web")
}

/// Where all that is made on the way lies. Not the usual target folder: other flags of the compiler
/// would make cargo build the usual one anew each time.
fn workshop() -> Result<PathBuf, String> {
    Ok(target_folder()?.join("web"))
}

/// Brings what `package-lock.json` names, unless it was brought before.
fn install_packages(node: &Node) -> Result<(), String> {
    let wanted = fingerprint(&[&read(&web().join("package.json"))?, &lock_file()?]);
    let installed = web().join("node_modules/.embate-installed");
    if fs::read_to_string(&installed).is_ok_and(|have| have == wanted) {
        return Ok(());
    }
    // Packages may bring scripts that run on this machine; none of ours needs to.
    let arguments = ["ci", "--no-audit", "--no-fund", "--ignore-scripts"];
    run(node.npm().args(arguments).current_dir(web()))?;
    write(&installed, wanted.as_bytes())
}

fn views() -> Result<Vec<View>, String> {
    let entries = fs::read_dir(web()).map_err(|error| format!("{}: {error}", web().display()))?;
    let mut views = Vec::new();
    for folder in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let manifest = folder.join("Cargo.toml");
        let (Ok(text), Some(name)) = (fs::read_to_string(&manifest), folder.file_name()) else {
            continue;
        };
        let package = text.split_once("name = \"").and_then(|(_, rest)| rest.split_once('"'));
        let (package, _) = package.ok_or_else(|| format!("{}: no name", manifest.display()))?;
        views.push(View { name: name.to_string_lossy().into_owned(), package: package.to_owned() });
    }
    if views.is_empty() {
        return Err(format!("{}: no view (a folder with a Cargo.toml)", web().display()));
    }
    views.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(views)
}

fn compile(views: &[View]) -> Result<(), String> {
    run(&mut view_build(views)?)
}

/// Every module that is tested, built side by side: each ends in a minute of linking on one processor.
pub(crate) fn modules() -> Result<(), String> {
    run(view_build(&views()?)?.args(["--lib"]).args(GOLDEN))
}

fn view_build(views: &[View]) -> Result<Command, String> {
    let mut command = wasm_build()?;
    for view in views {
        command.args(["--package", &view.package]);
    }
    Ok(command)
}

/// Builds what asks the engine for the bits of its answers, as the page's engine is built, and lets Node run it.
pub(crate) fn golden(node: &Node) -> Result<(), String> {
    // All modules, though built before: asked for alone, this one would have other features and be built anew.
    modules()?;
    ask_golden(node, &workshop()?.join(TARGET).join("web").join("golden.wasm"))
}

/// Lets Node run a module that compares the bits of all answers.
pub(crate) fn ask_golden(node: &Node, module: &Path) -> Result<(), String> {
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
    command.args(["build", "--profile", "web", "--locked", "--target", TARGET, "--target-dir"]);
    command.arg(workshop()?);
    let mut flags = vec!["-Ctarget-feature=+simd128".to_owned()];
    // Messages of a panic name source files; nobody's folders belong into a page.
    let cargo_home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = std::env::home_dir().map(|home| home.join(".cargo"));
    for (folder, name) in [(Some(root()), "embate"), (cargo_home.or(home), "cargo")] {
        if let Some(folder) = folder {
            flags.push(format!("--remap-path-prefix={}={name}", folder.display()));
        }
    }
    // Encoded, because a folder's name may hold a space.
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    Ok(command)
}

/// Makes JavaScript, types and the smaller, faster module that the page imports.
fn generate(view: &View, node: &Node) -> Result<(), String> {
    let workshop = workshop()?;
    let stem = view.package.replace('-', "_");
    let module = workshop.join(TARGET).join("web").join(format!("{stem}.wasm"));
    let generated = web().join("src/generated").join(&view.name);
    let bindgen = root().join("xtask/bindgen");
    let made_from = fingerprint(&[
        &read(&module)?,
        &read(&bindgen.join("Cargo.lock"))?,
        &read(&bindgen.join("src/main.rs"))?,
        &lock_file()?,
        WASM_OPT.join(" ").as_bytes(),
    ]);
    let stamp = generated.join("made-from.txt");
    if fs::read_to_string(&stamp).is_ok_and(|have| have == made_from) {
        return Ok(());
    }

    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--locked", "--manifest-path"]);
    command.arg(bindgen.join("Cargo.toml")).arg("--target-dir").arg(workshop.join("bindgen"));
    run(command.arg("--").args([&module, &generated]))?;

    let optimised = generated.join(format!("{stem}_bg.wasm"));
    let mut wasm_opt = node.command("node");
    wasm_opt.arg(web().join("node_modules/binaryen/bin/wasm-opt")).args(WASM_OPT);
    run(wasm_opt.arg(&optimised).arg("-o").arg(&optimised))?;
    write(&stamp, made_from.as_bytes())
}

/// Checks the types and makes the folder that is served.
fn bundle(node: &Node) -> Result<PathBuf, String> {
    let (made, page) = (workshop()?.join("page"), web().join("dist"));
    let stamp = workshop()?.join("page-made-from.txt");
    let made_from = fingerprint_of_sources()?;
    if !(made.is_dir() && fs::read_to_string(&stamp).is_ok_and(|have| have == made_from)) {
        // One that is interrupted half-way must not pass for whole.
        let _ = fs::remove_file(&stamp);
        let mut build = node.npm();
        build.args(["run", "build", "--", "--emptyOutDir", "--outDir"]).arg(&made);
        run(build.current_dir(web()))?;
        write(&stamp, made_from.as_bytes())?;
    }
    page_folder::mirror(&made, &page)?;
    Ok(page)
}

/// Of all that `bundle` reads: the page's own files, what was generated, and the tools' settings.
fn fingerprint_of_sources() -> Result<String, String> {
    let mut files: Vec<PathBuf> = ["index.html", "package.json", "package-lock.json"]
        .into_iter()
        .chain(["tsconfig.json", "vite.config.ts"])
        .map(|file| web().join(file))
        .collect();
    for folder in [web().join("src"), web().join("public")] {
        files.extend(page_folder::files(&folder)?.into_iter().map(|file| folder.join(file)));
    }
    let mut parts = Vec::new();
    for file in &files {
        parts.push(file.to_string_lossy().into_owned().into_bytes());
        parts.push(read(file)?);
    }
    Ok(fingerprint(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>()))
}

/// Tests of the page's parts, in Node alone.
pub(crate) fn unit_tests(node: &Node, count: &mut Count) -> Result<(), String> {
    counted(node.npm().args(["run", "unit"]).current_dir(web()), count)
}

/// Tests of the whole page, served by `embate` to Chromium.
pub(crate) fn browser_tests(
    node: &Node,
    chromium: &Path,
    embate: &Path,
    count: &mut Count,
) -> Result<(), String> {
    let folder = web().join("tests");
    let mut tests = page_folder::files(&folder)?;
    // Named one by one: versions of Node differ in what a folder means.
    tests.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    // Each file has a browser of its own and much of its time waits for it. What measures is alone.
    let (speed, rest): (Vec<_>, Vec<_>) =
        tests.into_iter().partition(|file| file.as_os_str() == "speed.test.mjs");
    let mut together = |tests: &[PathBuf], at_once: &str| {
        if tests.is_empty() {
            // Otherwise Node would look for tests elsewhere, or find none and be content.
            return Err(format!("{}: no tests of the page (*.test.mjs)", folder.display()));
        }
        let mut command = node.command("node");
        command.arg("--test").arg(format!("--test-concurrency={at_once}"));
        command.args(tests.iter().map(|file| Path::new("tests").join(file)));
        counted(in_browser(&mut command, chromium, embate), count)
    };
    together(&rest, "2").and(together(&speed, "1"))
}

pub(crate) fn screenshots(node: &Node, chromium: &Path, embate: &Path) -> Result<(), String> {
    let mut command = node.command("node");
    run(in_browser(command.arg("tests/screenshots.mjs"), chromium, embate))
}

/// Tells scripts of the page where the two programs are that they start.
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
