//! `embate lab`: HTTP server for the web page, on the loopback address.
//!
//! ```text
//! bytes of a connection ──request.rs──► Request ──response.rs──► Response ──server.rs──► bytes
//!                         or a Rejection         a file of the fixed table of page.rs
//! ```

mod page;
mod request;
mod response;
mod server;

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

use clap::Args;

use crate::failure::Failure;
use crate::io::output::{log, print};
use page::Page;

#[derive(Debug, Args)]
pub(crate) struct LabRequest {
    /// Port on the loopback address; 0 chooses a free one
    // On a telephone keypad 362 spells "emb".
    #[arg(long, value_name = "N", default_value_t = 8362, value_parser = port,
          allow_negative_numbers = true)]
    pub(crate) port: u16,
    /// Do not open a browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Serve the page in this folder, built by `cargo xtask web --out DIR`, instead of the embedded
    /// one
    #[arg(long, value_name = "DIR")]
    pub(crate) page: Option<PathBuf>,
}

fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "give a port from 0 to 65535; 0 chooses a free one".to_owned())
}

pub(crate) fn run(request: &LabRequest) -> Result<(), Failure> {
    let page = match &request.page {
        Some(folder) => Page::from_folder(folder)?,
        None => Page::built_in()?,
    };
    let listener = listen(request.port)?;
    let port = listener.local_addr().map_err(Failure::problem)?.port();
    // Signals are handled before the address is printed.
    ctrlc::set_handler(stop).map_err(Failure::problem)?;
    let address = format!("http://{}:{port}/", Ipv4Addr::LOCALHOST);
    print(&format!("{address}\n"))?;
    log("embate: serving the lab on the loopback address only; press Ctrl-C to stop");
    if !request.no_open && has_display() && open::that_detached(&address).is_err() {
        log("embate: no browser found; open the address above in a browser");
    }
    server::serve(&listener, &page)
}

/// Binds to the loopback address, which other machines cannot reach.
fn listen(port: u16) -> Result<TcpListener, Failure> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        let why = match error.kind() {
            ErrorKind::AddrInUse => "is in use by another program".to_owned(),
            ErrorKind::PermissionDenied => "requires privileges you do not have".to_owned(),
            _ => format!("cannot be used ({error})"),
        };
        Failure::Problem(format!(
            "port {port} {why}; choose another with --port N, or --port 0 for a free one"
        ))
    })
}

/// Handler of Ctrl-C and SIGTERM. Unfinished responses are cut off.
fn stop() {
    log("embate: stopped");
    std::process::exit(0);
}

/// Whether a browser can be opened: a display is set, or `BROWSER`, which may not need one.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].into_iter().any(is_set)
}
