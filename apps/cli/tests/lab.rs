//! `embate lab` over real sockets: what browsers get, what hostile clients do not, and how it ends.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// No answer takes this long, however busy the machine; a server that hangs fails the test.
const PATIENCE: Duration = Duration::from_secs(60);

/// Longer than a socket's buffers, so that sending it waits for the reader.
const LONG: usize = 24 << 20;

struct Lab {
    child: Child,
    /// The first line that it printed.
    address: String,
    port: u16,
    folder: tempfile::TempDir,
}

impl Lab {
    /// Serves a small page with a secret beside it.
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page");
        fs::create_dir_all(page.join("assets")).unwrap();
        fs::write(page.join("index.html"), "<!doctype html>".repeat(20)).unwrap();
        fs::write(page.join("assets/app-1a2b.js"), "export const a = 1;\n".repeat(100)).unwrap();
        fs::write(page.join("assets/view-3c4d.wasm"), b"\0asm\x01\0\0\0").unwrap();
        fs::write(page.join("long.txt"), vec![b'x'; LONG]).unwrap();
        fs::write(folder.path().join("secret.txt"), "secret").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret.txt", page.join("link.txt")).unwrap();

        let mut child = lab(&["--port", "0", "--page"]);
        child.arg(&page).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut address).unwrap();
        let port = address.trim_end().trim_end_matches('/').rsplit(':').next().unwrap();
        Self { port: port.parse().unwrap(), address, child, folder }
    }

    fn connect(&self) -> TcpStream {
        let connection = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        connection
    }

    /// Sends these bytes and tells the answer's head and body.
    fn send(&self, bytes: &[u8]) -> (String, Vec<u8>) {
        let mut connection = self.connect();
        // The server may refuse before it has read all of a hostile request.
        let _ = connection.write_all(bytes);
        read(connection)
    }

    fn ask(&self, method: &str, path: &str, headers: &str) -> (String, Vec<u8>) {
        self.send(format!("{method} {path} HTTP/1.1\r\n{headers}\r\n").as_bytes())
    }

    fn get(&self, path: &str) -> (String, Vec<u8>) {
        self.ask("GET", path, "Host: localhost\r\n")
    }

    fn assert_answers(&self) {
        let (head, body) = self.get("/");
        assert!(
            head.starts_with("HTTP/1.1 200 ") && body.starts_with(b"<!doctype html>"),
            "{head}"
        );
    }

    /// Ends it by a signal and tells its exit code and what it wrote to stderr.
    #[cfg(unix)]
    fn end(mut self, signal: &str) -> (Option<i32>, String) {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
        let code = self.child.wait().unwrap().code();
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (code, said)
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_embate"));
    command.args(["lab", "--no-open"]).args(arguments);
    command
}

/// What is left to read, cut after the head. A connection torn down early reads as what came before.
fn read(mut connection: TcpStream) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    let _ = connection.read_to_end(&mut bytes);
    let end =
        bytes.windows(4).position(|four| four == b"\r\n\r\n").map_or(bytes.len(), |at| at + 4);
    let body = bytes.split_off(end);
    (String::from_utf8(bytes).unwrap(), body)
}

fn value<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

