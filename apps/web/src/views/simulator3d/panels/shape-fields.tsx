/** Shape of a body: one of five editable kinds with its sizes; all others are kept unchanged. */
import { Row } from '../../../shared/ui/fields.tsx';
import type { CommitCallback } from '../../../shared/ui/form-entry.ts';
import { NumberRow, VectorRow } from '../../../shared/ui/number-rows.tsx';
import type { Vector } from '../../../shared/vector.ts';
import { shapeName } from '../i18n/names.ts';
import { t3d } from '../i18n/translate.ts';

export const NEW_SHAPES = ['sphere', 'box', 'cube', 'capsule', 'hull'] as const;
export type NewShape = (typeof NEW_SHAPES)[number];

type ShapeJson = Record<string, unknown>;

/** A hull with eight faces. */
const OCTAHEDRON = [[0.5, 0, 0], [-0.5, 0, 0], [0, 0.5, 0], [0, -0.5, 0], [0, 0, 0.5], [0, 0, -0.5]];

const DEFAULTS: Record<NewShape, ShapeJson> = {
  sphere: { sphere: { radius: 0.4 } },
  box: { box: { half: [0.4, 0.3, 0.3] } },
  cube: { cube: { half: 0.35 } },
  capsule: { capsule: { half_height: 0.4, radius: 0.2 } },
  hull: { hull: { points: OCTAHEDRON } },
};

export function newShape(kind: NewShape): ShapeJson {
  return DEFAULTS[kind];
}

interface ShapeFieldsProps {
  shape: ShapeJson;
  onCommit: (shape: ShapeJson, onResult?: CommitCallback) => void;
}

export function ShapeFields({ shape, onCommit }: ShapeFieldsProps) {
  const kind = Object.keys(shape)[0] ?? '';
  const known = NEW_SHAPES.find((each) => each === kind);
  return (
    <>
      <Row label={t3d('inspect.shape')} for="body-shape">
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
  onCommit: (shape: ShapeJson, onResult: CommitCallback) => void;
}

function Sizes({ kind, sizes, onCommit }: SizesProps) {
  const change = (change: Record<string, unknown>, onResult: CommitCallback): void =>
    onCommit({ [kind]: { ...sizes, ...change } }, onResult);
  const single = (id: string, key: string, label: string) => (
    <NumberRow
      id={id}
      label={label}
      value={Number(sizes[key])}
      limits={{ above: 0 }}
      onCommit={(value, onResult) => change({ [key]: value }, onResult)}
    />
  );
  switch (kind) {
    case 'sphere':
      return single('body-radius', 'radius', t3d('shape.radius'));
    case 'cube':
      return single('body-half', 'half', t3d('shape.half'));
    case 'capsule':
      return (
        <>
          {single('body-half-height', 'half_height', t3d('shape.half-height'))}
          {single('body-radius', 'radius', t3d('shape.radius'))}
        </>
      );
    case 'box':
      if (!Array.isArray(sizes['half'])) break;
      return (
        <VectorRow
          id="body-half"
          label={t3d('shape.halves')}
          name={(axis) => t3d('shape.halves-of', { axis })}
          value={sizes['half'] as Vector}
          limits={{ above: 0 }}
          onCommit={(half, onResult) => change({ half }, onResult)}
        />
      );
    case 'hull':
      return (
        <p class="field-note">
          {t3d('shape.corners', { count: Array.isArray(sizes['points']) ? sizes['points'].length : 0 })}
        </p>
      );
    default:
  }
  return <p class="field-note">{t3d('shape.kept')}</p>;
}
