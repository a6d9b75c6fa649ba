/**
 * Small animated drawing of each study's question.
 *
 * Animated by CSS, static if reduced motion is preferred: each drawing is complete without motion.
 */
import type { StudyName } from '../workers/protocol.ts';
import { tStudies } from '../i18n/translate.ts';

export function Drawing({ study }: { study: StudyName }) {
  const Drawn = DRAWN[study];
  return (
    <svg key={study} class="drawing" viewBox="0 0 240 120" role="img" aria-label={tStudies(`guide.${study}.drawing`)}>
      <Drawn />
    </svg>
  );
}

const DRAWN: Record<StudyName, () => preact.JSX.Element> = { rays: Rays, broad2d: Grid, broad3d: Sweep, simulator: Meeting, 'triangle-tests': Edge };

/** Cells crossed by the ray, in order: x, y, edge. */
const CROSSED = [
  [60, 60, 60],
  [120, 60, 30],
  [120, 30, 30],
  [150, 30, 15],
  [165, 15, 15],
] as const;

function Rays() {
  return (
    <>
      <g class="drawn-lines">
        <path d="M60 0h120v120H60zM120 0v120M60 60h120M150 0v60M120 30h60M165 0v30M150 15h30" />
        <path d="M165 30v30M150 45h30" />
      </g>
      {CROSSED.map(([x, y, edge], place) => (
        <rect key={place} class="drawn-cell" style={{ animationDelay: `${place * 0.5}s` }} x={x} y={y} width={edge} height={edge} />
      ))}
      <path class="drawn-free" d="M80 14l16 8-14 10zM70 96l18-4-6 14zM134 74l14 12-18 6zM126 8l10 2-8 8z" />
      <path class="drawn-touching" d="M168 17l9 4-8 7z" />
      <path class="drawn-ray" pathLength="1" d="M62 118 172 22" />
    </>
  );
}

/** Start positions and directions of the discs. */
const DISCS = [
  [40, 30, 'a'],
  [200, 90, 'b'],
  [90, 95, 'c'],
  [160, 25, 'd'],
  [110, 50, 'e'],
] as const;

function Grid() {
  const across = Array.from({ length: 7 }, (_, place) => `M${place * 40} 0v120`).join('');
  return (
    <>
      <path class="drawn-lines" d={`${across}M0 0h240M0 40h240M0 80h240M0 120h240`} />
      <rect class="drawn-cell drawn-shared" x="120" y="40" width="40" height="40" />
      {DISCS.map(([x, y, way]) => (
        <circle key={way} class={`drawn-free drawn-disc way-${way}`} cx={x} cy={y} r="9" />
      ))}
      <circle class="drawn-touching drawn-pair" cx="134" cy="58" r="9" />
      <circle class="drawn-touching drawn-pair" cx="147" cy="62" r="9" />
    </>
  );
}

/** Left, top, width, height. */
const BOXES = [
  [20, 20, 34, 24],
  [44, 52, 30, 22],
  [104, 14, 26, 30],
  [118, 36, 36, 26],
  [186, 40, 32, 26],
] as const;

function Sweep() {
  return (
    <>
      {BOXES.map(([x, y, width, height], place) => (
        <g key={place}>
          <rect class={place === 2 || place === 3 ? 'drawn-touching' : 'drawn-free'} x={x} y={y} width={width} height={height} />
          <path class="drawn-shadow" d={`M${x} ${y + height}V100M${x + width} ${y + height}V100`} />
          <path class="drawn-interval" d={`M${x} ${98 + (place % 2) * 8}h${width}`} />
        </g>
      ))}
      <path class="drawn-lines" d="M8 112h224" />
      <path class="drawn-ray drawn-sweep" d="M12 6v108" />
    </>
  );
}

function Meeting() {
  return (
    <>
      <path class="drawn-lines" d="M10 96h220" />
      <circle class="drawn-free drawn-left" cx="92" cy="70" r="26" />
      <circle class="drawn-free drawn-right" cx="148" cy="76" r="20" />
      <path class="drawn-normal" d="M119 73h20m-6-5 6 5-6 5M119 73H99m6-5-6 5 6 5" />
    </>
  );
}

/** Triangles around a vertex, and a ray at one of their edges. */
function Edge() {
  return (
    <>
      <path class="drawn-free" d="M128 58 60 22 50 92zM128 58l22 50 52-38z" />
      <path class="drawn-free" d="M128 58 60 22l92-12zM128 58 50 92l100 16z" />
      <path class="drawn-cell" d="M128 58 152 10 202 70z" />
      <path class="drawn-lines" d="M128 58 152 10" />
      <path class="drawn-ray" pathLength="1" d="M14 112 137 40" />
      <circle class="drawn-touching" cx="137" cy="40" r="4" />
    </>
  );
}
