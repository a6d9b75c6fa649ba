//! Which parts of a module does a page need at first, and how does it get the others?
//!
//! ```text
//! module ──marked──► the same, which notes each stretch of code that is run; somebody runs it
//!    └────outlined────► what was not run of a function is a function of its own
//!             └────split by what was run────► first: those, and a door for every other that they mention
//!                                             rest:  the others; memory, tables, globals and functions are those of first
//! ```
//!
//! A door asks the page for the rest when it is used for the first time, and calls on. So the two are, together, what
//! the module was: what is called too late costs a fetch, and never an answer.

use std::collections::HashSet;

use walrus::ir::Value;
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind,
    GlobalKind, ImportKind, ImportedFunction, LocalFunction, Module, ModuleConfig, RefType,
    TableId, ValType,
};

use crate::outline;
use crate::stretches::{self, functions};

/// What the glue gives to `first` besides what it always does: fetches the rest and puts it into the doors.
pub(crate) const FETCH: &str = "fetchRest";
/// The module from which the rest imports.
pub(crate) const FIRST: &str = "first";
/// The table of what the doors lead to.
const DOORS: &str = "doors";
/// Exports of a marked module that are 1 if the stretch at this place was run.
const RAN: &str = "ran ";

fn read(bytes: &[u8]) -> walrus::Result<Module> {
    let mut config = ModuleConfig::new();
    config.generate_name_section(false).generate_producers_section(false);
    config.parse(bytes)
}

/// The module, noting which stretches are run.
pub(crate) fn marked(bytes: &[u8]) -> walrus::Result<Vec<u8>> {
    let mut module = read(bytes)?;
    let mut count = 0;
    for id in functions(&module) {
        let stretches = stretches::of(module.funcs.get(id).kind.unwrap_local());
        // From behind: the places before stay what they are.
        for (place, (seq, at)) in stretches.iter().enumerate().rev() {
            let place = count + place;
            let zero = ConstExpr::Value(Value::I32(0));
            let was_run = module.globals.add_local(ValType::I32, true, false, zero);
            module.exports.add(&format!("{RAN}{place}"), was_run);
            let function = module.funcs.get_mut(id).kind.unwrap_local_mut();
            let mut body = function.builder_mut().instr_seq(*seq);
            body.global_set_at(*at, was_run).const_at(*at, Value::I32(1));
        }
        count += stretches.len();
    }
    Ok(module.emit_wasm())
}

/// What is needed at first, and the rest.
pub(crate) fn split(bytes: &[u8], ran: &HashSet<usize>) -> walrus::Result<(Vec<u8>, Vec<u8>)> {
    // The same whenever it is made, so that functions have the same places.
    let made = || -> walrus::Result<_> { Ok(outlined(read(bytes)?, ran)) };
    let (whole, called) = made()?;
    let mentioned = mentioned(whole, &called);
    let mut rest = rest(made()?.0, &called, &mentioned);
    let needed: Vec<String> = rest.imports.iter().map(|import| import.name.clone()).collect();
    let mut first = made()?.0;
    put_doors(&mut first, &called, &mentioned);
    export(&mut first, &needed);
    walrus::passes::gc::run(&mut first);
    Ok((first.emit_wasm(), rest.emit_wasm()))
}

/// The module, in which what was not run of a function that was called is a function of its own; and the places of those
/// that were called.
fn outlined(mut module: Module, ran: &HashSet<usize>) -> (Module, HashSet<usize>) {
    let (mut called, mut count) = (HashSet::new(), 0);
    for (place, id) in functions(&module).into_iter().enumerate() {
        let before = count;
        count += stretches::of(module.funcs.get(id).kind.unwrap_local()).len();
        if ran.contains(&before) {
            called.insert(place);
            outline::move_out(&mut module, id, |stretch| ran.contains(&(before + stretch)));
        }
    }
    (module, called)
}

