//! Build and test commands of the project. A missing tool is installed, or the error names the
//! command that installs it. Start with `cargo xtask test` and `cargo xtask lab`.

mod builds;
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
cargo xtask lab [ARGS]       build everything and serve the page; ARGS are those of `embate lab`
cargo xtask test             lint and test everything; prints the number of tests
cargo xtask web [--out DIR]  build the page as a folder for any web server
cargo xtask soak [rays|pairs|contacts|motion|golden|features|builds]
                             full-size versions of the checks in `test`; golden: identical results
                             in every build configuration; features: each Cargo feature alone;
                             builds: the ratio of Lorenzi 2014 with SSE2, AVX2, unoptimized and as
                             WebAssembly (not part of `soak` without a name)
cargo xtask bench [rays|auto|growth|pairs|contacts|motion]
                             benchmarks against other libraries; tables are written to bench/runs;
                             auto: does `auto` choose the fastest structure for rays?; growth: rays
                             on 10^3 to 10^7 triangles (`bench rays` runs both at its end); subsets:
                             `bench rays -- --mesh bunny --peer embree,octree --rays 50000`,
                             `bench pairs -- --scene 3d --peer parry --most 100000 --frames 5`,
                             `bench contacts -- --kind hull --state deep --repeats 5`,
                             `bench motion -- --scene boxes --threads 2`
cargo xtask screenshots      take the screenshots of the page in docs/ again
Missing tools are installed, or the error names the command that installs them.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["test"] => steps::test(),
        ["lab", "--help" | "-h"] => {
            println!(
                "usage: cargo xtask lab [--port N] [--no-open]\n\nBuilds the page and serves it on \
                 the loopback address until Ctrl-C. Port 0 selects a free one."
            );
            return ExitCode::SUCCESS;
        }
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
            .and_then(|()| golden::all_builds())
            .and_then(|()| steps::soak_features()),
        ["soak", "features"] => steps::soak_features(),
        ["soak", "builds"] => builds::compare(),
        ["soak", "golden"] => golden::all_builds(),
        ["soak", which @ ("rays" | "pairs" | "contacts" | "motion" | "all")] => steps::soak(which),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("xtask: unknown command `{}`; usage:\n{HELP}", arguments.join(" "));
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}
