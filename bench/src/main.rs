//! `cargo xtask bench pairs`: Embate beside its peers, on the same work, in one interleaved run.

mod pairs;
mod peers;
mod scenes;
mod table;

fn main() -> std::io::Result<()> {
    let which = std::env::args().nth(1).unwrap_or_else(|| "pairs".to_owned());
    if which != "pairs" {
        eprintln!("bench: there is no `{which}`; there is: pairs");
        std::process::exit(2);
    }
    let mut table = table::Table::begin(&which)?;
    pairs::run(&mut table);
    eprintln!("figures: {}", table.path().display());
    Ok(())
}
