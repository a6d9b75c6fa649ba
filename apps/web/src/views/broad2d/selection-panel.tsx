/** What is known of the selected object? Its box, its cells, and whom it was tested against. */
import { useRef } from 'preact/hooks';

import { Button } from '../../shared/button.tsx';
import { language, words } from '../../shared/i18n.ts';
import { fixed, plain } from '../../shared/numbers.ts';
import type { Selection } from './protocol.ts';
import type { Session } from './session.ts';

/** More buttons than this are not a list but a wall. */
const MOST_SHOWN = 60;

export function SelectionPanel({ session }: { session: Session }) {
  const selection = session.seen.selection.value;
  const title = useRef<HTMLHeadingElement>(null);
  // The button that was pressed is about to go; who presses it stays in this panel.
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
          {selection === null ? words('selection.none') : words('selection.title', { object: selection.object })}
        </h2>
        {selection?.kept === true && (
          <Button class="compact end" onClick={() => choose(null)}>
            {words('selection.clear')}
          </Button>
        )}
        {selection?.kept === false && <span class="end muted small">{words('selection.passing')}</span>}
      </div>
      {selection === null ? (
        <p class="muted small">{words('selection.hint')}</p>
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
  const [x, y, width, height] = selection.box.map((value) => fixed(value, 1, language.value));
  const isCircle = session.running.value?.bounds === 'circle';
  return (
    <>
      <dl class="facts">
        <div>
          <dt>{words('selection.place')}</dt>
          <dd>
            <span class="axis">x</span> {x} <span class="axis">y</span> {y}
          </dd>
        </div>
        <div>
          <dt>{words(isCircle ? 'selection.diameter' : 'selection.size')}</dt>
          <dd>{isCircle ? width : `${width} × ${height}`}</dd>
        </div>
        <div>
          <dt>{words('selection.cells')}</dt>
          <dd>{selection.cells}</dd>
        </div>
      </dl>
      <Ids choose={choose} name={words('selection.touching')} ids={touching} />
      {missed.length > 0 && <Ids choose={choose} name={words('selection.missed')} ids={missed} />}
      <Ids choose={choose} name={words('selection.tested')} ids={tested} count={testedOthers} tests={testedCount} />
    </>
  );
}

interface IdsProps {
  choose: (object: number) => void;
  name: string;
  /** As many as are named. */
  ids: readonly number[];
  /** How many there are. */
  count?: number;
  /** How often it was tested, which may be more than once against the same one. */
  tests?: number;
}

function Ids({ choose, name, ids, count = ids.length, tests = count }: IdsProps) {
  const shown = ids.slice(0, MOST_SHOWN);
  return (
    <div class="ids">
      <h3>
        {name}{' '}
        <span class="muted">
          {tests === count ? plain(count, language.value) : words('selection.tests', { objects: count, count: tests })}
        </span>
      </h3>
      <ul>
        {shown.map((object) => (
          <li key={object}>
            <button
              type="button"
              class="id-button"
              aria-label={words('selection.select', { object })}
              onClick={() => choose(object)}
            >
              {object}
            </button>
          </li>
        ))}
        {ids.length === 0 && <li class="muted">{words('selection.nobody')}</li>}
        {count > shown.length && (
          <li class="muted">{words('selection.more', { count: count - shown.length })}</li>
        )}
      </ul>
    </div>
  );
}
