/** What would somebody see who looked at this view? In words. */
import { language } from '../../shared/i18n.ts';
import { percent } from '../../shared/numbers.ts';
import { measuredCount, workDone, workOf } from './run.ts';
import type { Session } from './session.ts';
import { blocksOf, countsOf } from './told/told.ts';
import { wordsOfStudies as say } from './words.ts';

export function describe(session: Session): string {
  const { study, quick } = session.choice.value;
  const count = session.plan.value?.plan.cases.length ?? 0;
  const chosen = say('describe.chosen', { study: say(`study.${study}`), extent: say(quick ? 'form.quick' : 'form.full'), count });
  return [chosen, stateOf(session), findingsOf(session)].filter((text) => text !== '').join(' ');
}

function stateOf(session: Session): string {
  const [run, progress] = [session.run.value, session.progress.value];
  if (run === null) return say('describe.nothing');
  const [done, all] = [measuredCount(run), run.plan.cases.length];
  if (run.state === 'running' && progress !== null) {
    const share = percent(workDone(run, progress.advanced) / Math.max(1, workOf(run)), language.value);
    return say('describe.running', { done, all, share });
  }
  return run.state === 'finished' ? say('describe.finished', { count: done }) : say('describe.stopped', { done, all });
}

function findingsOf(session: Session): string {
  const findings = blocksOf(session.told.value?.report.sections ?? [], 'findings').flat();
  if (findings.length === 0) return '';
  return say('describe.findings', countsOf(findings));
}
