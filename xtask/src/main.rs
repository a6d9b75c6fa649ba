//! The project's own commands. `cargo xtask test` and `cargo xtask lab` are all a newcomer needs:
//! what a step requires and does not find, it installs, or names the command that would.

mod counting;
mod embree;
mod golden;
mod node;
mod page;
mod page_folder;
mod program;
mod setup;
mod steps;
mod versions;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask lab [ARGS]       set up and build everything, then serve the page; ARGS as of `embate lab`
cargo xtask test             set up, check and test everything; ends with a count of the tests
cargo xtask web [--out DIR]  the page as a folder for any web server
cargo xtask soak [rays|pairs|contacts|motion|golden|features]
                             the full-size checks that `test` runs a part of; golden: the same bits
                             however the engine is built; features: each Cargo feature alone
cargo xtask bench [rays|auto|growth|pairs|contacts|motion]
                             Embate beside its peers; raw figures go to bench/runs; auto: is the structure
                             that is chosen for rays the fastest?; growth: rays on 10^3 to 10^7 triangles
                             (`bench rays` ends with both); parts of it by
                             `bench rays -- --mesh bunny --peer embree,octree --rays 50000`,
                             `bench pairs -- --scene 3d --peer parry,rapier --most 100000 --frames 5`,
                             `bench contacts -- --kind hull --state deep --repeats 5`,
                             `bench motion -- --scene boxes --threads 2`
cargo xtask screenshots      the pictures of the page in docs/, taken anew";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        ["test"] => steps::test(),
        ["lab", rest @ ..] => steps::lab(rest),
        ["web"] => steps::web(None),
        ["web", "--out", out] => steps::web(Some(out)),
        ["screenshots"] => steps::screenshots(),
        ["bench"] => steps::bench("pairs", &[]),
        [
            "bench",
            which @ ("rays" | "auto" | "growth" | "pairs" | "contacts" | "motion"),
            filters @ ..,
        ] => steps::bench(which, filters),
        ["soak"] => steps::soak("all")
            .and_then(|()| golden::everywhere())
            .and_then(|()| steps::soak_features()),
        ["soak", "features"] => steps::soak_features(),
        ["soak", "golden"] => golden::everywhere(),
        ["soak", which @ ("rays" | "pairs" | "contacts" | "motion" | "all")] => steps::soak(which),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("xtask: cannot `{}`; there are:\n{HELP}", arguments.join(" "));
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}
