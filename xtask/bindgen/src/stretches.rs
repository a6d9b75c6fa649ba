//! Which stretches of a function run one after another, whatever happens?
//!
//! A stretch ends where it may be left or entered in its middle: before and after a block, a loop or an `if`, and after a
//! branch. What was not run of a sequence is its end: whoever does not come to one stretch does not come to the next.

use std::collections::HashSet;

use walrus::ir::{Instr, InstrSeqId};
use walrus::{FunctionId, LocalFunction, Module};

/// A sequence, and the place in it where a stretch begins.
pub(crate) type Stretch = (InstrSeqId, usize);

/// The functions that are not imported, in the order of the module: their places are what all sides speak of.
pub(crate) fn functions(module: &Module) -> Vec<FunctionId> {
    module.funcs.iter_local().map(|(id, _)| id).collect()
}

/// All of a function, the first of them first; those of one sequence in order.
pub(crate) fn of(function: &LocalFunction) -> Vec<Stretch> {
    let mut all = Vec::new();
    let mut left = vec![function.entry_block()];
    while let Some(seq) = left.pop() {
        all.extend(begins(function, seq).map(|at| (seq, at)));
        left.extend(function.block(seq).iter().flat_map(|(instr, _)| within(instr)));
    }
    all
}

fn begins(function: &LocalFunction, seq: InstrSeqId) -> impl Iterator<Item = usize> {
    let instrs = &function.block(seq).instrs;
    let may_part = |instr: &Instr| !within(instr).is_empty() || matches!(instr, Instr::BrIf(_));
    (0..instrs.len().max(1)).filter(move |&at| at == 0 || may_part(&instrs[at - 1].0))
}

/// The sequences in an instruction.
pub(crate) fn within(instr: &Instr) -> Vec<InstrSeqId> {
    match instr {
        Instr::Block(block) => vec![block.seq],
        Instr::Loop(block) => vec![block.seq],
        Instr::IfElse(either) => vec![either.consequent, either.alternative],
        _ => Vec::new(),
    }
}

/// Where each sequence begins not to be run, in what is run; given which of the stretches were, by their places in `of`.
pub(crate) fn ends_not_run(function: &LocalFunction, ran: impl Fn(usize) -> bool) -> Vec<Stretch> {
    let not_run: Vec<Stretch> = of(function)
        .into_iter()
        .zip(0..)
        .filter(|&(_, place)| !ran(place))
        .map(|(it, _)| it)
        .collect();
    let mut seen = HashSet::new();
    let mut ends = Vec::new();
    let mut left = vec![function.entry_block()];
    while let Some(seq) = left.pop() {
        let end = not_run.iter().find(|stretch| stretch.0 == seq).map(|stretch| stretch.1);
        let instrs = &function.block(seq).instrs;
        let run = &instrs[..end.unwrap_or(instrs.len())];
        left.extend(run.iter().flat_map(|(instr, _)| within(instr)));
        if let Some(at) = end.filter(|_| seen.insert(seq)) {
            ends.push((seq, at));
        }
    }
    ends
}
