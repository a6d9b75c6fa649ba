//! `embate lab` over real sockets: responses, hostile clients, and shutdown.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// Read timeout, above every response time on a busy machine; a server that hangs fails the test.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

/// Size of a file that exceeds the socket buffers, so that sending it blocks on the reader.
const LONG_FILE_BYTES: usize = 24 << 20;

struct Lab {
    child: Child,
    /// The first printed line.
    address: String,
    port: u16,
    folder: tempfile::TempDir,
}

impl Lab {
    /// Serves a small page, with a secret file outside its folder.
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page");
        fs::create_dir_all(page.join("assets")).unwrap();
        fs::write(page.join("index.html"), "<!doctype html>".repeat(20)).unwrap();
        fs::write(page.join("assets/app-1a2b.js"), "export const a = 1;\n".repeat(100)).unwrap();
        fs::write(page.join("assets/view-3c4d.wasm"), b"\0asm\x01\0\0\0").unwrap();
        fs::write(page.join("long.txt"), vec![b'x'; LONG_FILE_BYTES]).unwrap();
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
        connection.set_read_timeout(Some(READ_TIMEOUT)).unwrap();
        connection
    }

    /// Sends bytes and returns the head and body of the response.
    fn send(&self, bytes: &[u8]) -> (String, Vec<u8>) {
        let mut connection = self.connect();
        // The server may reject a hostile request before reading all of it.
        let _ = connection.write_all(bytes);
        read(connection)
    }

    fn request(&self, method: &str, path: &str, headers: &str) -> (String, Vec<u8>) {
        self.send(format!("{method} {path} HTTP/1.1\r\n{headers}\r\n").as_bytes())
    }

    fn get(&self, path: &str) -> (String, Vec<u8>) {
        self.request("GET", path, "Host: localhost\r\n")
    }

    fn assert_responds(&self) {
        let (head, body) = self.get("/");
        assert!(
            head.starts_with("HTTP/1.1 200 ") && body.starts_with(b"<!doctype html>"),
            "{head}"
        );
    }

    /// Ends the server with a signal and returns its exit code and stderr.
    #[cfg(unix)]
    fn end(mut self, signal: &str) -> (Option<i32>, String) {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
        let code = self.child.wait().unwrap().code();
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        (code, stderr)
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

/// Reads to the end and splits head and body. A reset connection gives the bytes received before.
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
fn printed_address_serves_the_page_for_loopback_hosts() {
    let lab = Lab::start();
    assert_eq!(lab.address, format!("http://127.0.0.1:{}/\n", lab.port));
    for host in ["localhost", "127.0.0.1:9", "[::1]:8362", "LOCALHOST:80", "localhost.:8362"] {
        let (head, body) = lab.request("GET", "/?from=anywhere", &format!("Host: {host}\r\n"));
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
fn every_response_has_the_security_headers() {
    let lab = Lab::start();
    let host = "Host: localhost\r\n";
    let responses = [
        lab.get("/"),
        lab.get("/assets/app-1a2b.js"),
        lab.get("/nothing"),
        lab.request("HEAD", "/", host),
        lab.request("POST", "/", host),
        lab.request("GET", "/", "Host: evil.example\r\n"),
        lab.send(b"\x16\x03\x01\x02\n"),
        lab.request("GET", "/", &format!("{host}X: {}\r\n", "y".repeat(20_000))),
    ];
    let statuses = ["200", "200", "404", "200", "405", "421", "400", "431"];
    for ((head, _), status) in responses.iter().zip(statuses) {
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
fn gzip_is_sent_if_accepted_and_decompresses_to_the_same_bytes() {
    let lab = Lab::start();
    let (_, plain) = lab.get("/assets/app-1a2b.js");
    let headers = "Host: localhost\r\nAccept-Encoding: br, gzip\r\n";
    let (head, compressed) = lab.request("GET", "/assets/app-1a2b.js", headers);
    assert_eq!(value(&head, "Content-Encoding"), Some("gzip"));
    assert_eq!(value(&head, "Vary"), Some("Accept-Encoding"));
    assert_eq!(value(&head, "Content-Length"), Some(compressed.len().to_string().as_str()));
    let mut decompressed = Vec::new();
    flate2::read::GzDecoder::new(&compressed[..]).read_to_end(&mut decompressed).unwrap();
    assert!(decompressed == plain && compressed.len() < plain.len() / 4);
}

#[test]
fn head_request_has_the_headers_of_get() {
    let lab = Lab::start();
    let (get, _) = lab.get("/assets/app-1a2b.js");
    let (head, body) = lab.request("HEAD", "/assets/app-1a2b.js", "Host: localhost\r\n");
    assert_eq!((head, body), (get, Vec::new()));
}

#[test]
fn other_methods_are_rejected_with_any_body() {
    let lab = Lab::start();
    for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"] {
        let body = "x".repeat(100_000);
        let headers = format!("Host: localhost\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        let (head, _) = lab.request(method, "/", &headers);
        assert!(head.starts_with("HTTP/1.1 405 "), "{method}: {head}");
        assert_eq!(value(&head, "Allow"), Some("GET, HEAD"));
    }
}

#[test]
fn foreign_hosts_are_rejected() {
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
        let (head, body) = lab.request("GET", "/", &format!("Host: {host}\r\n"));
        assert!(head.starts_with("HTTP/1.1 421 "), "{host}: {head}");
        assert!(!body.starts_with(b"<!doctype"));
    }
    let (head, _) = lab.request("GET", "http://evil.example/", "Host: localhost\r\n");
    assert!(head.starts_with("HTTP/1.1 421 "), "{head}");
    for headers in ["", "Host: localhost\r\nHost: evil.example\r\n"] {
        assert!(lab.request("GET", "/", headers).0.starts_with("HTTP/1.1 400 "), "{headers}");
    }
}

#[test]
fn no_path_leaves_the_page_folder() {
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
    lab.assert_responds();
}

#[test]
fn endless_heads_are_rejected() {
    let lab = Lab::start();
    let many = format!("GET / HTTP/1.1\r\nHost: localhost\r\n{}", "X: y\r\n".repeat(100_000));
    let one_line = format!("GET /{} HTTP/1.1\r\n", "a".repeat(1_000_000));
    for hostile in [many, one_line, "a".repeat(1_000_000), "\n".repeat(100_000)] {
        let (head, _) = lab.send(hostile.as_bytes());
        // A client that keeps sending may lose the response with the connection.
        assert!(head.is_empty() || head.starts_with("HTTP/1.1 4"), "{head}");
        lab.assert_responds();
    }
}

#[test]
fn slow_requests_time_out_without_blocking_others() {
    let lab = Lab::start();
    // More connections than the server's limit; each sends an incomplete request and waits.
    let idle: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut connection = lab.connect();
            connection.write_all(b"GET / HTTP/1.1\r\nHo").unwrap();
            connection
        })
        .collect();
    let mut drip = lab.connect();
    let dripping = thread::spawn(move || {
        // Bytes at short intervals, forever.
        while drip.write_all(b"a").is_ok() {
            thread::sleep(Duration::from_millis(50));
        }
    });
    lab.assert_responds();
    dripping.join().unwrap();
    for connection in idle {
        let (head, _) = read(connection);
        assert!(head.starts_with("HTTP/1.1 408 "), "{head}");
    }
}

#[test]
fn clients_that_never_read_do_not_block_others() {
    let lab = Lab::start();
    let not_reading: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut connection = lab.connect();
            connection.write_all(b"GET /long.txt HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            connection
        })
        .collect();
    lab.assert_responds();
    let (_, long) = lab.get("/long.txt");
    assert_eq!(long.len(), LONG_FILE_BYTES);
    drop(not_reading);
}

#[test]
fn clients_that_disconnect_early_do_not_stop_the_server() {
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
    lab.assert_responds();
}

#[test]
fn port_in_use_is_reported_with_advice() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.html"), "page").unwrap();
    let mut command = lab(&["--port", &port.to_string(), "--page"]);
    let output = command.arg(folder.path()).output().unwrap();
    let (code, line) = failure(&output);
    assert_eq!((code, line.lines().count()), (Some(1), 1), "{line}");
    assert!(line.contains(&port.to_string()) && line.contains("--port 0"), "{line}");
    assert!(output.stdout.is_empty());
}

