//! The commands of README and `docs/guide`: every line of a `sh` block runs, or is listed in
//! [`NOT_RUN_HERE`] with the place where it does.
//!
//! Each page runs in a folder of its own, with a copy of `examples` and the files that the page
//! contains: a block with the info string `csv boxes.csv` is the file `boxes.csv`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Beginnings of commands that this test does not run, each with the place where CI runs it.
const NOT_RUN_HERE: [(&str, &str); 8] = [
    ("cargo xtask lab", "`cargo xtask test` builds the page; tests/lab.rs serves it"),
    ("cargo xtask test", "CI itself"),
    ("cd ", "into the new crate"),
    ("cargo new ", "Cargo's own; the code below it is a doc test of `embate`"),
    ("cargo add --path ", "Cargo's own; this workspace depends on the crate in the same way"),
    ("cargo install --path apps/cli", "every CI job builds this program"),
    ("cargo run -p embate --example ", "`cargo xtask test` runs every example"),
    ("embate lab", "tests/lab.rs"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A fenced code block: its info string, the line of its first line of text, and the text.
struct Block<'a> {
    info: &'a str,
    line: usize,
    text: Vec<&'a str>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut is_open = false;
    for (index, line) in page.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(_) if is_open => is_open = false,
            Some(info) => {
                is_open = true;
                blocks.push(Block { info: info.trim(), line: index + 2, text: Vec::new() });
            }
            None if is_open => blocks.last_mut().unwrap().text.push(line),
            None => {}
        }
    }
    assert!(!is_open, "a code block has no end");
    blocks
}

/// Words of a command, as a shell separates them. Only single quotes and comments are supported, so
/// that every shell reads the line the same way.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    for character in line.chars() {
        match character {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            _ if is_quoted => word.get_or_insert_default().push(character),
            ' ' => words.extend(word.take()),
            '#' if word.is_none() => break,
            _ => {
                assert!(!"\"\\$`|&;<>*?(){}".contains(character), "`{character}` in `{line}`");
                word.get_or_insert_default().push(character);
            }
        }
    }
    assert!(!is_quoted, "a quote has no end in `{line}`");
    words.extend(word);
    words
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Runs all commands of a page, in order. Returns how many.
fn run_page(name: &str) -> usize {
    let page = fs::read_to_string(root().join(name)).unwrap();
    let folder = TempDir::new().unwrap();
    copy_folder(&root().join("examples"), &folder.path().join("examples"));
    let mut count = 0;
    for block in blocks(&page) {
        if let Some((_, file)) = block.info.split_once(' ') {
            fs::write(folder.path().join(file), block.text.join("\n") + "\n").unwrap();
        }
        if block.info != "sh" {
            continue;
        }
        for (index, line) in block.text.iter().enumerate() {
            let place = format!("{name}, line {}: `{line}`", block.line + index);
            if NOT_RUN_HERE.iter().any(|(beginning, _)| line.starts_with(beginning)) {
                continue;
            }
            let words = words(line);
            let Some((program, arguments)) = words.split_first() else { continue };
            assert_eq!(program, "embate", "{place} is not run, and not listed in NOT_RUN_HERE");
            let mut command = Command::new(env!("CARGO_BIN_EXE_embate"));
            let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{place}: {error}");
            count += 1;
        }
    }
    count
}

/// One test per page with its number of commands, so that a failure names the page, pages run in
/// parallel, and no command is overlooked.
macro_rules! pages {
    ($($test:ident: $page:literal, $commands:literal;)*) => {
        const PAGES: &[&str] = &[$($page),*];
        $(
            #[test]
            fn $test() {
                assert_eq!(run_page($page), $commands, "commands in {}", $page);
            }
        )*
    };
}

pages! {
    commands_of_readme_succeed: "README.md", 3;
    commands_of_readme_pt_br_succeed: "README.pt-BR.md", 3;
    commands_of_getting_started_succeed: "docs/guide/getting-started.md", 5;
    commands_of_getting_started_pt_br_succeed: "docs/guide/getting-started.pt-BR.md", 5;
    commands_of_rays_and_meshes_succeed: "docs/guide/rays-and-meshes.md", 11;
    commands_of_broad_phase_succeed: "docs/guide/broad-phase.md", 6;
    commands_of_contacts_and_distance_succeed: "docs/guide/contacts-and-distance.md", 3;
    commands_of_dynamics_succeed: "docs/guide/dynamics.md", 0;
    commands_of_scenes_succeed: "docs/guide/scenes.md", 9;
    commands_of_studies_succeed: "docs/guide/studies.md", 4;
    commands_of_determinism_succeed: "docs/guide/determinism.md", 2;
    commands_of_choosing_a_structure_succeed: "docs/guide/choosing-a-structure.md", 4;
    commands_of_from_other_engines_succeed: "docs/guide/from-other-engines.md", 0;
}

#[test]
fn every_page_of_the_guide_is_listed_here_and_as_a_doc_test() {
    let library = fs::read_to_string(root().join("crates/embate/src/lib.rs")).unwrap();
    for entry in fs::read_dir(root().join("docs/guide")).unwrap() {
        let page = format!("docs/guide/{}", entry.unwrap().file_name().to_str().unwrap());
        assert!(PAGES.contains(&page.as_str()), "{page} is not in `pages!`");
        assert!(library.contains(&page), "{page} is not included in crates/embate/src/lib.rs");
    }
}

#[test]
fn commands_are_split_into_words_like_in_a_shell() {
    let line = "embate contact '{\"a\": [1, 2]}' b --json   # a comment";
    assert_eq!(words(line), ["embate", "contact", "{\"a\": [1, 2]}", "b", "--json"]);
    assert!(words("# a comment").is_empty() && words("").is_empty());
    let page = "text\n```csv a.csv\nx\n```\n```sh\nembate help\n```\n";
    let found: Vec<_> = blocks(page).iter().map(|block| (block.info, block.line)).collect();
    assert_eq!(found, [("csv a.csv", 3), ("sh", 6)]);
}
