//! How are many connections answered, some of them slow or hostile?
//!
//! Promise: no client can hold the server up. A connection asks once, has so long to ask and so long
//! to take the answer, and is then closed; there are never more than so many at a time.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::answer::{Answer, answer};
use super::page::Page;
use super::request::{self, Refusal, Request};
use crate::failure::Failure;

/// A browser on this machine asks within milliseconds, and takes an answer as fast; a tunnel to
/// another machine may be slower.
const TIME_TO_ASK: Duration = Duration::from_secs(5);
const TIME_TO_TAKE: Duration = Duration::from_secs(30);

/// Browsers send about 1 KB; with the cookies of other servers on this machine perhaps 8.
const MOST_HEAD: usize = 16 << 10;

/// A browser opens six. The rest wait their turn, which comes when others are done or out of time.
const MOST_CONNECTIONS: usize = 256;

/// After the answer: what a client still sends is read and thrown away, so that closing does not
/// tear the answer out of its hands.
const LINGER: Duration = Duration::from_secs(1);
const MOST_THROWN_AWAY: usize = 256 << 10;

/// Answers until the process ends; returns only if the listener is broken.
pub(crate) fn serve(listener: &TcpListener, page: &Page) -> Result<(), Failure> {
    let places = Places::new(MOST_CONNECTIONS);
    thread::scope(|scope| {
        loop {
            let place = places.take();
            let connection = match listener.accept() {
                Ok((connection, _)) => connection,
                Err(error) => {
                    // Too many open files, or a client that left: neither lasts.
                    if !passes(&error) {
                        return Err(Failure::Problem(format!("cannot serve any more: {error}")));
                    }
                    thread::sleep(Duration::from_millis(50));
                    continue;
                }
            };
            let attended = move || {
                // A client that left needs no answer, and nobody else needs to know.
                let _ = attend(&connection, page);
                drop(place);
            };
            // Without a thread to be had the connection is closed, and the next may be luckier.
            let _ = thread::Builder::new().spawn_scoped(scope, attended);
        }
    })
}

fn passes(error: &io::Error) -> bool {
    !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotConnected)
}

fn attend(connection: &TcpStream, page: &Page) -> io::Result<()> {
    let Some(asked) = hear(connection)? else { return Ok(()) };
    tell(connection, &answer(page, &asked))?;
    connection.shutdown(Shutdown::Write)?;
    throw_away(connection)
}

/// Reads until the request's head is whole; `None` if the client says nothing and leaves.
fn hear(mut connection: &TcpStream) -> io::Result<Option<Result<Request, Refusal>>> {
    let deadline = Instant::now() + TIME_TO_ASK;
    let (mut head, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        // The time that is left, not a time for each read: a byte a second would never end.
        let Some(left) = left(deadline) else { return Ok(Some(Err(Refusal::TooSlow))) };
        connection.set_read_timeout(Some(left))?;
        let read = match connection.read(&mut chunk) {
            Ok(0) => return Ok(None),
            Ok(read) => &chunk[..read],
            Err(error) if out_of_time(&error) => continue,
            Err(error) => return Err(error),
        };
        head.extend_from_slice(read);
        if head.len() > MOST_HEAD {
            return Ok(Some(Err(Refusal::TooLarge)));
        }
        // Heads end with a line; looking at each byte anew would let a client buy work with bytes.
        if read.contains(&b'\n')
            && let Some(asked) = request::read(&head)
        {
            return Ok(Some(asked));
        }
    }
}

fn tell(mut connection: &TcpStream, answer: &Answer<'_>) -> io::Result<()> {
    let deadline = Instant::now() + TIME_TO_TAKE;
    for mut part in [answer.head.as_bytes(), answer.body] {
        while !part.is_empty() {
            let left = left(deadline).ok_or(io::ErrorKind::TimedOut)?;
            connection.set_write_timeout(Some(left))?;
            match connection.write(part) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => part = &part[written..],
                Err(error) if out_of_time(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}

fn throw_away(mut connection: &TcpStream) -> io::Result<()> {
    let deadline = Instant::now() + LINGER;
    let (mut thrown, mut chunk) = (0, [0; 4096]);
    while let Some(left) = left(deadline)
        && thrown < MOST_THROWN_AWAY
    {
        connection.set_read_timeout(Some(left))?;
        match connection.read(&mut chunk)? {
            0 => return Ok(()),
            read => thrown += read,
        }
    }
    Ok(())
}

/// Time until the deadline. Never zero, which sockets take for "for ever".
fn left(deadline: Instant) -> Option<Duration> {
    deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
}

/// Systems tell a time-out in two ways; an interrupted call is tried again as well.
fn out_of_time(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

/// So many may be inside at a time.
#[derive(Debug)]
struct Places {
    free: Mutex<usize>,
    given_back: Condvar,
}

/// A place taken; given back when dropped.
#[derive(Debug)]
struct Place<'p>(&'p Places);

impl Places {
    fn new(free: usize) -> Self {
        Self { free: Mutex::new(free), given_back: Condvar::new() }
    }

    /// Waits until a place is free.
    fn take(&self) -> Place<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.given_back.wait_while(free, |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Place(self)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.given_back.notify_one();
    }
}
