//! HTTP responses.

use std::fmt::Write;

use super::page::{Page, PageFile};
use super::request::{Rejection, Request};

/// Content security policy: only scripts, styles, workers and data of this server; no framing, no
/// requests to other servers.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; font-src 'self'; \
     manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every response. The opener and embedder policies also raise the resolution of the
/// page's clock, which times the collision phase, from 0.1 ms to 0.005 ms.
const COMMON_HEADERS: [(&str, &str); 7] = [
    ("Content-Security-Policy", POLICY),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    // One response per connection: a client cannot hold one open, and the page has few files.
    ("Connection", "close"),
];

const PLAIN_TEXT: &str = "text/plain; charset=utf-8";

#[derive(Debug)]
pub(crate) struct Response<'p> {
    pub(crate) head: String,
    pub(crate) body: &'p [u8],
}

pub(crate) fn response<'p>(page: &'p Page, request: &Result<Request, Rejection>) -> Response<'p> {
    match request {
        Ok(request) => match page.file(&request.path) {
            Some(file) => file_response(file, request),
            None => text_response(
                "404 Not Found",
                "The page has no such file.\n",
                request.head_only,
                &[],
            ),
        },
        Err(rejection) => error_response(*rejection),
    }
}

fn file_response<'p>(file: &'p PageFile, request: &Request) -> Response<'p> {
    let caching = if file.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut headers = vec![("Cache-Control", caching)];
    let mut body = &file.bytes[..];
    if let Some(compressed) = &file.gzip {
        headers.push(("Vary", "Accept-Encoding"));
        if request.accepts_gzip {
            headers.push(("Content-Encoding", "gzip"));
            body = compressed;
        }
    }
    response_with("200 OK", file.media_type, body, request.head_only, &headers)
}

fn error_response<'p>(rejection: Rejection) -> Response<'p> {
    let (status, text) = match rejection {
        Rejection::Malformed => ("400 Bad Request", "The request is not valid HTTP/1.\n"),
        Rejection::Method => ("405 Method Not Allowed", "Only GET and HEAD are allowed.\n"),
        Rejection::TooSlow => ("408 Request Timeout", "The request was not complete in time.\n"),
        Rejection::ForeignHost => (
            "421 Misdirected Request",
            "Only the hosts localhost, 127.0.0.1 and [::1] are served; use the printed address.\n",
        ),
        Rejection::TooLarge => {
            ("431 Request Header Fields Too Large", "The request head is too large.\n")
        }
    };
    let allow = [("Allow", "GET, HEAD")];
    let headers = if rejection == Rejection::Method { &allow[..] } else { &[] };
    text_response(status, text, false, headers)
}

fn text_response<'p>(
    status: &str,
    text: &'static str,
    head_only: bool,
    headers: &[(&str, &str)],
) -> Response<'p> {
    let headers = [headers, &[("Cache-Control", "no-store")]].concat();
    response_with(status, PLAIN_TEXT, text.as_bytes(), head_only, &headers)
}

fn response_with<'p>(
    status: &str,
    media_type: &str,
    body: &'p [u8],
    head_only: bool,
    headers: &[(&str, &str)],
) -> Response<'p> {
    let mut head = format!("HTTP/1.1 {status}\r\n");
    for (name, value) in COMMON_HEADERS.iter().chain(headers).chain(&[("Content-Type", media_type)])
    {
        let _ = write!(head, "{name}: {value}\r\n");
    }
    // HEAD returns the length that GET would.
    let _ = write!(head, "Content-Length: {}\r\n\r\n", body.len());
    Response { head, body: if head_only { &[] } else { body } }
}
