/**
 * The question of the view and the approach of each technique, with a drawing that animates once
 * unless reduced motion is preferred.
 */
import { useSignal } from '@preact/signals';

import { Button } from '../../../shared/ui/button.tsx';
import { t } from '../../../shared/i18n/translate.ts';
import { isWide } from '../../../shared/media.ts';
import { tRays } from '../i18n/translate.ts';

/** Positions of triangles in a square of 60. */
const CRUMBS: readonly (readonly [x: number, y: number])[] = [
  [7, 8], [16, 5], [24, 12], [38, 6], [52, 9], [8, 24], [20, 22], [35, 19], [50, 25], [12, 38], [27, 35], [44, 40], [10, 52], [36, 53],
];
/** The ray goes from the lower left to the upper right and hits the last of these triangles. */
const RAY = { from: [2, 47], to: [58, 14] } as const;
const CELLS: readonly (readonly [x: number, y: number, size: number])[] = [[0, 30, 30], [15, 30, 15], [15, 15, 15], [30, 15, 15], [45, 15, 15]];
const BOXES: readonly (readonly [x: number, y: number, width: number, height: number])[] = [[3, 15, 30, 42], [5, 34, 30, 12], [31, 15, 25, 18]];

interface Drawn {
  name: 'brute' | 'octree' | 'bvh';
  /** Tested triangles, in order. */
  tested: readonly number[];
  boxes: readonly (readonly [x: number, y: number, width: number, height: number])[];
}

const DRAWINGS: readonly Drawn[] = [
  { name: 'brute', tested: CRUMBS.map((_, place) => place), boxes: [] },
  { name: 'octree', tested: [9, 10, 6, 7, 8], boxes: CELLS.map(([x, y, size]) => [x, y, size, size]) },
  { name: 'bvh', tested: [9, 10, 8], boxes: BOXES },
];

export function Guide() {
  const shows = useSignal(0);
  return (
    <section class="panel panel-about panel-guide" aria-label={t('about.title')}>
      <details open={isWide.peek()}>
        <summary>
          <h2>{t('about.title')}</h2>
        </summary>
        <p class="muted small">{tRays('guide.question')}</p>
        <div class="guide-drawings" role="img" aria-label={tRays('guide.drawing')} key={shows.value}>
          {DRAWINGS.map((drawn) => (
            <Drawing key={drawn.name} {...drawn} />
          ))}
        </div>
        <Button class="compact guide-again" onClick={() => (shows.value += 1)}>
          {tRays('guide.again')}
        </Button>
        {(['brute', 'octree', 'bvh', 'try', 'credit'] as const).map((name) => (
          <p key={name} class="muted small">
            {tRays(`guide.${name}`)}
          </p>
        ))}
      </details>
    </section>
  );
}

/** Duration of the animation in seconds. */
const LONG_S = 3.6;

function Drawing({ name, tested, boxes }: Drawn) {
  const when = (place: number, of: number): { animationDelay: string } => ({ animationDelay: `${((LONG_S * place) / of).toFixed(2)}s` });
  return (
    <figure>
      <svg viewBox="0 0 60 60" aria-hidden="true">
        <rect class="guide-frame" x="0.5" y="0.5" width="59" height="59" />
        {name === 'octree' && <path class="guide-grid" d="M30 0v60M0 30h60M15 0v60M0 15h60M45 0v60M0 45h60" />}
        {boxes.map(([x, y, width, height], place) => (
          <rect key={place} class="guide-box" x={x} y={y} width={width} height={height} style={when(place, boxes.length)} />
        ))}
        {CRUMBS.map(([x, y], place) => {
          const turn = tested.indexOf(place);
          const corners = `${x},${y - 3} ${x + 3.5},${y + 2.5} ${x - 3},${y + 2}`;
          const isHit = place === 8;
          return (
            <polygon
              key={place}
              class={`guide-triangle ${turn >= 0 ? 'tested' : ''} ${isHit ? 'hit' : ''}`}
              points={corners}
              style={turn >= 0 ? when(turn, tested.length) : undefined}
            />
          );
        })}
        <line class="guide-ray" x1={RAY.from[0]} y1={RAY.from[1]} x2={RAY.to[0]} y2={RAY.to[1]} />
        <circle class="guide-origin" cx={RAY.from[0]} cy={RAY.from[1]} r="1.6" />
      </svg>
      <figcaption class="small">
        {tRays(`structure.${name}-name`)} <strong>{tested.length}</strong>
      </figcaption>
    </figure>
  );
}
