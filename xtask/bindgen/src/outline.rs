//! How does a part of a function that is not run become a function of its own?
//!
//! ```text
//! f: … br_if out … [what is not run] end     ──►     f: … br_if out … call g, go where g says
//!                                                    g: [what is not run], says where it would have gone
//! ```
//!
//! `g` is given the values of the locals that it reads, and gives back those that it changes. Where it would have left `f`
//! or gone to another place in it, it says so by a number. So the two do what `f` did. What cannot be moved so stays.

use std::collections::{HashMap, HashSet};

use walrus::ir::{
    BinaryOp, Binop, Block, Br, BrIf, BrTable, Call, Const, IfElse, Instr, InstrSeqId,
    InstrSeqType, LocalGet, LocalId, LocalSet, LocalTee, Loop, Return, Unreachable, Value,
};
use walrus::{FunctionBuilder, FunctionId, LocalFunction, Module, ValType};

use crate::stretches::{self, Stretch, within};

/// A call and a door take the place of what is moved: so many instructions, and more for each value that is handed over.
const DOOR: usize = 16;
const A_VALUE: usize = 2;

/// Moves all ends of sequences out of a function that are not run in it.
pub(crate) fn move_out(module: &mut Module, id: FunctionId, ran: impl Fn(usize) -> bool) {
    for end in stretches::ends_not_run(module.funcs.get(id).kind.unwrap_local(), ran) {
        if let Some(plan) = Plan::of(module, id, end) {
            plan.carry_out(module, id);
        }
    }
}

/// How what was moved goes on.
#[derive(Clone, Copy, PartialEq)]
enum Exit {
    /// Behind what was moved.
    On,
    To(InstrSeqId),
    Return,
}

struct Plan {
    end: Stretch,
    moved: Vec<Instr>,
    exits: Vec<Exit>,
    /// Locals whose values it is given, and those of them that it gives back.
    given: Vec<LocalId>,
    back: Vec<LocalId>,
    /// What the function returns, if it returns in what is moved.
    returned: Vec<ValType>,
}

impl Plan {
    /// None if it is not worth it, or cannot be done.
    fn of(module: &Module, id: FunctionId, (seq, at): Stretch) -> Option<Self> {
        let function = module.funcs.get(id).kind.unwrap_local();
        let entry = function.entry_block();
        let moved = instrs(function, seq).split_off(at);
        let mut told = Told::default();
        told.walk(function, &moved, 0);
        let results = module.types.results(function.ty());
        let plain = |seq: InstrSeqId| function.block(seq).ty == InstrSeqType::Simple(None);
        let comes_to_its_end = !moved.last().is_some_and(never_goes_on);
        let returns_at_its_end = comes_to_its_end && seq == entry;
        if comes_to_its_end && seq != entry && !plain(seq) {
            return None;
        }
        let mut exits: Vec<Exit> = Vec::new();
        if comes_to_its_end && seq != entry {
            exits.push(Exit::On);
        }
        for &target in told.targets.iter().filter(|target| !told.inside.contains(target)) {
            // A branch that carries values.
            if if target == entry { !results.is_empty() } else { !plain(target) } {
                return None;
            }
            let exit = if target == entry { Exit::Return } else { Exit::To(target) };
            if !exits.contains(&exit) {
                exits.push(exit);
            }
        }
        let returns = returns_at_its_end || told.returns || exits.contains(&Exit::Return);
        exits.retain(|&exit| exit != Exit::Return);
        let goes_on = !exits.is_empty();
        if returns {
            exits.push(Exit::Return);
        }
        let mut whole = Told::default();
        whole.walk(function, &instrs(function, entry), 0);
        let is_read_after = |local: &LocalId| {
            whole.gets.get(local) > told.gets.get(local) || told.read.contains(local)
        };
        let back: Vec<LocalId> =
            told.written.iter().copied().filter(|local| goes_on && is_read_after(local)).collect();
        let mut given = told.read;
        given.extend(
            back.iter().filter(|local| !given.contains(local)).copied().collect::<Vec<_>>(),
        );
        let worth = told.count >= DOOR + A_VALUE * (given.len() + back.len());
        let returned = if returns { results.to_vec() } else { Vec::new() };
        worth.then_some(Self { end: (seq, at), moved, exits, given, back, returned })
    }