#[test]
fn folder_without_a_page_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    fs::write(&file, "page").unwrap();
    for (path, why) in [
        (folder.path(), "has no index.html"),
        (Path::new("no/such/folder"), "there is no such folder"),
        (&file, "is not a folder"),
    ] {
        let (code, line) = failure(&lab(&["--page"]).arg(path).output().unwrap());
        assert_eq!((code, line.lines().count()), (Some(1), 1), "{line}");
        assert!(line.contains(&path.display().to_string()) && line.contains(why), "{line}");
        assert!(line.contains("cargo xtask web --out"), "advice: {line}");
        assert!(!line.contains("os error"), "{line}");
    }
}

#[test]
fn invalid_port_is_rejected_with_the_valid_range() {
    for port in ["abc", "99999", "-1", "", "80.5"] {
        let (code, line) = failure(&lab(&["--port", port]).output().unwrap());
        assert_eq!((code, line.lines().count()), (Some(2), 1), "{port}: {line}");
        assert!(line.contains("from 0 to 65535; 0 chooses a free one"), "{port}: {line}");
    }
}

#[cfg(unix)]
#[test]
fn sigint_and_sigterm_end_the_server_cleanly() {
    for signal in ["-INT", "-TERM"] {
        let lab = Lab::start();
        lab.assert_responds();
        // With an open connection.
        let mut open = lab.connect();
        open.write_all(b"GET / HTTP/1.1\r\n").unwrap();
        let (code, line) = lab.end(signal);
        assert_eq!(code, Some(0), "{signal}: {line}");
        assert!(line.ends_with("embate: stopped\n"), "{signal}: {line}");
    }
}
