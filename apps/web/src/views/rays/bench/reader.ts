/** How is a mesh file read? By a module of its own, fetched when the first is opened. */

// Both are made by `cargo xtask web`.
import init, { lastPanic, MeshFile } from '../../../generated/meshes/embate_web_meshes.js';
import address from '../../../generated/meshes/embate_web_meshes_bg.wasm?url';

export interface Read {
  positions: Float32Array;
  triangles: Uint32Array;
  format: string;
  fileBytes: number;
}

/** Throws what is wrong with it, in one line; or what the reader died of. */
export async function readMesh(bytes: Uint8Array, name: string): Promise<Read> {
  await init({ module_or_path: address });
  try {
    const file = new MeshFile(bytes, name);
    const { positions, triangles, format, fileBytes } = file;
    file.free();
    return { positions, triangles, format, fileBytes };
  } catch (error) {
    // The trap itself is only "unreachable".
    if (error instanceof WebAssembly.RuntimeError) throw new WebAssembly.RuntimeError(lastPanic() || error.message);
    throw error;
  }
}
