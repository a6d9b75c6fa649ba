//! What is sent back?

use std::fmt::Write;

use super::page::{Page, PageFile};
use super::request::{Refusal, Request};

/// What a browser may do with anything of ours: run our own scripts and modules, fetch from us, and
/// nothing else. Nobody may frame the page, and it may send nothing anywhere.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; font-src 'self'; \
     manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Sent with every answer. The opener and embedder policies also sharpen the page's clock, which
/// times the collision phase, from 0.1 ms to 0.005 ms.
const ALWAYS: [(&str, &str); 7] = [
    ("Content-Security-Policy", POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    // One answer a connection: nobody can hold one open, and the few files of the page do not mind.
    ("Connection", "close"),
];

const PLAIN: &str = "text/plain; charset=utf-8";

/// The bytes of an answer.
#[derive(Debug)]
pub(crate) struct Answer<'p> {
    pub(crate) head: String,
    pub(crate) body: &'p [u8],
}

pub(crate) fn answer<'p>(page: &'p Page, asked: &Result<Request, Refusal>) -> Answer<'p> {
    match asked {
        Ok(request) => match page.file(&request.path) {
            Some(file) => found(file, request),
            None => say("404 Not Found", "The page has no such file.\n", request.head_only, &[]),
        },
        Err(refusal) => refused(*refusal),
    }
}

fn found<'p>(file: &'p PageFile, request: &Request) -> Answer<'p> {
    let keep = if file.forever { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut more = vec![("Cache-Control", keep)];
    let mut body = &file.bytes[..];
    if let Some(packed) = &file.gzip {
        more.push(("Vary", "Accept-Encoding"));
        if request.takes_gzip {
            more.push(("Content-Encoding", "gzip"));
            body = packed;
        }
    }
    whole("200 OK", file.media_type, body, request.head_only, &more)
}

fn refused<'p>(refusal: Refusal) -> Answer<'p> {
    let (status, text) = match refusal {
        Refusal::Malformed => ("400 Bad Request", "This is no request that the lab understands.\n"),
        Refusal::Method => ("405 Method Not Allowed", "The lab only answers GET and HEAD.\n"),
        Refusal::TooSlow => ("408 Request Timeout", "The request did not come in time.\n"),
        Refusal::StrangeHost => (
            "421 Misdirected Request",
            "The lab answers to localhost, 127.0.0.1 and [::1] alone; use the address it printed.\n",
        ),
        Refusal::TooLarge => {
            ("431 Request Header Fields Too Large", "The request's head is too large.\n")
        }
    };
    let allow = [("Allow", "GET, HEAD")];
    let more = if refusal == Refusal::Method { &allow[..] } else { &[] };
    say(status, text, false, more)
}

fn say<'p>(status: &str, text: &'static str, head_only: bool, more: &[(&str, &str)]) -> Answer<'p> {
    let more = [more, &[("Cache-Control", "no-store")]].concat();
    whole(status, PLAIN, text.as_bytes(), head_only, &more)
}

fn whole<'p>(
    status: &str,
    media_type: &str,
    body: &'p [u8],
    head_only: bool,
    more: &[(&str, &str)],
) -> Answer<'p> {
    let mut head = format!("HTTP/1.1 {status}\r\n");
    for (name, value) in ALWAYS.iter().chain(more).chain(&[("Content-Type", media_type)]) {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    // Of HEAD too: it is told what GET would bring.
    let _ = write!(head, "Content-Length: {}\r\n\r\n", body.len());
    Answer { head, body: if head_only { &[] } else { body } }
}
