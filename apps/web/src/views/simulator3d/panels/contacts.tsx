/** Table of contacts with positions and impulses, of the selected body or of all; paged. */
import { useSignalEffect } from '@preact/signals';

import { language } from '../../../shared/i18n/translate.ts';
import { formatFixed } from '../../../shared/i18n/number-format.ts';
import { Pager } from '../../../shared/ui/pager.tsx';
import { TableScroll } from '../../../shared/ui/table-scroll.tsx';
import type { Vector } from '../../../shared/vector.ts';
import { bodyName } from '../i18n/body-names.ts';
import { type ContactRow, ROW } from '../workers/protocol.ts';
import type { Session } from '../state/session.ts';
import { t3d } from '../i18n/translate.ts';

export function Contacts({ session }: { session: Session }) {
  const report = session.report.value;
  const row = session.selection.reportedRow.value;
  const contacts = report?.contacts ?? [];
  const page = report?.contactsPage ?? 0;
  const aPage = aPageOf(session);
  // The last pages may have disappeared.
  useSignalEffect(() => {
    const [now, count] = [session.report.value?.contactsPage ?? 0, countOf(session)];
    const aPage = aPageOf(session);
    if (now > 0 && now * aPage >= count) session.send({ kind: 'contacts', page: Math.max(0, Math.ceil(count / aPage) - 1) });
  });
  return (
    <section class="panel panel-contacts" aria-labelledby="contacts-title">
      <div class="panel-head">
        <h2 id="contacts-title">
          {t3d('contacts.title')} <span class="muted small">{countOf(session)}</span>
        </h2>
        {row !== null && (
          <span class="muted small whose" title={bodyName(row.name)}>
            {t3d('contacts.of', { name: bodyName(row.name) })}
          </span>
        )}
      </div>
      {contacts.length === 0 ? (
        <p class="muted small">{t3d('contacts.none')}</p>
      ) : (
        <TableScroll label={t3d('contacts.table')} tall>
          <Table session={session} contacts={contacts} own={row?.key ?? null} />
        </TableScroll>
      )}
      {contacts.length > 0 && <p class="field-note">{t3d('contacts.note')}</p>}
      <Pager page={page} rows={aPage} count={countOf(session)} onPage={(to) => session.send({ kind: 'contacts', page: to })} />
    </section>
  );
}

/** Page size of the engine. */
function aPageOf(session: Session): number {
  return session.catalog.value?.contactsAPage ?? 1;
}

/** Number of contact points of the selected body, or of all bodies. */
function countOf(session: Session): number {
  const report = session.report.value;
  const place = report?.whereabouts.selected ?? null;
  return (place === null ? report?.figures.contacts : report?.rows[place * ROW.size + ROW.contacts]) ?? 0;
}

function Table({ session, contacts, own }: { session: Session; contacts: readonly ContactRow[]; own: number | null }) {
  const names = new Map(session.bodies.value.map(({ key, name }) => [key, name]));
  const nameOf = (key: number | null, towards: readonly number[]): string => (key === null ? boundName(towards) : bodyName(names.get(key) ?? '–'));
  const namesOf = ({ a, b, normal }: { a: number | null; b: number | null; normal: Vector }): string[] => {
    // The normal points from the first body to the second.
    const [first, second] = [nameOf(a, normal.map((part) => -part)), nameOf(b, normal)];
    return own === null ? [first, second] : [a === own ? second : first];
  };
  return (
    <table class="table contacts-table">
      <thead>
        <tr>
          <th scope="col">{t3d(own === null ? 'contacts.pair' : 'contacts.with')}</th>
          <th scope="col">{t3d('contacts.depth')}</th>
          <th scope="col">{t3d('contacts.impulse')}</th>
          <th scope="col">{t3d('contacts.point')}</th>
          <th scope="col">{t3d('contacts.normal')}</th>
          <th scope="col">{t3d('contacts.first')}</th>
        </tr>
      </thead>
      <tbody>
        {contacts.map(({ bodies: [a, b], point, normal, depth, impulse, velocity }, place) => (
          <tr key={place}>
            <Names names={namesOf({ a, b, normal })} />
            <td>{formatFixed(depth * 1e3, 2, language.value)}</td>
            <td>{formatFixed(impulse, 3, language.value)}</td>
            {[point, normal, velocity].map((vector, column) => (
              <VectorCell key={column} vector={vector} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Side of the bounds in this direction from the body. */
function boundName([x = 0, y = 0, z = 0]: readonly number[]): string {
  if (Math.abs(y) > Math.max(Math.abs(x), Math.abs(z))) return t3d(y < 0 ? 'contacts.bounds-floor' : 'contacts.bounds-ceiling');
  const side = Math.abs(x) > Math.abs(z) ? `${x < 0 ? '−' : '+'}x` : `${z < 0 ? '−' : '+'}z`;
  return t3d('contacts.bounds-wall', { side });
}

/** Long names are truncated; the tooltip has the full text. */
function Names({ names }: { names: readonly string[] }) {
  const all = names.join(' · ');
  return (
    <th scope="row" title={all}>
      <span class="names">{all}</span>
    </th>
  );
}

/** Three numbers in separate columns, so that decimal points and signs align. */
function VectorCell({ vector }: { vector: readonly number[] }) {
  return (
    <td class="vector">
      {vector.map((part, axis) => (
        <span key={axis}>{formatFixed(part, 2, language.value)} </span>
      ))}
    </td>
  );
}
