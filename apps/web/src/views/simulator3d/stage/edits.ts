/** How is what somebody does to the world asked of the engine? */
import type { EngineError } from '../engine-errors.ts';
import type { OrbitCamera } from '../../../shared/stage/orbit-camera.ts';
import type { Edit } from '../protocol.ts';
import type { World } from './world.ts';

/** In m/s: a body goes a hand's breadth before the next key. */
const PUSH = 1.5;

/** It trapped, or a part of it cannot be put in. */
const FAULTS = [WebAssembly.RuntimeError, WebAssembly.CompileError, WebAssembly.LinkError];

/** What changes the world where it is; the others lead to another step. */
export type EditHere = Exclude<Edit, { do: 'undo' | 'redo' }>;

/** The key of the body that it concerns, if there is one; `undefined` if there was nothing to be done. */
export function perform({ simulator }: World, camera: OrbitCamera, edit: EditHere): number | null | undefined {
  switch (edit.do) {
    case 'add':
      return simulator.addWhereFree(JSON.stringify(edit.words), edit.where === 'ground');
    case 'duplicate':
      return simulator.duplicate(edit.key);
    case 'remove':
      return simulator.remove(edit.key) ? null : undefined;
    case 'change':
      simulator.change(edit.key, JSON.stringify(edit.words));
      return edit.key;
    case 'rules':
      simulator.changeRules(JSON.stringify(edit.words));
      return null;
    case 'enclose':
      simulator.enclose();
      return null;
    case 'throw': {
      const { x, y } = edit.place ?? camera.middle;
      return simulator.throw(numbers(camera.eye), numbers(camera.direction(x, y)), camera.distance, edit.name);
    }
    case 'push':
      simulator.push(edit.key, numbers(camera.level(edit).map((part) => part * PUSH)));
      return edit.key;
  }
}

/** The engine's error, whose message is JSON. A crash of the engine is thrown on. */
export function engineError(error: unknown): EngineError {
  if (FAULTS.some((fault) => error instanceof fault)) throw error;
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith('{') ? (JSON.parse(message) as EngineError) : { code: '', message, fields: {} };
}

export function numbers(vector: readonly number[]): Float32Array {
  return new Float32Array(vector);
}
