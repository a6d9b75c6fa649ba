/** Which keys are there? A dialog of the browser's own: Escape closes it, focus goes back. */
import { createRef } from 'preact';

import { Button } from '../shared/button.tsx';
import { words } from '../shared/i18n.ts';
import { shortcuts } from '../shared/keys.ts';
import { chooseKeys, settings } from '../shared/settings.ts';

const dialog = createRef<HTMLDialogElement>();

export function openHelp(): void {
  if (dialog.current?.open === false) {
    dialog.current.showModal();
  }
}

export function Help() {
  const close = (): void => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div class="help-body">
        <h2 id="help-title">{words('help.title')}</h2>
        <p class="muted">{words('help.where')}</p>
        <dl class="help-keys">
          {shortcuts.value.map((shortcut) => (
            <div key={shortcut.about}>
              <dt>
                {shortcut.caps().map((cap) => (
                  <kbd key={cap} class="keycap">
                    {cap}
                  </kbd>
                ))}
              </dt>
              <dd>{words(shortcut.about)}</dd>
            </div>
          ))}
        </dl>
        <p class="muted">{words('help.mouse')}</p>
        <div class="help-foot">
          <label class="check">
            <input
              type="checkbox"
              checked={settings.keys.value}
              onChange={(event) => chooseKeys(event.currentTarget.checked)}
            />
            {words('help.use')}
          </label>
          <Button class="primary" onClick={close}>
            {words('help.close')}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