    fn carry_out(self, module: &mut Module, id: FunctionId) {
        let made = self.make(module, id);
        let (seq, at) = self.end;
        let number = module.locals.add(ValType::I32);
        let returned: Vec<LocalId> =
            self.returned.iter().map(|&kind| module.locals.add(kind)).collect();
        let mut instead: Vec<Instr> = self.given.iter().map(|&local| get(local)).collect();
        instead.push(Call { func: made }.into());
        if self.exits.len() > 1 {
            instead.push(set(number));
        }
        instead.extend(returned.iter().rev().map(|&local| set(local)));
        instead.extend(self.back.iter().rev().map(|&local| set(local)));
        let function = module.funcs.get_mut(id).kind.unwrap_local_mut();
        let mut leave: Vec<Instr> = returned.iter().map(|&local| get(local)).collect();
        leave.push(Return {}.into());
        let last = self.exits.len().wrapping_sub(1);
        let goes_on = self.exits.first() == Some(&Exit::On);
        for (place, &exit) in self.exits.iter().enumerate() {
            let surely = place == last && !goes_on;
            match exit {
                Exit::On => {}
                Exit::To(target) if surely => instead.push(Br { block: target }.into()),
                Exit::To(target) => {
                    instead.extend(is(number, place));
                    instead.push(BrIf { block: target }.into());
                }
                Exit::Return if surely => instead.append(&mut leave),
                Exit::Return => {
                    instead.extend(is(number, place));
                    let [consequent, alternative] =
                        [(); 2].map(|()| function.builder_mut().dangling_instr_seq(None).id());
                    fill(function, consequent, std::mem::take(&mut leave));
                    instead.push(IfElse { consequent, alternative }.into());
                }
            }
        }
        if self.exits.is_empty() {
            instead.push(Unreachable {}.into());
        }
        function.block_mut(seq).instrs.truncate(at);
        fill(function, seq, instead);
    }

    /// The function that does what is moved.
    fn make(&self, module: &mut Module, id: FunctionId) -> FunctionId {
        let kinds = |module: &Module, locals: &[LocalId]| -> Vec<ValType> {
            locals.iter().map(|&local| module.locals.get(local).ty()).collect()
        };
        let params = kinds(module, &self.given);
        let mut results = kinds(module, &self.back);
        results.extend(&self.returned);
        results.extend((self.exits.len() > 1).then_some(ValType::I32));
        let arguments: Vec<LocalId> = params.iter().map(|&kind| module.locals.add(kind)).collect();
        let returned: Vec<LocalId> =
            self.returned.iter().map(|&kind| module.locals.add(kind)).collect();
        let mut builder = FunctionBuilder::new(&mut module.types, &params, &results);
        let mut copy = Copy {
            locals: self.given.iter().copied().zip(arguments.iter().copied()).collect(),
            seqs: HashMap::new(),
            returned: returned.clone(),
            leave: None,
        };
        let doors: Vec<Option<InstrSeqId>> = self
            .exits
            .iter()
            .map(|&exit| (exit != Exit::On).then(|| builder.dangling_instr_seq(None).id()))
            .collect();
        let entry = module.funcs.get(id).kind.unwrap_local().entry_block();
        for (&exit, &door) in self.exits.iter().zip(&doors) {
            match (exit, door) {
                (Exit::To(target), Some(door)) => drop(copy.seqs.insert(target, door)),
                (Exit::Return, Some(door)) => {
                    copy.seqs.insert(entry, door);
                    copy.leave = Some(door);
                }
                _ => {}
            }
        }
        let mut body = Vec::new();
        for instr in &self.moved {
            copy.instr(module, id, &mut builder, instr, &mut body);
        }
        let give = |copy: &Copy, place: usize, body: &mut Vec<Instr>| {
            body.extend(self.back.iter().map(|local| get(copy.locals[local])));
            body.extend(returned.iter().map(|&local| get(local)));
            if self.exits.len() > 1 {
                body.push(number(place));
            }
            body.push(Return {}.into());
        };
        if !self.moved.last().is_some_and(never_goes_on) {
            if self.exits.first() == Some(&Exit::On) {
                give(&copy, 0, &mut body);
            } else {
                // At the end of the whole function: its results are there.
                body.extend(returned.iter().rev().map(|&local| set(local)));
                give(&copy, self.exits.len() - 1, &mut body);
            }
        }
        for (place, door) in doors.into_iter().enumerate() {
            if let Some(door) = door {
                let inner = std::mem::replace(&mut body, vec![Block { seq: door }.into()]);
                builder.instr_seq(door).instrs_mut().extend(inner.into_iter().map(placed));
                give(&copy, place, &mut body);
            }
        }
        builder.func_body().instrs_mut().extend(body.into_iter().map(placed));
        builder.finish(arguments, &mut module.funcs)
    }
}

/// What is known of instructions.
#[derive(Default)]
struct Told {
    count: usize,
    inside: HashSet<InstrSeqId>,
    targets: Vec<InstrSeqId>,
    returns: bool,
    gets: HashMap<LocalId, usize>,
    /// Those that are, or may be, read before they are written.
    read: Vec<LocalId>,
    written: Vec<LocalId>,
    /// Those that are written for certain.
    known: HashSet<LocalId>,
}

