/** List of names and values. */
import type { ComponentChildren } from 'preact';

export function FactList({ rows }: { rows: readonly (readonly [name: string, value: ComponentChildren] | null)[] }) {
  return (
    <dl class="facts">
      {rows.map(
        (row) =>
          row !== null && (
            <div key={row[0]}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
