//! How far is it? A bar on stderr, for work that takes longer than a second.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work is over before a bar could be read.
const PATIENCE: Duration = Duration::from_secs(1);

/// Appears once the work has taken a second, if stderr is a terminal; goes away when dropped.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    begun: Instant,
}

impl Bar {
    pub(crate) fn new(work: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(work), ProgressDrawTarget::hidden());
        let style =
            ProgressStyle::with_template("{bar:40} {percent:>3} %  {eta_precise} left  {msg}");
        bar.set_style(style.expect("the template is well formed"));
        Self { bar, begun: Instant::now() }
    }

    pub(crate) fn advance(&self, work: u64) {
        self.bar.inc(work);
        if self.bar.is_hidden()
            && self.begun.elapsed() > PATIENCE
            && std::io::stderr().is_terminal()
        {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    pub(crate) fn say(&self, message: String) {
        self.bar.set_message(message);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
