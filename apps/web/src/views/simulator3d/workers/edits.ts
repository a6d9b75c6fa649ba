/** Applies the user's edits to the engine. */
import type { EngineError } from '../i18n/engine-errors.ts';
import type { OrbitCamera } from '../../../shared/webgl/orbit-camera.ts';
import type { Edit } from './protocol.ts';
import type { World } from './world.ts';

/** In m/s: about 10 cm until the next key repeat. */
const PUSH = 1.5;

/** Edits of the current state; the others lead to another step. */
export type EditHere = Exclude<Edit, { do: 'undo' | 'redo' }>;

/** Returns the key of the affected body, if any; `undefined` if nothing was done. */
export function perform({ simulator }: Pick<World, 'simulator'>, camera: OrbitCamera, edit: EditHere): number | null | undefined {
  switch (edit.do) {
    case 'add':
      return simulator.addWhereFree(JSON.stringify(edit.json), edit.where === 'ground', numbers(camera.target));
    case 'duplicate':
      return simulator.duplicate(edit.key);
    case 'remove':
      return simulator.remove(edit.key) ? null : undefined;
    case 'clear':
      return simulator.clear() ? null : undefined;
    case 'change':
      simulator.change(edit.key, JSON.stringify(edit.json));
      return edit.key;
    case 'rules':
      simulator.changeSettings(JSON.stringify(edit.json));
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

/** The engine's error, whose message is JSON. Traps, which are failures of the engine, propagate. */
export function engineError(error: unknown): EngineError {
  if (error instanceof WebAssembly.RuntimeError) throw error;
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith('{') ? (JSON.parse(message) as EngineError) : { code: '', message, fields: {} };
}

export function numbers(vector: readonly number[]): Float32Array {
  return new Float32Array(vector);
}
