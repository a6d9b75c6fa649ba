//! `embate lab`: serves the page to browsers on this machine.
//!
//! ```text
//! bytes of a connection ──request.rs──► Request ──answer.rs──► Answer ──server.rs──► bytes
//!                          or a refusal             a row of page.rs's fixed table
//! ```

mod answer;
mod page;
mod request;
mod server;

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};

use crate::args::LabRequest;
use crate::failure::{Failure, print, remark};
use page::Page;

pub(crate) fn run(request: &LabRequest) -> Result<(), Failure> {
    let page = match &request.page {
        Some(folder) => Page::of_folder(folder)?,
        None => Page::built_in()?,
    };
    let listener = listen(request.port)?;
    let port = listener.local_addr().map_err(Failure::problem)?.port();
    // A browser may be slow to start; signals must find us ready before anybody is told the address.
    ctrlc::set_handler(stop).map_err(Failure::problem)?;
    let address = format!("http://{}:{port}/", Ipv4Addr::LOCALHOST);
    print(&format!("{address}\n"))?;
    remark("embate: serving the lab to this machine alone; Ctrl-C stops it");
    if !request.no_open && has_display() && open::that_detached(&address).is_err() {
        remark("embate: found no browser to open; please open the address above in one");
    }
    server::serve(&listener, &page)
}

/// On the loopback address alone: nobody else on the network can connect.
fn listen(port: u16) -> Result<TcpListener, Failure> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        let why = match error.kind() {
            ErrorKind::AddrInUse => "is taken by another program".to_owned(),
            ErrorKind::PermissionDenied => "may not be used by you".to_owned(),
            _ => format!("cannot be used ({error})"),
        };
        Failure::Problem(format!(
            "port {port} {why}; choose one with --port N, --port 0 takes a free one"
        ))
    })
}

/// Runs on Ctrl-C and SIGTERM. Answers under way are cut off: the page is fetched in a moment.
fn stop() {
    remark("embate: stopped");
    std::process::exit(0);
}

/// Is there a screen that a browser could show? `BROWSER` names one that needs none, or is elsewhere.
fn has_display() -> bool {
    let named = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].into_iter().any(named)
}
