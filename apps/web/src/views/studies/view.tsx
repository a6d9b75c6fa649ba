/**
 * Studies view: choose a study, run it in several workers, compare with the published findings,
 * save the report.
 *
 * Three columns: the study's form; its results; introduction and export.
 */
import { useEffect } from 'preact/hooks';

import '../../shared/css/form.css';
import '../../shared/css/side-column.css';
import '../../shared/css/view-layout.css';
import '../../shared/css/measurements.css';
import './css/studies.css';
import './css/drawing.css';
import { t } from '../../shared/i18n/translate.ts';
import { pointerHelp, shortcuts } from '../../shared/keys.ts';
import { StudyForm } from './panels/study-form.tsx';
import { Guide } from './panels/guide.tsx';
import { Results } from './panels/results.tsx';
import { studiesSession } from './state/session.ts';
import { shortcutsOf } from './state/shortcuts.ts';
import { ExportButtons } from './panels/export-buttons.tsx';
import { tStudies } from './i18n/translate.ts';

export default function Studies() {
  const session = studiesSession();
  useEffect(() => {
    shortcuts.value = shortcutsOf(session);
    pointerHelp.value = () => tStudies('help.where-not');
    session.open();
    return () => {
      shortcuts.value = [];
      session.close();
    };
  }, []);
  return (
    <main id="main" class="lab lab-studies" tabIndex={-1}>
      <h1 class="visually-hidden">{t('view.studies')}</h1>
      <div class="column column-form">
        <StudyForm session={session} />
      </div>
      <div class="column column-stage">
        <Results session={session} />
      </div>
      <div class="column column-side">
        <Guide session={session} />
        <ExportButtons session={session} />
      </div>
    </main>
  );
}
