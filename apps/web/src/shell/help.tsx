/**
 * Help dialog with the keyboard shortcuts, a native `<dialog>`: Escape closes it and the focus
 * returns.
 */
import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { Button } from '../shared/ui/button.tsx';
import { t } from '../shared/i18n/translate.ts';
import { pointerHelp, shortcuts } from '../shared/keys.ts';
import { chooseKeys, settings } from '../shared/settings.ts';

const isOpen = signal(false);

export function openHelp(): void {
  isOpen.value = true;
}

/** Not rendered until it is opened. */
export function Help() {
  return isOpen.value ? <OpenHelp /> : null;
}

function OpenHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = (): void => dialog.current?.close();
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClick={(event) => event.target === dialog.current && close()}
      onClose={() => (isOpen.value = false)}
    >
      <div class="help-body">
        <h2 id="help-title">{t('help.title')}</h2>
        <p class="muted">{t('help.where')}</p>
        <dl class="help-keys">
          {shortcuts.value.map((shortcut, place) => (
            <div key={place}>
              <dt>
                {shortcut.caps().map((cap, place) => (
                  <kbd key={place} class="keycap">
                    {cap}
                  </kbd>
                ))}
              </dt>
              <dd>{shortcut.about()}</dd>
            </div>
          ))}
        </dl>
        <p class="muted">{pointerHelp.value()}</p>
        <div class="help-foot">
          <label class="check">
            <input
              type="checkbox"
              checked={settings.keys.value}
              onChange={(event) => chooseKeys(event.currentTarget.checked)}
            />
            {t('help.use')}
          </label>
          <Button class="primary" onClick={close}>
            {t('help.close')}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
