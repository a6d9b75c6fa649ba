/** Selected object: its box, its cells, and the objects it was tested against. */
import { useRef } from 'preact/hooks';

import { Button } from '../../../shared/ui/button.tsx';
import { language } from '../../../shared/i18n/translate.ts';
import { t2d } from '../i18n/translate.ts';
import { formatFixed, formatNumber } from '../../../shared/i18n/number-format.ts';
import type { Selection } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';

/** Maximum number of listed objects. */
const MAX_SHOWN = 60;

export function SelectionPanel({ session }: { session: Session }) {
  const selection = session.seen.selection.value;
  const title = useRef<HTMLHeadingElement>(null);
  // The pressed button is about to be removed: move the focus within this panel.
  const choose = (object: number | null): void => {
    session.select(object);
    title.current?.focus();
  };
  return (
    <section class={`panel panel-selection ${selection?.kept === true ? 'kept' : ''}`} aria-labelledby="selection-title">
      <div class="panel-head">
        {selection !== null && (
          <span class={`swatch swatch-selected ${selection.kept ? '' : 'passing'}`} aria-hidden="true" />
        )}
        <h2 id="selection-title" ref={title} tabIndex={-1}>
          {selection === null ? t2d('selection.none') : t2d('selection.title', { object: selection.object })}
        </h2>
        {selection?.kept === true && (
          <Button class="compact end" onClick={() => choose(null)}>
            {t2d('selection.clear')}
          </Button>
        )}
        {selection?.kept === false && <span class="end muted small">{t2d('selection.passing')}</span>}
      </div>
      {selection === null ? (
        <p class="muted small">{t2d('selection.hint')}</p>
      ) : (
        <Details session={session} selection={selection} choose={choose} />
      )}
    </section>
  );
}

interface DetailsProps {
  session: Session;
  selection: Selection;
  choose: (object: number) => void;
}

function Details({ session, selection, choose }: DetailsProps) {
  const { touching, missed, tested, testedOthers, testedCount } = selection;
  const [x, y, width, height] = selection.box.map((value) => formatFixed(value, 1, language.value));
  const isCircle = session.running.value?.bounds === 'circle';
  return (
    <>
      <dl class="facts">
        <div>
          <dt>{t2d('selection.place')}</dt>
          <dd>
            <span class="axis">x</span> {x} <span class="axis">y</span> {y}
          </dd>
        </div>
        <div>
          <dt>{t2d(isCircle ? 'selection.diameter' : 'selection.size')}</dt>
          <dd>{isCircle ? width : `${width} × ${height}`}</dd>
        </div>
        <div>
          <dt>{t2d('selection.cells')}</dt>
          <dd>{selection.cells}</dd>
        </div>
      </dl>
      <Ids choose={choose} name={t2d('selection.touching')} ids={touching} />
      {missed.length > 0 && <Ids choose={choose} name={t2d('selection.missed')} ids={missed} />}
      <Ids choose={choose} name={t2d('selection.tested')} ids={tested} count={testedOthers} tests={testedCount} />
    </>
  );
}

interface IdsProps {
  choose: (object: number) => void;
  name: string;
  /** The listed objects. */
  ids: readonly number[];
  /** Total number of objects. */
  count?: number;
  /** Number of tests, which may include several against the same object. */
  tests?: number;
}

function Ids({ choose, name, ids, count = ids.length, tests = count }: IdsProps) {
  const shown = ids.slice(0, MAX_SHOWN);
  return (
    <div class="ids">
      <h3>
        {name}{' '}
        <span class="muted">
          {tests === count ? formatNumber(count, language.value) : t2d('selection.tests', { objects: count, count: tests })}
        </span>
      </h3>
      <ul>
        {shown.map((object) => (
          <li key={object}>
            <button
              type="button"
              class="id-button"
              aria-label={t2d('selection.select', { object })}
              onClick={() => choose(object)}
            >
              {object}
            </button>
          </li>
        ))}
        {ids.length === 0 && <li class="muted">{t2d('selection.no-objects')}</li>}
        {count > shown.length && (
          <li class="muted">{t2d('selection.more', { count: count - shown.length })}</li>
        )}
      </ul>
    </div>
  );
}
