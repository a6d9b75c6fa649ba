//! Benchmarks of Embate against other libraries (peers), with the same inputs in one interleaved
//! run: `cargo xtask bench [rays|auto|growth|pairs|contacts|motion]`.
//!
//! | folder | benchmarks |
//! |---|---|
//! | `rays` | `rays`: ray casting; `auto`: choice of the structure; `growth`: scaling with size |
//! | `broad_phase` | `pairs`: overlapping pairs of moving boxes |
//! | `contacts` | `contacts`: contact manifolds, closest points, time of impact |
//! | `dynamics` | `motion`: piles and stacks of rigid bodies |
//! | `harness` | options, timing, tables and summaries of all |

mod broad_phase;
mod contacts;
mod dynamics;
mod harness;
mod rays;

use harness::options::parse_single;
use harness::table::Table;
use rays::{auto, growth};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, rest) =
        arguments.split_first().map_or(("pairs", &[][..]), |(first, rest)| (first.as_str(), rest));
    let table = match name {
        "pairs" => {
            let options = or_exit(broad_phase::Options::parse(rest), broad_phase::HELP);
            let mut table = Table::create_for(name, options.is_complete())?;
            broad_phase::run(&mut table, &options);
            table
        }
        "contacts" => {
            let options = or_exit(contacts::Options::parse(rest), contacts::HELP);
            let mut table = Table::create_for(name, options.is_complete())?;
            contacts::run(&mut table, &options);
            table
        }
        "motion" => {
            let options = or_exit(dynamics::Options::parse(rest), dynamics::HELP);
            let name = format!("motion-{}", options.threads);
            let mut table = Table::create_for(&name, options.is_complete())?;
            dynamics::run(&mut table, &options);
            table
        }
        "rays" => {
            let options = or_exit(rays::Options::parse(rest), rays::HELP);
            let mut table = Table::create_for(name, options.is_complete())?;
            rays::run(&mut table, &options);
            if options.is_complete() {
                auto::run(&mut Table::create("rays-auto")?, auto::SCENES);
                growth::run(&mut Table::create("rays-growth")?, growth::MAX_TRIANGLES)?;
            }
            table
        }
        "auto" => {
            let scenes = or_exit(parse_single(rest, "--scenes"), auto::HELP);
            let mut table = Table::create_for("rays-auto", scenes.is_none())?;
            auto::run(&mut table, scenes.unwrap_or(auto::SCENES));
            table
        }
        "growth" => {
            let max = or_exit(parse_single(rest, "--most"), growth::HELP);
            let mut table = Table::create_for("rays-growth", max.is_none())?;
            growth::run(&mut table, max.unwrap_or(growth::MAX_TRIANGLES))?;
            table
        }
        _ => exit(&format!(
            "there is no `{name}`; give one of: rays, auto, growth, pairs, contacts, motion"
        )),
    };
    eprintln!("results: {}", table.path().display());
    Ok(())
}

/// The options, or exits with the error and the help text.
fn or_exit<T>(options: Result<T, String>, help: &str) -> T {
    options.unwrap_or_else(|problem| exit(&format!("{problem}\n{help}")))
}

fn exit(problem: &str) -> ! {
    eprintln!("bench: {problem}");
    std::process::exit(2)
}
