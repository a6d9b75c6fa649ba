//! Progress bar on stderr, for work that takes longer than a second.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Delay before the bar appears; shorter work ends before a bar could be read.
const SHOW_AFTER: Duration = Duration::from_secs(1);

/// Shown after [`SHOW_AFTER`] if stderr is a terminal; removed when dropped.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    started: Instant,
}

impl Bar {
    pub(crate) fn new(work: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(work), ProgressDrawTarget::hidden());
        let style =
            ProgressStyle::with_template("{bar:40} {percent:>3}%  {eta_precise} left  {msg}");
        bar.set_style(style.expect("the template is well formed"));
        Self { bar, started: Instant::now() }
    }

    pub(crate) fn advance(&self, work: u64) {
        self.bar.inc(work);
        if self.bar.is_hidden()
            && self.started.elapsed() > SHOW_AFTER
            && std::io::stderr().is_terminal()
        {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    pub(crate) fn set_message(&self, message: String) {
        self.bar.set_message(message);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
