//! HTTP server: accepts connections, reads one request each, sends the response, closes.
//!
//! Slow or hostile clients cannot block the server: reading a request and sending its response have
//! deadlines, and the number of open connections is limited.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::page::Page;
use super::request::{self, Rejection, Request};
use super::response::{Response, response};
use crate::failure::Failure;

/// Deadlines of a request and of its response. A browser on this machine needs milliseconds; one
/// behind a tunnel may need longer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum size of a request head. Browsers send about 1 KB; with the cookies of other servers on
/// this machine perhaps 8 KB.
const MAX_HEAD_BYTES: usize = 16 << 10;

/// Maximum number of open connections; a browser opens six. Further ones wait until one is closed
/// or timed out.
const MAX_CONNECTIONS: usize = 256;

/// Limits of reading and discarding what a client still sends after the response: closing a socket
/// with unread data resets the connection, and the client may lose the response.
const LINGER_TIMEOUT: Duration = Duration::from_secs(1);
const MAX_DISCARDED_BYTES: usize = 256 << 10;

/// Serves until the process ends; returns only if the listener fails.
pub(crate) fn serve(listener: &TcpListener, page: &Page) -> Result<(), Failure> {
    let permits = Semaphore::new(MAX_CONNECTIONS);
    thread::scope(|scope| {
        loop {
            let permit = permits.acquire();
            let connection = match listener.accept() {
                Ok((connection, _)) => connection,
                Err(error) => {
                    // For instance too many open files, or a client that left.
                    if !is_transient(&error) {
                        let problem =
                            format!("cannot accept connections: {error}; restart the lab");
                        return Err(Failure::Problem(problem));
                    }
                    thread::sleep(Duration::from_millis(50));
                    continue;
                }
            };
            let task = move || {
                // An error means that the client left, which needs no handling.
                let _ = handle(&connection, page);
                drop(permit);
            };
            // If no thread can be started, the connection is closed.
            let _ = thread::Builder::new().spawn_scoped(scope, task);
        }
    })
}

fn is_transient(error: &io::Error) -> bool {
    !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotConnected)
}

fn handle(connection: &TcpStream, page: &Page) -> io::Result<()> {
    let Some(request) = receive(connection)? else { return Ok(()) };
    send(connection, &response(page, &request))?;
    connection.shutdown(Shutdown::Write)?;
    discard_input(connection)
}

/// Reads until the request's head is complete; `None` if the client closes the connection before.
fn receive(mut connection: &TcpStream) -> io::Result<Option<Result<Request, Rejection>>> {
    let deadline = Instant::now() + REQUEST_TIMEOUT;
    let (mut head, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        // One deadline for all reads, so that one byte per second does not extend it.
        let Some(remaining) = time_until(deadline) else {
            return Ok(Some(Err(Rejection::TooSlow)));
        };
        connection.set_read_timeout(Some(remaining))?;
        let read = match connection.read(&mut chunk) {
            Ok(0) => return Ok(None),
            Ok(read) => &chunk[..read],
            Err(error) if is_timeout(&error) => continue,
            Err(error) => return Err(error),
        };
        head.extend_from_slice(read);
        if head.len() > MAX_HEAD_BYTES {
            return Ok(Some(Err(Rejection::TooLarge)));
        }
        // A head ends with a line end. Parsing after every read would be quadratic in the number of
        // reads, which the client controls.
        if read.contains(&b'\n')
            && let Some(request) = request::read(&head)
        {
            return Ok(Some(request));
        }
    }
}

fn send(mut connection: &TcpStream, response: &Response<'_>) -> io::Result<()> {
    let deadline = Instant::now() + RESPONSE_TIMEOUT;
    for mut part in [response.head.as_bytes(), response.body] {
        while !part.is_empty() {
            let remaining = time_until(deadline).ok_or(io::ErrorKind::TimedOut)?;
            connection.set_write_timeout(Some(remaining))?;
            match connection.write(part) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => part = &part[written..],
                Err(error) if is_timeout(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

fn discard_input(mut connection: &TcpStream) -> io::Result<()> {
    let deadline = Instant::now() + LINGER_TIMEOUT;
    let (mut discarded, mut chunk) = (0, [0; 4096]);
    while let Some(remaining) = time_until(deadline)
        && discarded < MAX_DISCARDED_BYTES
    {
        connection.set_read_timeout(Some(remaining))?;
        match connection.read(&mut chunk)? {
            0 => return Ok(()),
            read => discarded += read,
        }
    }
    Ok(())
}

/// Time until the deadline, `None` if it has passed. Never zero, which sockets reject as a timeout.
fn time_until(deadline: Instant) -> Option<Duration> {
    deadline.checked_duration_since(Instant::now()).filter(|remaining| !remaining.is_zero())
}

/// Whether an I/O error is a timeout, which systems report as one of two kinds, or an interrupted
/// call, which is repeated as well.
fn is_timeout(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

/// Counting semaphore that limits the number of open connections.
#[derive(Debug)]
struct Semaphore {
    available: Mutex<usize>,
    released: Condvar,
}

/// One acquired unit of a [`Semaphore`]; released when dropped.
#[derive(Debug)]
struct Permit<'s>(&'s Semaphore);

impl Semaphore {
    fn new(permits: usize) -> Self {
        Self { available: Mutex::new(permits), released: Condvar::new() }
    }

    /// Blocks until a permit is available.
    fn acquire(&self) -> Permit<'_> {
        let available = self.available.lock().unwrap_or_else(PoisonError::into_inner);
        let available = self.released.wait_while(available, |available| *available == 0);
        *available.unwrap_or_else(PoisonError::into_inner) -= 1;
        Permit(self)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *self.0.available.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.released.notify_one();
    }
}
