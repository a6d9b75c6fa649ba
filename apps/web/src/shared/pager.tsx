/** Which rows of a long table are shown? Earlier and later ones, where there are. */
import { Button } from './button.tsx';
import { words } from './i18n.ts';

interface PagerProps {
  /** From 0. */
  page: number;
  /** So many a page. */
  rows: number;
  /** Of all pages. */
  count: number;
  onPage: (page: number) => void;
}

export function Pager({ page, rows, count, onPage }: PagerProps) {
  const first = page * rows;
  const last = Math.min(first + rows, count);
  return count <= rows ? null : (
    <div class="pager small">
      <Button class="compact square" label={words('pager.earlier')} idle={page === 0} onClick={() => onPage(page - 1)}>
        ‹
      </Button>
      <span class="muted">{words('pager.page', { from: first + 1, to: last, count })}</span>
      <Button class="compact square" label={words('pager.later')} idle={last >= count} onClick={() => onPage(page + 1)}>
        ›
      </Button>
    </div>
  );
}
