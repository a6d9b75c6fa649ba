/**
 * The question of the view and the approach of each technique, with a drawing that animates once
 * unless reduced motion is preferred.
 */
import { useSignal } from '@preact/signals';

import { Button } from '../../../shared/ui/button.tsx';
import { t } from '../../../shared/i18n/translate.ts';
import { isWide } from '../../../shared/media.ts';
import { tRays } from '../i18n/translate.ts';

/** Positions of triangles in a square of 60; most are in the upper right. */
const CRUMBS: readonly (readonly [x: number, y: number])[] = [
  [8, 9], [20, 20], [9, 38], [22, 50], [38, 50], [52, 40], [35, 5], [41, 11], [51, 7], [35, 19], [42, 27], [48.5, 18.7], [56, 18.5], [48, 27],
];
/** The ray goes from the lower left to the upper right and hits this triangle. */
const HIT = 11;
const RAY = { from: [2, 46.5], to: [48.5, 19.1] } as const;
/** Octree with at most two triangles per cell, in two dimensions: three levels of squares. */
const GRID = 'M30 0v60M0 30h60M45 0v30M30 15h30M52.5 15v15M45 22.5h15';
/** Its cells that the ray crosses up to the hit, one of each level. */
const CELLS: readonly (readonly [x: number, y: number, size: number])[] = [[0, 30, 30], [30, 15, 15], [45, 15, 7.5]];
/** Nodes that the ray crosses: on the left it misses both children, on the right it enters both. */
const BOXES: readonly (readonly [x: number, y: number, width: number, height: number])[] = [
  [5.8, 6.8, 16.8, 33], [32.8, 16.5, 18.3, 12.3], [32.8, 16.8, 11.8, 12], [46.3, 16.5, 4.8, 4],
];

interface Drawn {
  name: 'brute' | 'octree' | 'bvh';
  /** Tested triangles, in order. */
  tested: readonly number[];
  boxes: readonly (readonly [x: number, y: number, width: number, height: number])[];
}

const DRAWINGS: readonly Drawn[] = [
  { name: 'brute', tested: CRUMBS.map((_, place) => place), boxes: [] },
  { name: 'octree', tested: [2, 3, 9, 10, HIT], boxes: CELLS.map(([x, y, size]) => [x, y, size, size]) },
  { name: 'bvh', tested: [9, 10, HIT], boxes: BOXES },
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
        {(['brute', 'octree', 'bvh', 'try'] as const).map((name) => (
          <p key={name} class="muted small">
            {tRays(`guide.${name}`)}
          </p>
        ))}
        <details class="guide-more">
          <summary class="small">{tRays('guide.more')}</summary>
          <p class="muted small">{tRays('guide.further')}</p>
          <p class="muted small">{tRays('guide.credit')}</p>
        </details>
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
        {name === 'octree' && <path class="guide-grid" d={GRID} />}
        {boxes.map(([x, y, width, height], place) => (
          <rect key={place} class="guide-box" x={x} y={y} width={width} height={height} style={when(place, boxes.length)} />
        ))}
        {CRUMBS.map(([x, y], place) => {
          const turn = tested.indexOf(place);
          const corners = `${x},${y - 2.2} ${x + 2.6},${y + 1.8} ${x - 2.2},${y + 1.4}`;
          const isHit = place === HIT;
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
