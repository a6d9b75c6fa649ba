/** Command lines of `embate` that compute what the page shows. */
import type { Catalog, Source } from '../workers/protocol.ts';

/** Formats that `embate scene` and the page write. */
export const MESH_FORMATS = ['ply', 'obj', 'txt'] as const;
export type MeshFormat = (typeof MESH_FORMATS)[number];

export type Scene = Extract<Source, { scene: string }>;

/** File name of a generated scene: that of a random one names its number of triangles and its seed. */
export function sceneFile({ scene, count, seed }: Scene, format: MeshFormat, catalog: Catalog | null): string {
  return isRandom(scene, catalog) ? `${scene}-${count}-${seed}.${format}` : `${scene}.${format}`;
}

/**
 * The commands, one per line, in which `read` stands for the one that reads the mesh: a generated
 * scene is written first.
 */
export function commandsOf(source: Source, catalog: Catalog | null, read: (file: string) => string): string {
  if ('file' in source) return read(shellWord(source.file.name));
  const { scene, count, seed } = source;
  const file = sceneFile(source, 'ply', catalog);
  const chosen = isRandom(scene, catalog) ? ` --triangles ${count} --seed ${seed}` : '';
  return `embate scene ${scene}${chosen} --out ${file}\n${read(file)}`;
}

function isRandom(scene: string, catalog: Catalog | null): boolean {
  return catalog?.scenes.find(({ name }) => name === scene)?.isRandom === true;
}

/** A file name as one word of a command line. */
export function shellWord(name: string): string {
  // A name that begins with a hyphen would be taken for an option.
  const path = name.startsWith('-') ? `./${name}` : name;
  return /^[\w./,:=@%+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
