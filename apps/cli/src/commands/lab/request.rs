//! HTTP request parsing and validation.
//!
//! A `Request` that exists names a loopback host. A foreign page whose host name was made to
//! resolve to this machine (DNS rebinding) is rejected by that name.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Maximum number of headers. Browsers send about 20; 100 leaves room for extensions.
const MAX_HEADERS: usize = 100;

/// The parts of a request that matter to a server of fixed files.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) path: String,
    /// The method is HEAD: the response has no body.
    pub(crate) head_only: bool,
    pub(crate) accepts_gzip: bool,
}

/// Reason why a request is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rejection {
    /// Not valid HTTP/1.
    Malformed,
    /// The head exceeds the limits.
    TooLarge,
    /// The head was not complete in time.
    TooSlow,
    /// The host is not a loopback name or address.
    ForeignHost,
    /// Neither GET nor HEAD.
    Method,
}

/// Parses the head of a request; `None` while it is incomplete.
pub(crate) fn read(bytes: &[u8]) -> Option<Result<Request, Rejection>> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(bytes) {
        Ok(httparse::Status::Partial) => None,
        Ok(httparse::Status::Complete(_)) => Some(check(&parsed)),
        Err(httparse::Error::TooManyHeaders) => Some(Err(Rejection::TooLarge)),
        Err(_) => Some(Err(Rejection::Malformed)),
    }
}

fn check(parsed: &httparse::Request<'_, '_>) -> Result<Request, Rejection> {
    let target = parsed.path.ok_or(Rejection::Malformed)?;
    let mut hosts = values(parsed, "host");
    // With two hosts it would be ambiguous which one is meant.
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(Rejection::Malformed) };
    // `GET http://host/path`, the form of proxy requests, names the host a second time.
    let (second_host, path) = match target.strip_prefix("http://") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => (host, target),
    };
    if !is_loopback(host) || !is_loopback(second_host) {
        return Err(Rejection::ForeignHost);
    }
    let head_only = match parsed.method {
        Some("GET") => false,
        Some("HEAD") => true,
        _ => return Err(Rejection::Method),
    };
    let path = path.split('?').next().unwrap_or_default().to_owned();
    let accepts_gzip = values(parsed, "accept-encoding").any(accepts_gzip);
    Ok(Request { path, head_only, accepts_gzip })
}

/// Values of a header; one that is not UTF-8 counts as empty.
fn values<'a>(parsed: &'a httparse::Request<'_, '_>, name: &str) -> impl Iterator<Item = &'a str> {
    let named = parsed.headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name));
    named.map(|header| str::from_utf8(header.value).unwrap_or_default())
}

/// Whether a host is `localhost` or a loopback address, with or without a port. Any port is
/// accepted, since a tunnel may end at another one.
fn is_loopback(host: &str) -> bool {
    let (name, port) = match host.find(']') {
        Some(bracket) => host.split_at(bracket + 1),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port =
        |port: &str| port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok();
    if !port.is_empty() && !port.strip_prefix(':').is_some_and(is_port) {
        return false;
    }
    if let Some(v6) = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        return v6.parse().is_ok_and(|address: Ipv6Addr| address.is_loopback());
    }
    // A trailing dot marks a fully qualified name; `localhost.` is the same name.
    name.strip_suffix('.').unwrap_or(name).eq_ignore_ascii_case("localhost")
        || name.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
}

