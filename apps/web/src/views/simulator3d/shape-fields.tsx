/** What is a body made of? One of five kinds with its sizes; all others are kept as they are. */
import { Row } from '../../shared/fields.tsx';
import type { Answered } from '../../shared/entry.ts';
import { NumberRow, VectorRow } from '../../shared/number-rows.tsx';
import type { Vector } from '../../shared/vector.ts';
import { shapeName } from './names.ts';
import { words3d } from './words.ts';

export const NEW_SHAPES = ['sphere', 'box', 'cube', 'capsule', 'hull'] as const;
export type NewShape = (typeof NEW_SHAPES)[number];

type ShapeWords = Record<string, unknown>;

/** A solid with eight sides. */
const OCTAHEDRON = [[0.5, 0, 0], [-0.5, 0, 0], [0, 0.5, 0], [0, -0.5, 0], [0, 0, 0.5], [0, 0, -0.5]];

const USUAL: Record<NewShape, ShapeWords> = {
  sphere: { sphere: { radius: 0.4 } },
  box: { box: { half: [0.4, 0.3, 0.3] } },
  cube: { cube: { half: 0.35 } },
  capsule: { capsule: { half_height: 0.4, radius: 0.2 } },
  hull: { hull: { points: OCTAHEDRON } },
};

export function newShape(kind: NewShape): ShapeWords {
  return USUAL[kind];
}

interface ShapeFieldsProps {
  shape: ShapeWords;
  onCommit: (shape: ShapeWords, answered?: Answered) => void;
}

export function ShapeFields({ shape, onCommit }: ShapeFieldsProps) {
  const kind = Object.keys(shape)[0] ?? '';
  const known = NEW_SHAPES.find((each) => each === kind);
  return (
    <>
      <Row label={words3d('inspect.shape')} for="body-shape">
        <select
          id="body-shape"
          class="select"
          value={kind}
          onChange={(event) => onCommit(newShape(event.currentTarget.value as NewShape))}
        >
          {known === undefined && (
            <option value={kind} selected>
              {shapeName(kind)}
            </option>
          )}
          {NEW_SHAPES.map((each) => (
            <option key={each} value={each} selected={each === kind}>
              {shapeName(each)}
            </option>
          ))}
        </select>
      </Row>
      <Sizes key={kind} kind={kind} sizes={(shape[kind] ?? {}) as Record<string, unknown>} onCommit={onCommit} />
    </>
  );
}

interface SizesProps {
  kind: string;
  sizes: Record<string, unknown>;
  onCommit: (shape: ShapeWords, answered: Answered) => void;
}

function Sizes({ kind, sizes, onCommit }: SizesProps) {
  const change = (change: Record<string, unknown>, answered: Answered): void =>
    onCommit({ [kind]: { ...sizes, ...change } }, answered);
  const single = (id: string, key: string, label: string) => (
    <NumberRow
      id={id}
      label={label}
      value={Number(sizes[key])}
      limits={{ above: 0 }}
      onCommit={(value, answered) => change({ [key]: value }, answered)}
    />
  );
  switch (kind) {
    case 'sphere':
      return single('body-radius', 'radius', words3d('shape.radius'));
    case 'cube':
      return single('body-half', 'half', words3d('shape.half'));
    case 'capsule':
      return (
        <>
          {single('body-half-height', 'half_height', words3d('shape.half-height'))}
          {single('body-radius', 'radius', words3d('shape.radius'))}
        </>
      );
    case 'box':
      if (!Array.isArray(sizes['half'])) break;
      return (
        <VectorRow
          id="body-half"
          label={words3d('shape.halves')}
          name={(axis) => words3d('shape.halves-of', { axis })}
          value={sizes['half'] as Vector}
          limits={{ above: 0 }}
          onCommit={(half, answered) => change({ half }, answered)}
        />
      );
    case 'hull':
      return (
        <p class="field-note">
          {words3d('shape.corners', { count: Array.isArray(sizes['points']) ? sizes['points'].length : 0 })}
        </p>
      );
    default:
  }
  return <p class="field-note">{words3d('shape.kept')}</p>;
}