fn failure(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn the_address_is_one_line_and_leads_to_the_page() {
    let lab = Lab::start();
    assert_eq!(lab.address, format!("http://127.0.0.1:{}/\n", lab.port));
    for host in ["localhost", "127.0.0.1:9", "[::1]:8362", "LOCALHOST:80", "localhost.:8362"] {
        let (head, body) = lab.ask("GET", "/?from=anywhere", &format!("Host: {host}\r\n"));
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{host}: {head}");
        assert_eq!(value(&head, "Content-Type"), Some("text/html; charset=utf-8"));
        assert_eq!(value(&head, "Cache-Control"), Some("no-cache"));
        assert_eq!(value(&head, "Content-Length"), Some("300"));
        assert_eq!(body, "<!doctype html>".repeat(20).as_bytes());
    }
    let (head, body) = lab.get("/assets/view-3c4d.wasm");
    assert_eq!(value(&head, "Content-Type"), Some("application/wasm"));
    assert_eq!(value(&head, "Cache-Control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(body, b"\0asm\x01\0\0\0");
}

#[test]
fn every_answer_tells_the_browser_to_be_strict() {
    let lab = Lab::start();
    let host = "Host: localhost\r\n";
    let answers = [
        lab.get("/"),
        lab.get("/assets/app-1a2b.js"),
        lab.get("/nothing"),
        lab.ask("HEAD", "/", host),
        lab.ask("POST", "/", host),
        lab.ask("GET", "/", "Host: evil.example\r\n"),
        lab.send(b"\x16\x03\x01\x02\n"),
        lab.ask("GET", "/", &format!("{host}X: {}\r\n", "y".repeat(20_000))),
    ];
    let statuses = ["200", "200", "404", "200", "405", "421", "400", "431"];
    for ((head, _), status) in answers.iter().zip(statuses) {
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{status}: {head}");
        let policy = value(head, "Content-Security-Policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';"));
        assert_eq!(value(head, "Cross-Origin-Opener-Policy"), Some("same-origin"), "{head}");
        assert_eq!(value(head, "Cross-Origin-Embedder-Policy"), Some("require-corp"));
        assert_eq!(value(head, "Cross-Origin-Resource-Policy"), Some("same-origin"));
        assert_eq!(value(head, "X-Content-Type-Options"), Some("nosniff"));
        assert_eq!(value(head, "Referrer-Policy"), Some("no-referrer"));
        assert_eq!(value(head, "Access-Control-Allow-Origin"), None);
    }
}

#[test]
fn gzip_goes_to_those_who_take_it_and_unpacks_to_the_same() {
    let lab = Lab::start();
    let (_, plain) = lab.get("/assets/app-1a2b.js");
    let headers = "Host: localhost\r\nAccept-Encoding: br, gzip\r\n";
    let (head, packed) = lab.ask("GET", "/assets/app-1a2b.js", headers);
    assert_eq!(value(&head, "Content-Encoding"), Some("gzip"));
    assert_eq!(value(&head, "Vary"), Some("Accept-Encoding"));
    assert_eq!(value(&head, "Content-Length"), Some(packed.len().to_string().as_str()));
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut unpacked).unwrap();
    assert!(unpacked == plain && packed.len() < plain.len() / 4);
}

#[test]
fn head_tells_what_get_would_bring() {
    let lab = Lab::start();
    let (get, _) = lab.get("/assets/app-1a2b.js");
    let (head, body) = lab.ask("HEAD", "/assets/app-1a2b.js", "Host: localhost\r\n");
    assert_eq!((head, body), (get, Vec::new()));
}

#[test]
fn other_methods_are_refused_whatever_they_carry() {
    let lab = Lab::start();
    for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"] {
        let body = "x".repeat(100_000);
        let headers = format!("Host: localhost\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let (head, _) = lab.ask(method, "/", &headers);
        assert!(head.starts_with("HTTP/1.1 405 "), "{method}: {head}");
        assert_eq!(value(&head, "Allow"), Some("GET, HEAD"));
    }
}

#[test]
fn hosts_that_are_not_this_machine_are_refused() {
    let lab = Lab::start();
    let hosts = [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:80",
        "0.0.0.0",
        "",
        "192.168.1.1",
    ];
    for host in hosts {
        let (head, body) = lab.ask("GET", "/", &format!("Host: {host}\r\n"));
        assert!(head.starts_with("HTTP/1.1 421 "), "{host}: {head}");
        assert!(!body.starts_with(b"<!doctype"));
    }
    let (head, _) = lab.ask("GET", "http://evil.example/", "Host: localhost\r\n");
    assert!(head.starts_with("HTTP/1.1 421 "), "{head}");
    for headers in ["", "Host: localhost\r\nHost: evil.example\r\n"] {
        assert!(lab.ask("GET", "/", headers).0.starts_with("HTTP/1.1 400 "), "{headers}");
    }
}

#[test]
fn no_path_leads_out_of_the_page() {
    let lab = Lab::start();
    let secret = lab.folder.path().join("secret.txt").display().to_string();
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/%2E%2E%2Fsecret.txt",
        "/..%5csecret.txt",
        "/..\\secret.txt",
        "/assets/../../secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/....//secret.txt",
        "/link.txt",
        "//secret.txt",
        "//etc/passwd",
        "/etc/passwd",
        "/index.html%00",
        "secret.txt",
        "*",
        &secret,
        &format!("/{secret}"),
    ] {
        let (head, body) = lab.get(path);
        assert!(
            head.starts_with("HTTP/1.1 404 ") || head.starts_with("HTTP/1.1 400 "),
            "{path}: {head}"
        );
        assert!(!body.windows(6).any(|six| six == b"secret"), "{path}");
    }
    lab.assert_answers();
}

