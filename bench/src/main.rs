//! `cargo xtask bench [rays|auto|growth|pairs|contacts|motion]`: Embate beside its peers, on the same work, in one interleaved run.

mod auto;
mod contacts;
mod growth;
mod measure;
mod motion;
mod options;
mod pairs;
mod peers;
mod rays;
mod scenes;
mod table;
mod verdict;

use table::Table;

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (which, rest) =
        words.split_first().map_or(("pairs", &[][..]), |(first, rest)| (first.as_str(), rest));
    let table = match which {
        "pairs" => {
            let options = read(options::Options::read(rest), options::HELP);
            let mut table = begin(which, options.is_whole())?;
            pairs::run(&mut table, &options);
            table
        }
        "contacts" => {
            let options = read(contacts::Options::read(rest), contacts::HELP);
            let mut table = begin(which, options.is_whole())?;
            contacts::run(&mut table, &options);
            table
        }
        "motion" => {
            let options = read(motion::Options::read(rest), motion::HELP);
            let name = format!("motion-{}", options.threads);
            let mut table = begin(&name, options.is_whole())?;
            motion::run(&mut table, &options);
            table
        }
        "rays" => {
            let options = read(rays::Options::read(rest), rays::HELP);
            let mut table = begin(which, options.is_whole())?;
            rays::run(&mut table, &options);
            if options.is_whole() {
                auto::run(&mut Table::begin("rays-auto")?, auto::SCENES);
                growth::run(&mut Table::begin("rays-growth")?, growth::MOST)?;
            }
            table
        }
        "auto" => {
            let scenes = read(number(rest, "--scenes"), auto::HELP);
            let mut table = begin("rays-auto", scenes.is_none())?;
            auto::run(&mut table, scenes.unwrap_or(auto::SCENES));
            table
        }
        "growth" => {
            let most = read(number(rest, "--most"), growth::HELP);
            let mut table = begin("rays-growth", most.is_none())?;
            growth::run(&mut table, most.unwrap_or(growth::MOST))?;
            table
        }
        _ => refuse(&format!(
            "there is no `{which}`; there are: rays, auto, growth, pairs, contacts, motion"
        )),
    };
    eprintln!("figures: {}", table.path().display());
    Ok(())
}

/// A part of the figures must not take the place of the whole.
fn begin(which: &str, whole: bool) -> std::io::Result<Table> {
    Table::begin(&if whole { which.to_owned() } else { format!("{which}-part") })
}

fn read<T>(options: Result<T, String>, help: &str) -> T {
    options.unwrap_or_else(|problem| refuse(&format!("{problem}\n{help}")))
}

/// The one option that a small benchmark has.
fn number(words: &[String], option: &str) -> Result<Option<u32>, String> {
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "--").collect();
    match *words.as_slice() {
        [] => Ok(None),
        [word, value] if word == option => match value.replace('_', "").parse() {
            Ok(number) if number > 0 => Ok(Some(number)),
            _ => Err(format!("{option} takes a number above 0, not {value}")),
        },
        _ => Err(format!("there is only {option} N")),
    }
}

fn refuse(problem: &str) -> ! {
    eprintln!("bench: {problem}");
    std::process::exit(2)
}