impl Told {
    fn walk(&mut self, function: &LocalFunction, run: &[Instr], depth: usize) {
        for instr in run {
            self.count += 1;
            match instr {
                Instr::LocalGet(LocalGet { local }) => {
                    *self.gets.entry(*local).or_default() += 1;
                    if !self.known.contains(local) && !self.read.contains(local) {
                        self.read.push(*local);
                    }
                }
                Instr::LocalSet(LocalSet { local }) | Instr::LocalTee(LocalTee { local }) => {
                    if !self.written.contains(local) {
                        self.written.push(*local);
                    }
                    if depth == 0 {
                        self.known.insert(*local);
                    }
                }
                Instr::Br(Br { block }) | Instr::BrIf(BrIf { block }) => self.targets.push(*block),
                Instr::BrTable(BrTable { blocks, default }) => {
                    self.targets.extend(blocks.iter().chain([default]));
                }
                Instr::Return(_) => self.returns = true,
                _ => {}
            }
            for seq in within(instr) {
                self.inside.insert(seq);
                self.walk(function, &instrs(function, seq), depth + 1);
            }
        }
    }
}

/// What stands for what in the function that is made.
struct Copy {
    locals: HashMap<LocalId, LocalId>,
    seqs: HashMap<InstrSeqId, InstrSeqId>,
    /// Where what the function returns is put, and where it goes then.
    returned: Vec<LocalId>,
    leave: Option<InstrSeqId>,
}

impl Copy {
    fn instr(
        &mut self,
        module: &mut Module,
        id: FunctionId,
        builder: &mut FunctionBuilder,
        instr: &Instr,
        into: &mut Vec<Instr>,
    ) {
        let copied: Instr = match instr {
            Instr::LocalGet(it) => get(self.local(module, it.local)),
            Instr::LocalSet(it) => set(self.local(module, it.local)),
            Instr::LocalTee(it) => LocalTee { local: self.local(module, it.local) }.into(),
            Instr::Block(it) => Block { seq: self.seq(module, id, builder, it.seq) }.into(),
            Instr::Loop(it) => Loop { seq: self.seq(module, id, builder, it.seq) }.into(),
            Instr::IfElse(it) => IfElse {
                consequent: self.seq(module, id, builder, it.consequent),
                alternative: self.seq(module, id, builder, it.alternative),
            }
            .into(),
            Instr::Br(it) => Br { block: self.seqs[&it.block] }.into(),
            Instr::BrIf(it) => BrIf { block: self.seqs[&it.block] }.into(),
            Instr::BrTable(it) => BrTable {
                blocks: it.blocks.iter().map(|block| self.seqs[block]).collect(),
                default: self.seqs[&it.default],
            }
            .into(),
            Instr::Return(_) => {
                into.extend(self.returned.iter().rev().map(|&local| set(local)));
                self.leave.map_or_else(|| Return {}.into(), |block| Br { block }.into())
            }
            other => other.clone(),
        };
        into.push(copied);
    }

    fn local(&mut self, module: &mut Module, local: LocalId) -> LocalId {
        *self.locals.entry(local).or_insert_with(|| {
            let kind = module.locals.get(local).ty();
            module.locals.add(kind)
        })
    }

    fn seq(
        &mut self,
        module: &mut Module,
        id: FunctionId,
        builder: &mut FunctionBuilder,
        seq: InstrSeqId,
    ) -> InstrSeqId {
        let function = module.funcs.get(id).kind.unwrap_local();
        let original = instrs(function, seq);
        let copied = builder.dangling_instr_seq(function.block(seq).ty).id();
        self.seqs.insert(seq, copied);
        let mut into = Vec::new();
        for instr in &original {
            self.instr(module, id, builder, instr, &mut into);
        }
        builder.instr_seq(copied).instrs_mut().extend(into.into_iter().map(placed));
        copied
    }
}

fn instrs(function: &LocalFunction, seq: InstrSeqId) -> Vec<Instr> {
    function.block(seq).iter().map(|(instr, _)| instr.clone()).collect()
}

/// Whether nothing comes after it.
fn never_goes_on(instr: &Instr) -> bool {
    matches!(instr, Instr::Br(_) | Instr::BrTable(_) | Instr::Return(_) | Instr::Unreachable(_))
}

fn get(local: LocalId) -> Instr {
    LocalGet { local }.into()
}

fn set(local: LocalId) -> Instr {
    LocalSet { local }.into()
}

fn number(place: usize) -> Instr {
    Const { value: Value::I32(place as i32) }.into()
}

fn is(local: LocalId, place: usize) -> [Instr; 3] {
    [get(local), number(place), Binop { op: BinaryOp::I32Eq }.into()]
}

fn placed(instr: Instr) -> (Instr, walrus::ir::InstrLocId) {
    (instr, walrus::ir::InstrLocId::default())
}

fn fill(function: &mut LocalFunction, seq: InstrSeqId, instrs: Vec<Instr>) {
    function.block_mut(seq).instrs.extend(instrs.into_iter().map(placed));
}