/// The places of those that were not called, but are mentioned by what was, by a table or by an export.
fn mentioned(mut module: Module, called: &HashSet<usize>) -> Vec<usize> {
    let all = functions(&module);
    for (place, &id) in all.iter().enumerate() {
        if !called.contains(&place) {
            let nothing = empty_like(&mut module, id);
            module.funcs.get_mut(id).kind = FunctionKind::Local(nothing);
        }
    }
    walrus::passes::gc::run(&mut module);
    let left: HashSet<FunctionId> = functions(&module).into_iter().collect();
    (0..all.len()).filter(|place| !called.contains(place) && left.contains(&all[*place])).collect()
}

fn empty_like(module: &mut Module, id: FunctionId) -> LocalFunction {
    let (params, results) = signature(module, id);
    let arguments = params.iter().map(|&kind| module.locals.add(kind)).collect();
    let mut builder = FunctionBuilder::new(&mut module.types, &params, &results);
    builder.func_body().unreachable();
    builder.local_func(arguments)
}

fn signature(module: &Module, id: FunctionId) -> (Vec<ValType>, Vec<ValType>) {
    let (params, results) = module.types.params_results(module.funcs.get(id).ty());
    (params.to_vec(), results.to_vec())
}

/// Puts a door in the place of every function that is mentioned and was not called.
fn put_doors(first: &mut Module, called: &HashSet<usize>, mentioned: &[usize]) {
    let all = functions(first);
    let count = mentioned.len() as u64;
    let doors = first.tables.add_local(false, count, Some(count), RefType::FUNCREF);
    first.exports.add(DOORS, doors);
    let nothing = first.types.add(&[], &[]);
    // Where the glue's other functions come from.
    let glue = first.imports.iter().next().map_or_else(String::new, |import| import.module.clone());
    let (fetch, _) = first.add_import_func(&glue, FETCH, nothing);
    let opened = opened(first, doors, fetch);
    for (number, &place) in mentioned.iter().enumerate() {
        let door = door(first, all[place], number, doors, opened);
        first.funcs.get_mut(all[place]).kind = FunctionKind::Local(door);
    }
    // Nobody mentions these.
    for (place, &id) in all.iter().enumerate() {
        if !called.contains(&place) && mentioned.binary_search(&place).is_err() {
            let nothing = empty_like(first, id);
            first.funcs.get_mut(id).kind = FunctionKind::Local(nothing);
        }
    }
}

/// Of the number of a door makes the same number, when there is something behind it.
fn opened(first: &mut Module, doors: TableId, fetch: FunctionId) -> FunctionId {
    let number = first.locals.add(ValType::I32);
    let mut builder = FunctionBuilder::new(&mut first.types, &[ValType::I32], &[ValType::I32]);
    let mut body = builder.func_body();
    body.local_get(number).table_get(doors).ref_is_null();
    body.if_else(
        None,
        |closed| {
            closed.call(fetch);
        },
        |_| (),
    );
    body.local_get(number);
    builder.finish(vec![number], &mut first.funcs)
}

fn door(
    first: &mut Module,
    id: FunctionId,
    number: usize,
    doors: TableId,
    opened: FunctionId,
) -> LocalFunction {
    let kind = first.funcs.get(id).ty();
    let (params, results) = signature(first, id);
    let arguments: Vec<_> = params.iter().map(|&kind| first.locals.add(kind)).collect();
    let mut builder = FunctionBuilder::new(&mut first.types, &params, &results);
    let mut body = builder.func_body();
    for &argument in &arguments {
        body.local_get(argument);
    }
    body.i32_const(number as i32).call(opened).call_indirect(kind, doors);
    builder.local_func(arguments)
}

