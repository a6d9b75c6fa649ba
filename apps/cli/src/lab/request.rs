//! What does a browser ask for, and may it?
//!
//! Promise: a `Request` that exists came to this machine by one of its own names. A page of somebody
//! else's whose name was made to lead here (DNS rebinding) is refused by the name it uses.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Browsers send about 20; a hundred leaves room for extensions.
const MOST_HEADERS: usize = 100;

/// The parts of a request that matter to a server of fixed files.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) path: String,
    /// HEAD: the answer's head alone is wanted.
    pub(crate) head_only: bool,
    pub(crate) takes_gzip: bool,
}

/// Why a request is not answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Not HTTP/1 as we know it.
    Malformed,
    /// More head than any browser sends.
    TooLarge,
    /// The head did not come in time.
    TooSlow,
    /// Asked for by a name that is not this machine's.
    StrangeHost,
    /// Neither GET nor HEAD.
    Method,
}

/// Reads the head of a request, once it is there whole; `None` as long as it is not.
pub(crate) fn read(bytes: &[u8]) -> Option<Result<Request, Refusal>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(bytes) {
        Ok(httparse::Status::Partial) => None,
        Ok(httparse::Status::Complete(_)) => Some(check(&parsed)),
        Err(httparse::Error::TooManyHeaders) => Some(Err(Refusal::TooLarge)),
        Err(_) => Some(Err(Refusal::Malformed)),
    }
}

fn check(parsed: &httparse::Request<'_, '_>) -> Result<Request, Refusal> {
    let target = parsed.path.ok_or(Refusal::Malformed)?;
    let mut hosts = values(parsed, "host");
    // Two hosts could be read as the one or the other.
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return Err(Refusal::Malformed) };
    // `GET http://host/path`: as proxies are asked; it names the host a second time.
    let (second_host, path) = match target.strip_prefix("http://") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => (host, target),
    };
    if !is_this_machine(host) || !is_this_machine(second_host) {
        return Err(Refusal::StrangeHost);
    }
    let head_only = match parsed.method {
        Some("GET") => false,
        Some("HEAD") => true,
        _ => return Err(Refusal::Method),
    };
    let path = path.split('?').next().unwrap_or_default().to_owned();
    let takes_gzip = values(parsed, "accept-encoding").any(names_gzip);
    Ok(Request { path, head_only, takes_gzip })
}

/// The values of a header. One that is no text has none: none of ours may be anything else.
fn values<'a>(parsed: &'a httparse::Request<'_, '_>, name: &str) -> impl Iterator<Item = &'a str> {
    let named = parsed.headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name));
    named.map(|header| str::from_utf8(header.value).unwrap_or_default())
}

/// Is this `localhost` or a loopback address, with or without a port? Any port: a tunnel may end at
/// another than ours.
fn is_this_machine(host: &str) -> bool {
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
    // A dot at the end says that the name is whole; `localhost.` is the same name.
    name.strip_suffix('.').unwrap_or(name).eq_ignore_ascii_case("localhost")
        || name.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback())
}

/// `gzip, deflate, br;q=0.9` names it; `gzip;q=0` forbids it.
fn names_gzip(accepted: &str) -> bool {
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

    fn ask(head: &str) -> Option<Result<Request, Refusal>> {
        read(head.replace('\n', "\r\n").as_bytes())
    }

    fn path_of(target: &str) -> Result<String, Refusal> {
        ask(&format!("GET {target} HTTP/1.1\nHost: localhost\n\n")).unwrap().map(|asked| asked.path)
    }

    #[test]
    fn a_head_is_read_when_its_last_line_is_there() {
        let head = "GET / HTTP/1.1\r\nHost: 127.0.0.1:8362\r\nAccept-Encoding: gzip, br\r\n\r\n";
        for end in 0..head.len() {
            assert_eq!(read(&head.as_bytes()[..end]), None, "{end}");
        }
        let asked = Request { path: "/".to_owned(), head_only: false, takes_gzip: true };
        assert_eq!(read(head.as_bytes()), Some(Ok(asked)));
    }

    #[test]
    fn only_names_of_this_machine_are_answered() {
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
            assert!(is_this_machine(name), "{name}");
        }
        let strangers = [
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
        for name in strangers {
            assert!(!is_this_machine(name), "{name:?}");
        }
    }

    #[test]
    fn a_request_without_one_host_is_refused() {
        for head in [
            "GET / HTTP/1.1\n\n",
            "GET / HTTP/1.0\n\n",
            "GET / HTTP/1.1\nHost: localhost\nHost: localhost\n\n",
            "GET / HTTP/1.1\nHost: localhost\nhost: evil.example\n\n",
        ] {
            assert_eq!(ask(head), Some(Err(Refusal::Malformed)), "{head}");
        }
        let strange = Some(Err(Refusal::StrangeHost));
        assert_eq!(ask("GET / HTTP/1.1\nHost: evil.example\n\n"), strange);
        assert_eq!(ask("GET / HTTP/1.1\nHost:\n\n"), strange);
        assert_eq!(ask("GET http://evil.example/ HTTP/1.1\nHost: localhost\n\n"), strange);
        assert_eq!(ask("GET http://localhost/ HTTP/1.1\nHost: evil.example\n\n"), strange);
        // Whatever it wants to do.
        assert_eq!(ask("POST / HTTP/1.1\nHost: evil.example\n\n"), strange);
    }

    #[test]
    fn the_path_is_what_stands_before_the_question_mark() {
        assert_eq!(path_of("/a/b.js?x=/c"), Ok("/a/b.js".to_owned()));
        assert_eq!(path_of("/../%2e%2e//a"), Ok("/../%2e%2e//a".to_owned()));
        assert_eq!(path_of("http://localhost:8362/a?b"), Ok("/a".to_owned()));
        assert_eq!(path_of("http://localhost"), Ok(String::new()));
        assert_eq!(path_of("*"), Ok("*".to_owned()));
    }

    #[test]
    fn other_methods_and_other_protocols_are_refused() {
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "X"] {
            let head = format!("{method} / HTTP/1.1\nHost: localhost\n\n");
            assert_eq!(ask(&head), Some(Err(Refusal::Method)), "{method}");
        }
        for head in
            ["GET / HTTP/2.0\n\n", "GET /\n\n", "\u{16}\u{3}\u{1}", "GET / HTTP/1.1\n: x\n\n"]
        {
            assert_eq!(ask(head), Some(Err(Refusal::Malformed)), "{head:?}");
        }
        let many = "X: y\n".repeat(MOST_HEADERS + 1);
        let many = format!("GET / HTTP/1.1\nHost: localhost\n{many}\n");
        assert_eq!(ask(&many), Some(Err(Refusal::TooLarge)));
    }

    #[test]
    fn gzip_is_sent_to_those_who_name_it() {
        for accepted in ["gzip", "deflate, GZIP;q=0.5", "br , gzip", "gzip;q=1"] {
            assert!(names_gzip(accepted), "{accepted}");
        }
        for refused in ["", "br", "gzip;q=0", "gzip; q=0.0", "xgzip", "identity"] {
            assert!(!names_gzip(refused), "{refused}");
        }
    }
}
