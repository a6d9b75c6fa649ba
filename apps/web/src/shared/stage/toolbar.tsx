/** The row under a stage: play, step, reset, sound, describe, and what the view adds. */
import type { ComponentChildren } from 'preact';

import { toggleSound } from '../../shell/sound-switch.ts';
import { tell } from '../../shell/status.tsx';
import { Button } from '../button.tsx';
import { words } from '../i18n.ts';
import { sound } from '../sound.ts';
import type { Driver } from './driver.ts';

interface ToolbarProps {
  driver: Driver;
  /** More buttons, after the others. */
  more?: ComponentChildren;
  /** At the end of the row. */
  children?: ComponentChildren;
}

export function Toolbar({ driver, more, children }: ToolbarProps) {
  const held = !driver.canDrive.value;
  return (
    <div class="toolbar">
      <div class="toolbar-buttons" role="group" aria-label={words('stage.tools')}>
        <Button
          class="primary play"
          cap={words('key.space')}
          keyName="Space"
          disabled={held}
          onClick={() => driver.togglePlaying()}
        >
          {words(driver.playing.value ? 'stage.pause' : 'stage.play')}
        </Button>
        {driver.back !== undefined && (
          <Button cap="," disabled={held} onClick={() => driver.back?.()}>
            {words('stage.back')}
          </Button>
        )}
        <Button cap="." disabled={held} onClick={() => driver.step()}>
          {words('stage.step')}
        </Button>
        <Button cap="R" disabled={held} onClick={() => driver.reset()}>
          {words('stage.reset')}
        </Button>
        <Button cap="M" pressed={sound.isOn.value} onClick={toggleSound}>
          {words('stage.sound')}
        </Button>
        <Button cap="D" onClick={() => tell(() => driver.describe())}>
          {words('stage.describe')}
        </Button>
        {more}
      </div>
      {children}
    </div>
  );
}