/// All that was not called and is mentioned, with what that calls.
fn rest(mut rest: Module, called: &HashSet<usize>, mentioned: &[usize]) -> Module {
    let all = functions(&rest);
    // Whoever was first did all that is done once.
    rest.start = None;
    for id in rest.exports.iter().map(walrus::Export::id).collect::<Vec<_>>() {
        rest.exports.delete(id);
    }
    for id in rest.data.iter().map(walrus::Data::id).collect::<Vec<_>>() {
        rest.data.delete(id);
    }
    for id in rest.elements.iter().map(walrus::Element::id).collect::<Vec<_>>() {
        rest.elements.delete(id);
    }
    for (place, import) in rest.imports.iter_mut().enumerate() {
        FIRST.clone_into(&mut import.module);
        import.name = name('i', place);
    }
    for (place, id) in
        rest.memories.iter().map(walrus::Memory::id).collect::<Vec<_>>().into_iter().enumerate()
    {
        let import = rest.imports.add(FIRST, &name('m', place), ImportKind::Memory(id));
        let memory = rest.memories.get_mut(id);
        memory.import = Some(import);
        memory.data_segments.clear();
    }
    for (place, id) in
        rest.tables.iter().map(walrus::Table::id).collect::<Vec<_>>().into_iter().enumerate()
    {
        let import = rest.imports.add(FIRST, &name('t', place), ImportKind::Table(id));
        let table = rest.tables.get_mut(id);
        table.import = Some(import);
        table.elem_segments.clear();
    }
    for (place, id) in
        rest.globals.iter().map(walrus::Global::id).collect::<Vec<_>>().into_iter().enumerate()
    {
        let import = rest.imports.add(FIRST, &name('g', place), ImportKind::Global(id));
        rest.globals.get_mut(id).kind = GlobalKind::Import(import);
    }
    for (place, &id) in all.iter().enumerate().filter(|(place, _)| called.contains(place)) {
        let import = rest.imports.add(FIRST, &name('f', place), ImportKind::Function(id));
        let ty = rest.funcs.get(id).ty();
        rest.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import, ty });
    }
    let count = mentioned.len() as u64;
    let (doors, _) =
        rest.add_import_table(FIRST, DOORS, false, count, Some(count), RefType::FUNCREF);
    let offset = ConstExpr::Value(Value::I32(0));
    let behind = mentioned.iter().map(|&place| all[place]).collect();
    let filled = ElementKind::Active { table: doors, offset };
    let filled = rest.elements.add(filled, ElementItems::Functions(behind));
    rest.tables.get_mut(doors).elem_segments.insert(filled);
    walrus::passes::gc::run(&mut rest);
    rest
}

/// How the rest calls what it has from `first`: the kind and the place among its like.
fn name(kind: char, place: usize) -> String {
    format!("{kind}{place}")
}

/// Lets the rest have what it needs.
fn export(first: &mut Module, needed: &[String]) {
    // Doors stand in the places of what they lead to, so these are the places of the whole module.
    let functions = functions(first);
    let items = |first: &Module, kind: char, place: usize| -> Option<ExportItem> {
        Some(match kind {
            'f' => ExportItem::Function(*functions.get(place)?),
            'm' => ExportItem::Memory(first.memories.iter().nth(place)?.id()),
            't' => ExportItem::Table(first.tables.iter().nth(place)?.id()),
            'g' => ExportItem::Global(first.globals.iter().nth(place)?.id()),
            'i' => match first.imports.iter().nth(place)?.kind {
                ImportKind::Function(id) => ExportItem::Function(id),
                ImportKind::Table(id) => ExportItem::Table(id),
                ImportKind::Memory(id) => ExportItem::Memory(id),
                ImportKind::Global(id) => ExportItem::Global(id),
                ImportKind::Tag(id) => ExportItem::Tag(id),
            },
            _ => return None,
        })
    };
    for name in needed.iter().filter(|name| *name != DOORS) {
        let mut letters = name.chars();
        let (kind, place) =
            (letters.next().unwrap_or(' '), letters.as_str().parse().unwrap_or(usize::MAX));
        if let Some(item) = items(first, kind, place) {
            first.exports.add(name, item);
        }
    }
}
