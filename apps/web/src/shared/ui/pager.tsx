/** Pager of a long table. */
import { Button } from './button.tsx';
import { t } from '../i18n/translate.ts';

interface PagerProps {
  /** Zero-based. */
  page: number;
  /** Rows per page. */
  rows: number;
  /** Rows on all pages. */
  count: number;
  onPage: (page: number) => void;
}

export function Pager({ page, rows, count, onPage }: PagerProps) {
  const first = page * rows;
  const last = Math.min(first + rows, count);
  return count <= rows ? null : (
    <div class="pager small">
      <Button class="compact square" label={t('pager.earlier')} idle={page === 0} onClick={() => onPage(page - 1)}>
        ‹
      </Button>
      <span class="muted">{t('pager.page', { from: first + 1, to: last, count })}</span>
      <Button class="compact square" label={t('pager.later')} idle={last >= count} onClick={() => onPage(page + 1)}>
        ›
      </Button>
    </div>
  );
}
