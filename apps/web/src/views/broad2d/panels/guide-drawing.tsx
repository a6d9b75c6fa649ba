/** Drawing of the guide: the pairs that three techniques test on the same eight boxes. */
import { formatNumber } from '../../../shared/i18n/number-format.ts';
import { language } from '../../../shared/i18n/translate.ts';
import { t2d } from '../i18n/translate.ts';

const SIDE = 60;
const CELL = 20;

type Box = readonly [x: number, y: number, width: number, height: number];
type Pair = readonly [one: number, other: number];

/** Two of them overlap. */
const BOXES: readonly Box[] = [
  [4, 5, 9, 7], [25, 3, 8, 10], [48, 8, 8, 8], [6, 28, 10, 8], [12, 33, 8, 9], [33, 26, 9, 9], [46, 44, 9, 10], [23, 48, 10, 7],
];

const EVERY_PAIR: readonly Pair[] = BOXES.flatMap((_, one) => BOXES.slice(one + 1).map((_, after): Pair => [one, one + 1 + after]));

/** Boxes whose intervals on the horizontal axis overlap. */
const SWEPT = EVERY_PAIR.filter(([one, other]) => meet(BOXES[one]!, BOXES[other]!, 0));
/** Boxes that are listed in a common cell. */
const HASHED = EVERY_PAIR.filter(([one, other]) => cellsOf(BOXES[one]!).some((cell) => cellsOf(BOXES[other]!).includes(cell)));
const TOUCHING = EVERY_PAIR.filter(([one, other]) => [0, 1].every((axis) => meet(BOXES[one]!, BOXES[other]!, axis as 0 | 1)));

const DRAWINGS = [
  { name: 'brute', tests: EVERY_PAIR },
  { name: 'sweep', tests: SWEPT },
  { name: 'grid', tests: HASHED },
] as const;

function meet(one: Box, other: Box, axis: 0 | 1): boolean {
  return one[axis] <= other[axis] + other[axis + 2]! && other[axis] <= one[axis] + one[axis + 2]!;
}

function cellsOf([x, y, width, height]: Box): string[] {
  const cells: string[] = [];
  for (let column = Math.floor(x / CELL); column <= Math.floor((x + width) / CELL); column += 1) {
    for (let row = Math.floor(y / CELL); row <= Math.floor((y + height) / CELL); row += 1) cells.push(`${column} ${row}`);
  }
  return cells;
}

export function GuideDrawing() {
  const [brute, sweep, grid] = DRAWINGS.map(({ tests }) => tests.length) as [number, number, number];
  return (
    <div class="guide-pairs" role="img" aria-label={t2d('guide.drawing', { boxes: BOXES.length, brute, sweep, grid })}>
      {DRAWINGS.map(({ name, tests }) => (
        <figure key={name}>
          <svg viewBox={`0 0 ${SIDE} ${SIDE}`} aria-hidden="true">
            <rect class="guide-frame" x="0.5" y="0.5" width={SIDE - 1} height={SIDE - 1} />
            {name === 'grid' && <path class="guide-cells" d={`M${CELL} 0v60M${2 * CELL} 0v60M0 ${CELL}h60M0 ${2 * CELL}h60`} />}
            {name === 'sweep' && BOXES.map(([x, , width], place) => <path key={place} class="guide-cells" d={`M${x} ${57 - 1.5 * (place % 3)}h${width}`} />)}
            {BOXES.map(([x, y, width, height], place) => (
              <rect key={place} class={TOUCHING.flat().includes(place) ? 'guide-object touching' : 'guide-object'} x={x} y={y} width={width} height={height} />
            ))}
            {tests.map(([one, other]) => (
              <path key={`${one} ${other}`} class="guide-test" d={`M${middle(BOXES[one]!)}L${middle(BOXES[other]!)}`} />
            ))}
          </svg>
          <figcaption class="small">
            {t2d(`guide.${name}`)} <strong>{formatNumber(tests.length, language.value)}</strong>
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

function middle([x, y, width, height]: Box): string {
  return `${x + width / 2} ${y + height / 2}`;
}
