//! How does the page come to be?
//!
//! ```text
//! apps/web/VIEW (Rust) ──cargo, its profile──► module ──bindgen──► src/generated/VIEW ────────────┐
//!                                                       JavaScript, types; two modules if there is a first.mjs
//! apps/web/src (TypeScript) ──npm ci──tsc──vite──────────────────────────────────────────────────┴► dist
//! ```
//!
//! What did not change is not made again, and a file of `dist` is written only if it differs: a second
//! `cargo xtask lab` starts at once, and the program that holds the page is not compiled anew.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::counting::Count;
use crate::node::Node;
use crate::page_folder::read;
use crate::program::{Task, answer, counted, root, run, side_by_side, target_folder};
use crate::{page_folder, setup};

const TARGET: &str = "wasm32-unknown-unknown";

/// The program that asks the engine for the bits of its answers.
const GOLDEN: [&str; 4] = ["--package", "embate-contracts", "--bin", "golden"];

/// The Rust half of a view: a folder `apps/web/VIEW` that holds a crate.
#[derive(Debug)]
struct View {
    name: String,
    package: String,
    /// Under `[package.metadata.page]` in its manifest.
    profile: String,
}

/// Of what its manifest names none for.
const PROFILE: &str = "web";

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
        let told = |key: &str| {
            let value = text.split_once(&format!("\n{key} = \""))?.1.split_once('"')?.0;
            Some(value.to_owned())
        };
        let package = told("name").ok_or_else(|| format!("{}: no name", manifest.display()))?;
        let profile = told("profile").unwrap_or_else(|| PROFILE.to_owned());
        views.push(View { name: name.to_string_lossy().into_owned(), package, profile });
    }
    if views.is_empty() {
        return Err(format!("{}: no view (a folder with a Cargo.toml)", web().display()));
    }
    views.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(views)
}

fn compile(views: &[View]) -> Result<(), String> {
    view_builds(views)?.iter_mut().try_for_each(run)
}

/// Every module that is tested, those of a profile side by side.
pub(crate) fn modules() -> Result<(), String> {
    view_builds(&views()?)?.iter_mut().try_for_each(|build| run(build.arg("--lib").args(GOLDEN)))
}

/// One build a profile, each of all its views.
fn view_builds(views: &[View]) -> Result<Vec<Command>, String> {
    let profiles: BTreeSet<&str> = views.iter().map(|view| view.profile.as_str()).collect();
    let build = |profile| {
        let mut command = wasm_build(profile)?;
        for view in views.iter().filter(|view| view.profile == profile) {
            command.args(["--package", &view.package]);
        }
        Ok(command)
    };
    profiles.into_iter().map(build).collect()
}

/// Builds what asks the engine for the bits of its answers, as the page's engine is built, and lets Node run it.
pub(crate) fn golden(node: &Node) -> Result<(), String> {
    // All modules, though built before: asked for alone, this one would have other features and be built anew.
    modules()?;
    let profiles: BTreeSet<String> = views()?.into_iter().map(|view| view.profile).collect();
    let ask =
        |profile| ask_golden(node, &workshop()?.join(TARGET).join(profile).join("golden.wasm"));
    profiles.into_iter().try_for_each(ask)
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
fn wasm_build(profile: &str) -> Result<Command, String> {
    let mut command = Command::new("cargo");
    command.args(["build", "--profile", profile, "--locked", "--target", TARGET, "--target-dir"]);
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

/// Makes JavaScript, types and the module, or the two, that the page imports.
fn generate(view: &View, node: &Node) -> Result<(), String> {
    let workshop = workshop()?;
    let stem = view.package.replace('-', "_");
    let module = workshop.join(TARGET).join(&view.profile).join(format!("{stem}.wasm"));
    let generated = web().join("src/generated").join(&view.name);
    let bindgen = root().join("xtask/bindgen");
    let first = web().join(&view.name).join("first.mjs");
    let mut parts = vec![read(&module)?];
    parts.push(read(&bindgen.join("Cargo.lock"))?);
    for file in page_folder::files(&bindgen.join("src"))? {
        parts.push(read(&bindgen.join("src").join(file))?);
    }
    if first.is_file() {
        parts.push(read(&first)?);
    }
    let made_from = fingerprint(&parts.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let stamp = generated.join("made-from.txt");
    if fs::read_to_string(&stamp).is_ok_and(|have| have == made_from) {
        return Ok(());
    }

    run(bindgen_command()?.args([&module, &generated]))?;
    if first.is_file() {
        split(node, &first, &generated, &stem)?;
    }
    write(&stamp, made_from.as_bytes())
}

/// Makes two modules of one: what `first` runs, which is fetched with the view, and the rest, fetched when it is missed.
fn split(node: &Node, first: &Path, generated: &Path, stem: &str) -> Result<(), String> {
    let module = generated.join(format!("{stem}_bg.wasm"));
    let marked = workshop()?.join(format!("{stem}-marked.wasm"));
    let ran = workshop()?.join(format!("{stem}-ran.txt"));
    run(bindgen_command()?.arg("mark").args([&module, &marked]))?;
    let told = |module: &Path| {
        let mut runs = node.command("node");
        runs.arg(first).arg(generated.join(format!("{stem}.js"))).arg(module);
        // What goes wrong there is told there.
        answer(runs.stderr(std::process::Stdio::inherit()))
            .ok_or_else(|| format!("`node {}` failed", first.display()))
    };
    let whole = told(&marked)?;
    let (state, places) = whole.split_once('\n').unwrap_or((&whole, ""));
    write(&ran, places.as_bytes())?;
    run(bindgen_command()?.arg("split").arg(generated).arg(stem).arg(&ran))?;
    let alone = told(&module)?;
    if alone.trim() != state.trim() {
        return Err(format!(
            "{}: the first part comes to {alone}, the whole to {state}",
            module.display()
        ));
    }
    Ok(())
}

/// `embate-bindgen`, to which its arguments are added.
fn bindgen_command() -> Result<Command, String> {
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "--locked", "--manifest-path", "xtask/bindgen/Cargo.toml"]);
    command.arg("--target-dir").arg(workshop()?.join("bindgen")).arg("--");
    Ok(command)
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
