/** Button for a new random seed, beside the field of the seed. */
import { Button } from './button.tsx';
import { t } from '../i18n/translate.ts';

/** Six digits: enough variety, and short enough to read out. */
function newSeed(): number {
  return 1 + Math.floor(Math.random() * 999_999);
}

export function SeedButton({ onSeed }: { onSeed: (seed: number) => void }) {
  return (
    <Button class="dice" label={t('form.new-seed')} onClick={() => onSeed(newSeed())}>
      <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <rect x="2" y="2" width="12" height="12" rx="2.5" />
        <path d="M5.5 5.5h.01M10.5 5.5h.01M8 8h.01M5.5 10.5h.01M10.5 10.5h.01" stroke-width="2" />
      </svg>
    </Button>
  );
}
