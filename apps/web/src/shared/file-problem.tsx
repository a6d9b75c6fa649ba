/** Why was a file not opened, or not saved? */
import type { ComponentChildren } from 'preact';

import { Button } from './button.tsx';
import { words } from './i18n.ts';
import { Parts, type Told } from './told.tsx';

interface FileProblemProps {
  title: string;
  told: Told;
  onClose: () => void;
  /** The lines it is about, where there are any. */
  children?: ComponentChildren;
}

export function FileProblem({ title, told, onClose, children }: FileProblemProps) {
  return (
    <div class="file-problem" role="group" aria-labelledby="file-problem-title">
      <div class="file-problem-head">
        <strong id="file-problem-title">{title}</strong>
        <Button class="compact" onClick={onClose}>
          {words('help.close')}
        </Button>
      </div>
      <p>
        <Parts {...told} />
      </p>
      {children}
    </div>
  );
}
