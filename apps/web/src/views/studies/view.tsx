/**
 * The studies: choose one, run it in several workers, see what held, take the report home.
 *
 * Three columns: the study as a form; what came out; what it is about, and how to take it away.
 */
import { useEffect, useMemo } from 'preact/hooks';

import '../../shared/css/form.css';
import '../../shared/css/side.css';
import '../../shared/css/lab.css';
import '../../shared/css/measuring.css';
import './css/studies.css';
import './css/drawing.css';
import { words } from '../../shared/i18n.ts';
import { pointerHelp, shortcuts } from '../../shared/keys.ts';
import { StudyForm } from './form.tsx';
import { Guide } from './guide.tsx';
import { Results } from './results.tsx';
import { Session } from './session.ts';
import { shortcutsOf } from './shortcuts.ts';
import { TakeAway } from './take-away.tsx';
import { wordsOfStudies } from './words.ts';

export default function Studies() {
  const session = useMemo(() => new Session(), []);
  useEffect(() => {
    shortcuts.value = shortcutsOf(session);
    pointerHelp.value = () => wordsOfStudies('help.where-not');
    session.open();
    return () => {
      shortcuts.value = [];
      session.close();
    };
  }, []);
  return (
    <main id="main" class="lab lab-studies" tabIndex={-1}>
      <h1 class="visually-hidden">{words('view.studies')}</h1>
      <div class="column column-form">
        <StudyForm session={session} />
      </div>
      <div class="column column-stage">
        <Results session={session} />
      </div>
      <div class="column column-side">
        <Guide session={session} />
        <TakeAway session={session} />
      </div>
    </main>
  );
}
