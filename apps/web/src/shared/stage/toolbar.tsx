/** Toolbar under a stage: play, step, reset, sound, describe, and buttons of the view. */
import type { ComponentChildren } from 'preact';

import { toggleSound } from '../../shell/sound-switch.ts';
import { showToast } from '../../shell/status.tsx';
import { Button } from '../ui/button.tsx';
import { t } from '../i18n/translate.ts';
import { sound } from '../sound.ts';
import type { Playback } from './playback.ts';

interface ToolbarProps {
  playback: Playback;
  /** Further buttons, after the others. */
  more?: ComponentChildren;
  /** At the end of the toolbar. */
  children?: ComponentChildren;
}

export function Toolbar({ playback, more, children }: ToolbarProps) {
  const isDisabled = !playback.canPlay.value;
  return (
    <div class="toolbar">
      <div class="toolbar-buttons" role="group" aria-label={t('stage.tools')}>
        <Button
          class="primary play"
          cap={t('key.space')}
          keyName="Space"
          disabled={isDisabled}
          onClick={() => playback.togglePlaying()}
        >
          {t(playback.playing.value ? 'stage.pause' : 'stage.play')}
        </Button>
        {playback.back !== undefined && (
          <Button cap="," disabled={isDisabled} onClick={() => playback.back?.()}>
            {t('stage.back')}
          </Button>
        )}
        <Button cap="." disabled={isDisabled} onClick={() => playback.step()}>
          {t('stage.step')}
        </Button>
        <Button cap="R" disabled={isDisabled} onClick={() => playback.reset()}>
          {t('stage.reset')}
        </Button>
        <Button cap="M" pressed={sound.isOn.value} onClick={toggleSound}>
          {t('stage.sound')}
        </Button>
        <Button cap="D" onClick={() => showToast(() => playback.describe())}>
          {t('stage.describe')}
        </Button>
        {more}
      </div>
      {children}
    </div>
  );
}
