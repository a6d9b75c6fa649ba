/**
 * What the 3D view does with its engine until somebody asks for more.
 *
 * `node first.mjs GLUE MARKED`: the build runs this over a module that notes what is called, and what is called here is in
 * the part of the engine that is fetched when the view is opened. Nothing breaks if something is forgotten here: it is in
 * the other part, which is fetched when it is missed.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A second after it all came to rest. */
const STEPS = 900;

const [glue = '', marked = ''] = process.argv.slice(2);
const engine = await import(pathToFileURL(resolve(glue)).href);
const exported = engine.initSync({ module: readFileSync(marked) });

const { presets } = JSON.parse(engine.catalogue());
/** The scene with which the view begins. */
const simulator = new engine.Simulator(engine.preset(presets[0].name, 1), presets[0].name);
while (!simulator.approach(1e9));
show();
for (let step = 1; step <= STEPS; step += 1) {
  simulator.step();
  simulator.strikes();
  if (step % 20 === 0) report(undefined);
}
// Somebody selects a body, goes back in time, and on.
const [first] = JSON.parse(simulator.bodies());
report(first.key);
simulator.headFor(10);
while (!simulator.approach(1e9));
void simulator.goal;
simulator.stay();
simulator.step();
show();
simulator.pick(new Float32Array([0, 5, 20]), new Float32Array([0, -0.2, -1]));
simulator.free();
engine.lastPanic();

const PREFIX = 'called ';
const called = Object.entries(exported).filter(([name, global]) => name.startsWith(PREFIX) && global.value === 1);
console.log(called.map(([name]) => name.slice(PREFIX.length)).join('\n'));

/** What is told and drawn of other bodies. */
function show() {
  JSON.parse(simulator.rules());
  JSON.parse(simulator.bodies());
  simulator.words();
  void [simulator.version, simulator.shapeVersion, simulator.undoable, simulator.redoable, simulator.isAsOpened];
  simulator.draw();
  for (const numbers of ['drawnVertices', 'drawnTriangles', 'drawnEdges', 'drawnRanges']) simulator[numbers]();
  report(undefined);
}

/** What is told and drawn of a moment. */
function report(key) {
  void [simulator.rowLengths, simulator.at, simulator.last, simulator.hash];
  simulator.figures();
  simulator.contacts(key, 0);
  if (key !== undefined) simulator.body(key);
  simulator.look();
  for (const numbers of ['lookBodies', 'lookBoxes', 'lookMotions', 'lookContacts', 'lookJoints', 'lookGrounds']) simulator[numbers]();
  simulator.pulled();
}
