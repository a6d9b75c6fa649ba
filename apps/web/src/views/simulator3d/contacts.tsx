/** Who touches whom, where and how hard? Of the selected body, or of all; a page at a time, every one of them. */
import { useSignalEffect } from '@preact/signals';

import { language } from '../../shared/i18n.ts';
import { fixed } from '../../shared/numbers.ts';
import { Pager } from '../../shared/pager.tsx';
import { TableScroll } from '../../shared/table-scroll.tsx';
import { type ContactRow, ROW } from './protocol.ts';
import type { Session } from './session.ts';
import { words3d } from './words.ts';

export function Contacts({ session }: { session: Session }) {
  const report = session.report.value;
  const row = session.selection.toldRow.value;
  const contacts = report?.contacts ?? [];
  const page = report?.contactsPage ?? 0;
  const aPage = aPageOf(session);
  // What was on the last pages may have gone.
  useSignalEffect(() => {
    const [now, count] = [session.report.value?.contactsPage ?? 0, countOf(session)];
    const aPage = aPageOf(session);
    if (now > 0 && now * aPage >= count) session.send({ kind: 'contacts', page: Math.max(0, Math.ceil(count / aPage) - 1) });
  });
  return (
    <section class="panel panel-contacts" aria-labelledby="contacts-title">
      <div class="panel-head">
        <h2 id="contacts-title">
          {words3d('contacts.title')} <span class="muted small">{countOf(session)}</span>
        </h2>
        {row !== null && (
          <span class="muted small whose" title={row.name}>
            {words3d('contacts.of', { name: row.name })}
          </span>
        )}
      </div>
      {contacts.length === 0 ? (
        <p class="muted small">{words3d('contacts.none')}</p>
      ) : (
        <TableScroll label={words3d('contacts.table')} tall>
          <Table session={session} contacts={contacts} own={row?.key ?? null} />
        </TableScroll>
      )}
      <Pager page={page} rows={aPage} count={countOf(session)} onPage={(to) => session.send({ kind: 'contacts', page: to })} />
    </section>
  );
}

/** As the engine pages them. */
function aPageOf(session: Session): number {
  return session.catalogue.value?.contactsAPage ?? 1;
}

/** Points where the selected body touches, or where anything does. */
function countOf(session: Session): number {
  const report = session.report.value;
  const place = report?.whereabouts.selected ?? null;
  return (place === null ? report?.figures.contacts : report?.rows[place * ROW.size + ROW.contacts]) ?? 0;
}

function Table({ session, contacts, own }: { session: Session; contacts: readonly ContactRow[]; own: number | null }) {
  const names = new Map(session.bodies.value.map(({ key, name }) => [key, name]));
  const nameOf = (key: number | null): string => (key === null ? words3d('contacts.edge') : (names.get(key) ?? '–'));
  return (
    <table class="table contacts-table">
      <thead>
        <tr>
          <th scope="col">{words3d(own === null ? 'contacts.pair' : 'contacts.with')}</th>
          <th scope="col">{words3d('contacts.depth')}</th>
          <th scope="col">{words3d('contacts.impulse')}</th>
          <th scope="col">{words3d('contacts.point')}</th>
          <th scope="col">{words3d('contacts.normal')}</th>
          <th scope="col">{words3d('contacts.first')}</th>
        </tr>
      </thead>
      <tbody>
        {contacts.map(({ bodies: [a, b], point, normal, depth, impulse, velocity }, place) => (
          <tr key={place}>
            <Names names={own === null ? [nameOf(a), nameOf(b)] : [nameOf(a === own ? b : a)]} />
            <td>{fixed(depth * 1e3, 2, language.value)}</td>
            <td>{fixed(impulse, 3, language.value)}</td>
            {[point, normal, velocity].map((vector, column) => (
              <VectorCell key={column} vector={vector} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Each is cut where it is long, and told whole to those who rest the pointer on it. */
function Names({ names }: { names: readonly string[] }) {
  const all = names.join(' · ');
  return (
    <th scope="row" title={all}>
      <span class="names">{all}</span>
    </th>
  );
}

/** Three numbers in columns of their own, so that points and signs stand under each other. */
function VectorCell({ vector }: { vector: readonly number[] }) {
  return (
    <td class="vector">
      {vector.map((part, axis) => (
        <span key={axis}>{fixed(part, 2, language.value)} </span>
      ))}
    </td>
  );
}
