/** Overview of the results: answers, charts, and the findings by kind with their verdicts. */
import { Chart, Legend } from '../../../../shared/chart/chart.tsx';
import type { Line } from '../../../../shared/chart/lines.ts';
import { language } from '../../../../shared/i18n/translate.ts';
import { tStudies } from '../../i18n/translate.ts';
import { BarsChart, DotsChart } from './row-charts.tsx';
import type { StudyName } from '../../workers/protocol.ts';
import { specOf } from './chart-lines.ts';
import {
  type Block,
  blocksOf,
  byKind,
  countsOf,
  type Finding,
  type ReportChart,
  type Results,
  shownSections,
  sourceOf,
  type Verdict,
} from '../../workers/report-data.ts';

export function Overview({ results, study }: { results: Results; study: StudyName }) {
  const sections = shownSections(results.report);
  const findings = blocksOf(sections, 'findings').flat();
  return (
    <>
      {(results.report.notices ?? []).map((notice) => (
        <p key={notice} class="small results-notice" role="note">
          {notice}
        </p>
      ))}
      {sections.map((section) => {
        // The introduction of the findings belongs to the saved file.
        const isOfFindings = section.blocks.some(({ kind }) => kind === 'findings');
        const charts = blocksOf([section], 'chart');
        const texts = isOfFindings ? [] : section.blocks.filter(({ kind }) => kind === 'paragraph' || kind === 'list');
        return charts.length === 0 && texts.length === 0 ? null : (
          <div key={section.id} class="results-section">
            <h3>{section.heading}</h3>
            {texts.map((block, place) => (
              <Text key={place} block={block} />
            ))}
            <Charts charts={charts} study={study} />
          </div>
        );
      })}
      {findings.length > 0 && <Findings findings={findings} />}
    </>
  );
}

function Text({ block }: { block: Block }) {
  if (block.kind === 'paragraph') return <p class="muted small">{block.of}</p>;
  return block.kind === 'list' ? (
    <ul class="answers small">
      {block.of.map((text, place) => (
        <li key={place}>{text}</li>
      ))}
    </ul>
  ) : null;
}

function Charts({ charts, study }: { charts: readonly ReportChart[]; study: StudyName }) {
  const shown = language.value;
  const lines = new Map<string, Line>();
  const drawn = charts.map((chart) => {
    const spec = specOf(chart, shown, study);
    spec?.lines.forEach((line) => lines.set(line.label, lines.get(line.label) ?? line));
    return { chart, spec };
  });
  return (
    <>
      {lines.size > 0 && <Legend lines={[...lines.values()]} />}
      <div class="charts">
        {drawn.map(({ chart, spec }) =>
          spec !== null ? (
            <Chart key={chart.id} spec={spec} />
          ) : chart.kind.layout === 'dots' ? (
            <DotsChart key={chart.id} chart={chart} kind={chart.kind} study={study} />
          ) : chart.kind.layout === 'stackedBars' ? (
            <BarsChart key={chart.id} chart={chart} kind={chart.kind} />
          ) : null,
        )}
      </div>
      {[...new Set(charts.map(({ source = '' }) => source))].map((source) => source !== '' && (
        <p key={source} class="muted small">
          {source}
        </p>
      ))}
    </>
  );
}

const SIGNS: Record<Verdict, string> = { confirmed: '✓', notConfirmed: '✗', undecided: '?', notRun: '○' };

function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <div class="results-section">
      <h3>{tStudies('results.findings')}</h3>
      {byKind(findings).map((group) => (
        <div key={group.kind} data-kind={group.kind}>
          <h4>
            {tStudies(`results.kind.${group.kind}`)}{' '}
            <span class="muted small verdict-counts">{tStudies('results.verdicts', countsOf(group.findings))}</span>
          </h4>
          <ul class="verdicts">
            {group.findings.map((finding, place) => (
              <FindingItem key={place} finding={finding} />
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function FindingItem({ finding }: { finding: Finding }) {
  const source = sourceOf(finding);
  return (
    <li data-verdict={finding.verdict}>
      <p class="verdict-claim">
        <span class="verdict">
          <span aria-hidden="true">{SIGNS[finding.verdict]}</span> {tStudies(`verdict.${finding.verdict}`)}
        </span>
        {finding.claim}
      </p>
      <dl class="small">
        {finding.published !== '' && (
          <div>
            <dt>{tStudies('results.published')}</dt>
            <dd>{finding.published}</dd>
          </div>
        )}
        <div>
          <dt>{tStudies('results.ours')}</dt>
          <dd>{finding.ours}</dd>
        </div>
      </dl>
      {finding.quote !== undefined && finding.quote !== '' && <blockquote class="small">{finding.quote}</blockquote>}
      {finding.note !== '' && <p class="muted small">{finding.note}</p>}
      {source !== '' && <p class="muted small">{tStudies('results.source', { source })}</p>}
    </li>
  );
}
