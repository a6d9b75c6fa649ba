/** Text description of the view, for screen readers. */
import { language } from '../../../shared/i18n/translate.ts';
import { formatPercent } from '../../../shared/i18n/number-format.ts';
import { measuredCount, shareDone } from './run.ts';
import type { Session } from './session.ts';
import { blocksOf, countsOf } from '../workers/report-data.ts';
import { tStudies } from '../i18n/translate.ts';

export function describe(session: Session): string {
  const { study, quick } = session.choice.value;
  const count = session.plan.value?.plan.cases.length ?? 0;
  const chosen = tStudies('describe.chosen', { study: tStudies(`study.${study}`), extent: tStudies(quick ? 'form.quick' : 'form.full'), count });
  return [chosen, stateOf(session), findingsOf(session)].filter((text) => text !== '').join(' ');
}

function stateOf(session: Session): string {
  const [run, progress] = [session.run.value, session.runs.progress.value];
  if (run === null) return tStudies('describe.nothing');
  const [done, all] = [measuredCount(run), run.plan.cases.length];
  if (run.state === 'running' && progress !== null) {
    const share = formatPercent(shareDone(run, progress.advanced), language.value);
    return tStudies('describe.running', { done, all, share });
  }
  return run.state === 'finished' ? tStudies('describe.finished', { count: done }) : tStudies('describe.stopped', { done, all });
}

function findingsOf(session: Session): string {
  const findings = blocksOf(session.results.value?.report.sections ?? [], 'findings').flat();
  if (findings.length === 0) return '';
  return tStudies('describe.findings', countsOf(findings));
}