#[test]
fn endless_heads_are_refused() {
    let lab = Lab::start();
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}", "X: y\r\n".repeat(100_000));
    let one_line = format!("GET /{} HTTP/1.1\r\n", "a".repeat(1_000_000));
    for hostile in [many, one_line, "a".repeat(1_000_000), "\n".repeat(100_000)] {
        let (head, _) = lab.send(hostile.as_bytes());
        // A client that goes on sending may lose the answer with the connection.
        assert!(head.is_empty() || head.starts_with("HTTP/1.1 4"), "{head}");
        lab.assert_answers();
    }
}

#[test]
fn clients_that_ask_slowly_are_cut_off_and_hold_nobody_up() {
    let lab = Lab::start();
    // More than are served at a time; each says a little and waits.
    let idle: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut connection = lab.connect();
            connection.write_all(b"GET / HTTP/1.1\r\nHo").unwrap();
            connection
        })
        .collect();
    let mut drip = lab.connect();
    let dripping = thread::spawn(move || {
        // Each byte comes soon after the last; all of them would take hours.
        while drip.write_all(b"a").is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
    lab.assert_answers();
    dripping.join().unwrap();
    for connection in idle {
        let (head, _) = read(connection);
        assert!(head.starts_with("HTTP/1.1 408 "), "{head}");
    }
}

#[test]
fn clients_that_never_read_hold_nobody_up() {
    let lab = Lab::start();
    let deaf: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut connection = lab.connect();
            connection.write_all(b"GET /long.txt HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            connection
        })
        .collect();
    lab.assert_answers();
    let (_, long) = lab.get("/long.txt");
    assert_eq!(long.len(), LONG);
    drop(deaf);
}

#[test]
fn clients_that_leave_early_do_no_harm() {
    let lab = Lab::start();
    for bytes in [
        &b""[..],
        b"G",
        b"GET / HTTP/1.1\r\n",
        b"GET /long.txt HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ] {
        let mut connection = lab.connect();
        connection.write_all(bytes).unwrap();
        drop(connection);
        let mut connection = lab.connect();
        connection.write_all(bytes).unwrap();
        connection.shutdown(Shutdown::Both).unwrap();
    }
    lab.assert_answers();
}

#[test]
fn a_taken_port_is_named_with_the_way_out() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.html"), "page").unwrap();
    let mut command = lab(&["--port", &port.to_string(), "--page"]);
    let output = command.arg(folder.path()).output().unwrap();
    let (code, said) = failure(&output);
    assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
    assert!(said.contains(&port.to_string()) && said.contains("--port 0"), "{said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_folder_without_a_page_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    fs::write(&file, "page").unwrap();
    for (path, why) in [
        (folder.path(), "has no index.html"),
        (Path::new("no/such/folder"), "there is no such folder"),
        (&file, "is not a folder"),
    ] {
        let (code, said) = failure(&lab(&["--page"]).arg(path).output().unwrap());
        assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
        assert!(said.contains(&path.display().to_string()) && said.contains(why), "{said}");
        assert!(said.contains("cargo xtask web --out"), "what to do: {said}");
        assert!(!said.contains("os error"), "{said}");
    }
}

#[test]
fn a_port_that_is_none_is_refused_with_those_that_are() {
    for port in ["abc", "99999", "-1", "", "80.5"] {
        let (code, said) = failure(&lab(&["--port", port]).output().unwrap());
        assert_eq!((code, said.lines().count()), (Some(2), 1), "{port}: {said}");
        assert!(said.contains("from 0 to 65535; 0 takes a free one"), "{port}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn it_ends_cleanly_when_interrupted_or_told_to_end() {
    for signal in ["-INT", "-TERM"] {
        let lab = Lab::start();
        lab.assert_answers();
        // Even with connections open.
        let mut open = lab.connect();
        open.write_all(b"GET / HTTP/1.1\r\n").unwrap();
        let (code, said) = lab.end(signal);
        assert_eq!(code, Some(0), "{signal}: {said}");
        assert!(said.ends_with("embate: stopped\n"), "{signal}: {said}");
    }
}
