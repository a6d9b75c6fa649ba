/**
 * What the 3D view does with its engine until somebody asks for more.
 *
 * `node first.mjs GLUE MODULE` tells the state that it came to and, of a module that notes what is run, what that is. What
 * is run here is in the part of the engine that is fetched when the view is opened; the build runs this over that part, too,
 * which must do without the other and come to the same state. Nothing breaks if something is forgotten here: it is in
 * the other part, which is fetched when it is missed. A view tells a few of the moments that are told here, whichever come.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A second after it all came to rest. */
const STEPS = 900;

const [glue = '', module = ''] = process.argv.slice(2);
const engine = await import(pathToFileURL(resolve(glue)).href);
const exported = engine.initSync({ module: readFileSync(module) });

const { presets } = JSON.parse(engine.catalogue());
/** The scene with which the view begins. */
const simulator = new engine.Simulator(engine.preset(presets[0].name, 1), presets[0].name);
while (!simulator.approach(1e9));
show();
for (let step = 1; step <= STEPS; step += 1) {
  simulator.step();
  simulator.strikes();
  report(undefined);
}
// Somebody selects bodies, goes back in time, and on.
const bodies = JSON.parse(simulator.bodies());
bodies.forEach(({ key }) => report(key));
simulator.headFor(10);
while (!simulator.approach(1e9));
void simulator.goal;
simulator.stay();
simulator.step();
show();
for (let across = -0.5; across <= 0.5; across += 0.02) simulator.pick(new Float32Array([0, 5, 20]), new Float32Array([across, -0.2, -1]));
const { hash } = simulator;
simulator.free();
engine.lastPanic();

const PREFIX = 'ran ';
const ran = Object.entries(exported).filter(([name, global]) => name.startsWith(PREFIX) && global.value === 1);
console.log([hash, ...ran.map(([name]) => name.slice(PREFIX.length))].join('\n'));

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
