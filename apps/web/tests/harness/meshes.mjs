/** Generated meshes. */

/**
 * A height field of `side` × `side` squares, as a binary PLY.
 *
 * @param {number} side
 */
export function hillsPly(side) {
  const [vertices, faces] = [(side + 1) ** 2, 2 * side ** 2];
  const head = [
    'ply', 'format binary_little_endian 1.0', `element vertex ${vertices}`, 'property float x', 'property float y', 'property float z',
    `element face ${faces}`, 'property list uchar uint vertex_indices', 'end_header', '',
  ].join('\n');
  const bytes = Buffer.alloc(head.length + 12 * vertices + 13 * faces);
  let at = bytes.write(head, 'latin1');
  for (let row = 0; row <= side; row += 1) {
    for (let column = 0; column <= side; column += 1) {
      const [x, z] = [(10 * column) / side, (10 * row) / side];
      for (const part of [x, Math.sin(x * 1.3) * Math.cos(z * 1.7) + 0.2 * Math.sin(9 * x + 7 * z), z]) at = bytes.writeFloatLE(part, at);
    }
  }
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const a = row * (side + 1) + column;
      for (const corners of [[a, a + side + 1, a + 1], [a + 1, a + side + 1, a + side + 2]]) {
        at = bytes.writeUInt8(3, at);
        for (const corner of corners) at = bytes.writeUInt32LE(corner, at);
      }
    }
  }
  return bytes;
}

/** A tetrahedron in every text format, by file name. */
export const TETRAHEDRA = {
  'four.obj': 'v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n',
  'four.stl': `solid four\n${[[[0, 0, 0], [0, 2, 0], [2, 0, 0]], [[0, 0, 0], [2, 0, 0], [0, 0, 2]], [[0, 0, 0], [0, 0, 2], [0, 2, 0]], [[2, 0, 0], [0, 2, 0], [0, 0, 2]]]
    .map((corners) => `facet normal 0 0 0\nouter loop\n${corners.map((corner) => `vertex ${corner.join(' ')}`).join('\n')}\nendloop\nendfacet`)
    .join('\n')}\nendsolid four\n`,
  'four.ply': 'ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n',
  'four.txt': '0 0 0 0 2 0 2 0 0\n0 0 0 2 0 0 0 0 2\n0 0 0 0 0 2 0 2 0\n2 0 0 0 2 0 0 0 2\n',
  'four.gltf': gltf(),
};

function gltf() {
  const corners = Buffer.from(new Float32Array([0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2]).buffer);
  const index = Buffer.from(new Uint16Array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]).buffer);
  const bytes = Buffer.concat([corners, index]);
  return JSON.stringify({
    asset: { version: '2.0' },
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
    bufferViews: [{ buffer: 0, byteLength: 48 }, { buffer: 0, byteOffset: 48, byteLength: 24 }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [2, 2, 2] },
      { bufferView: 1, componentType: 5123, count: 12, type: 'SCALAR' },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    nodes: [{ mesh: 0 }],
    scenes: [{ nodes: [0] }],
    scene: 0,
  });
}