/// Whether an `Accept-Encoding` value allows gzip: `gzip, br;q=0.9` does, `gzip;q=0` does not.
fn accepts_gzip(accepted: &str) -> bool {
    accepted.split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
        is_gzip && weight != Some(0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(head: &str) -> Option<Result<Request, Rejection>> {
        read(head.replace('\n', "\r\n").as_bytes())
    }

    fn path_of(target: &str) -> Result<String, Rejection> {
        parse(&format!("GET {target} HTTP/1.1\nHost: localhost\n\n"))
            .unwrap()
            .map(|request| request.path)
    }

    #[test]
    fn head_is_parsed_once_complete() {
        let head = "GET / HTTP/1.1\r\nHost: 127.0.0.1:8362\r\nAccept-Encoding: gzip, br\r\n\r\n";
        for end in 0..head.len() {
            assert_eq!(read(&head.as_bytes()[..end]), None, "{end}");
        }
        let request = Request { path: "/".to_owned(), head_only: false, accepts_gzip: true };
        assert_eq!(read(head.as_bytes()), Some(Ok(request)));
    }

    #[test]
    fn only_loopback_hosts_are_accepted() {
        let names = [
            "localhost",
            "LocalHost:8362",
            "localhost.",
            "localhost.:8362",
            "127.0.0.1",
            "127.0.0.1:1",
            "127.8.9.1",
            "[::1]",
            "[::1]:80",
        ];
        for name in names {
            assert!(is_loopback(name), "{name}");
        }
        let foreign = [
            "",
            ":80",
            "evil.example",
            "localhost.evil.example",
            "localhost..",
            ".",
            "evil.example:8362",
            "127.0.0.1.evil.example",
            "localhost:",
            "localhost:80:80",
            "localhost:port",
            "localhost:+1",
            "localhost:99999",
            "localhost@evil.example",
            "0.0.0.0",
            "10.0.0.1",
            "192.168.0.1",
            "[::]",
            "[::1",
            "::1",
            "[::1]x",
            "[fe80::1]",
            "127.1",
            "2130706433",
            "localhost,evil.example",
            " localhost",
        ];
        for name in foreign {
            assert!(!is_loopback(name), "{name:?}");
        }
    }

    #[test]
    fn request_without_exactly_one_host_is_rejected() {
        for head in [
            "GET / HTTP/1.1\n\n",
            "GET / HTTP/1.0\n\n",
            "GET / HTTP/1.1\nHost: localhost\nHost: localhost\n\n",
            "GET / HTTP/1.1\nHost: localhost\nhost: evil.example\n\n",
        ] {
            assert_eq!(parse(head), Some(Err(Rejection::Malformed)), "{head}");
        }
        let foreign = Some(Err(Rejection::ForeignHost));
        assert_eq!(parse("GET / HTTP/1.1\nHost: evil.example\n\n"), foreign);
        assert_eq!(parse("GET / HTTP/1.1\nHost:\n\n"), foreign);
        assert_eq!(parse("GET http://evil.example/ HTTP/1.1\nHost: localhost\n\n"), foreign);
        assert_eq!(parse("GET http://localhost/ HTTP/1.1\nHost: evil.example\n\n"), foreign);
        // The host is checked before the method.
        assert_eq!(parse("POST / HTTP/1.1\nHost: evil.example\n\n"), foreign);
    }

    #[test]
    fn path_ends_before_the_query_string() {
        assert_eq!(path_of("/a/b.js?x=/c"), Ok("/a/b.js".to_owned()));
        assert_eq!(path_of("/../%2e%2e//a"), Ok("/../%2e%2e//a".to_owned()));
        assert_eq!(path_of("http://localhost:8362/a?b"), Ok("/a".to_owned()));
        assert_eq!(path_of("http://localhost"), Ok(String::new()));
        assert_eq!(path_of("*"), Ok("*".to_owned()));
    }

    #[test]
    fn other_methods_and_protocols_are_rejected() {
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "X"] {
            let head = format!("{method} / HTTP/1.1\nHost: localhost\n\n");
            assert_eq!(parse(&head), Some(Err(Rejection::Method)), "{method}");
        }
        for head in
            ["GET / HTTP/2.0\n\n", "GET /\n\n", "\u{16}\u{3}\u{1}", "GET / HTTP/1.1\n: x\n\n"]
        {
            assert_eq!(parse(head), Some(Err(Rejection::Malformed)), "{head:?}");
        }
        let many = "X: y\n".repeat(MAX_HEADERS + 1);
        let many = format!("GET / HTTP/1.1\nHost: localhost\n{many}\n");
        assert_eq!(parse(&many), Some(Err(Rejection::TooLarge)));
    }

    #[test]
    fn gzip_is_used_only_if_accepted() {
        for accepted in ["gzip", "deflate, GZIP;q=0.5", "br , gzip", "gzip;q=1"] {
            assert!(accepts_gzip(accepted), "{accepted}");
        }
        for rejected in ["", "br", "gzip;q=0", "gzip; q=0.0", "xgzip", "identity"] {
            assert!(!accepts_gzip(rejected), "{rejected}");
        }
    }
}
