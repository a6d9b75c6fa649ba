//! `cargo xtask bench pairs`: Embate beside its peers, on the same work, in one interleaved run.

mod measure;
mod options;
mod pairs;
mod peers;
mod scenes;
mod table;
mod verdict;

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (which, rest) =
        words.split_first().map_or(("pairs", &[][..]), |(first, rest)| (first.as_str(), rest));
    if which != "pairs" {
        refuse(&format!("there is no `{which}`; there is: pairs"));
    }
    let options = options::Options::read(rest)
        .unwrap_or_else(|problem| refuse(&format!("{problem}\n{}", options::HELP)));
    // A part of the figures must not take the place of the whole.
    let name = if options.is_whole() { which.to_owned() } else { format!("{which}-part") };
    let mut table = table::Table::begin(&name)?;
    pairs::run(&mut table, &options);
    eprintln!("figures: {}", table.path().display());
    Ok(())
}

fn refuse(problem: &str) -> ! {
    eprintln!("bench: {problem}");
    std::process::exit(2)
}
