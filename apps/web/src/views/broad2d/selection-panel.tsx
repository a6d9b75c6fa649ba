/** What is known of the selected object? Its box, its cells, and whom it was tested against. */
import { Button } from '../../shared/button.tsx';
import { language, words } from '../../shared/i18n.ts';
import { fixed } from '../../shared/numbers.ts';
import type { Selection } from './protocol.ts';
import type { Session } from './session.ts';

/** More buttons than this are not a list but a wall. */
const MOST_SHOWN = 60;

export function SelectionPanel({ session }: { session: Session }) {
  const selection = session.selection.value;
  return (
    <section class="panel panel-selection" aria-labelledby="selection-title">
      <div class="panel-head">
        {selection !== null && <span class="swatch swatch-selected" aria-hidden="true" />}
        <h2 id="selection-title">
          {selection === null ? words('selection.none') : words('selection.title', { object: selection.object })}
        </h2>
        {selection !== null && (
          <Button class="compact end" onClick={() => session.select(null)}>
            {words('selection.clear')}
          </Button>
        )}
      </div>
      {selection === null ? (
        <p class="muted small">{words('selection.hint')}</p>
      ) : (
        <Details session={session} selection={selection} />
      )}
    </section>
  );
}

function Details({ session, selection }: { session: Session; selection: Selection }) {
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
      <Ids session={session} name={words('selection.touching')} ids={selection.touching} count={selection.touching.length} />
      {selection.missed.length > 0 && (
        <Ids session={session} name={words('selection.missed')} ids={selection.missed} count={selection.missed.length} />
      )}
      <Ids session={session} name={words('selection.tested')} ids={selection.tested} count={selection.testedCount} />
    </>
  );
}

interface IdsProps {
  session: Session;
  name: string;
  ids: readonly number[];
  count: number;
}

function Ids({ session, name, ids, count }: IdsProps) {
  const shown = ids.slice(0, MOST_SHOWN);
  return (
    <div class="ids">
      <h3>
        {name} <span class="muted">{count}</span>
      </h3>
      <ul>
        {shown.map((object) => (
          <li key={object}>
            <button
              type="button"
              class="id-button"
              aria-label={words('selection.select', { object })}
              onClick={() => session.select(object)}
            >
              {object}
            </button>
          </li>
        ))}
        {count === 0 && <li class="muted">{words('selection.nobody')}</li>}
        {count > shown.length && <li class="muted">{words('selection.more', { count: count - shown.length })}</li>}
      </ul>
    </div>
  );
}
