/** Zoom buttons, for users without a wheel. */
import { Button } from '../ui/button.tsx';
import { t } from '../i18n/translate.ts';

/** Zoom factor of one press of a key or button. */
export const ZOOM = 1.25;

interface ViewToolsProps {
  zoom: (factor: number) => void;
  /** Fits the whole scene in the view. */
  fit: () => void;
  disabled?: boolean;
  class?: string;
}

export function ZoomButtons({ zoom, fit, disabled = false, class: more = '' }: ViewToolsProps) {
  return (
    <div class={`view-tools ${more}`} role="group" aria-label={t('stage.view')}>
      <Button class="compact square" disabled={disabled} label={t('stage.zoom-out')} onClick={() => zoom(1 / ZOOM)}>
        <ZoomIcon />
      </Button>
      <Button class="compact square" disabled={disabled} label={t('stage.zoom-in')} onClick={() => zoom(ZOOM)}>
        <ZoomIcon plus />
      </Button>
      <Button class="compact" disabled={disabled} keyName="Home" onClick={fit}>
        {t('stage.fit')}
      </Button>
    </div>
  );
}

function ZoomIcon({ plus = false }: { plus?: boolean }) {
  return (
    <svg class="icon" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path d={plus ? 'M2 6h8M6 2v8' : 'M2 6h8'} />
    </svg>
  );
}
