/** References of the studies, as listed in docs/studies.md. */
import { Button } from '../../../shared/ui/button.tsx';
import { copy } from '../../../shared/downloads.ts';
import { showToast } from '../../../shell/status.tsx';
import { tStudies } from '../i18n/translate.ts';

const STUDIES = ['lorenzi', 'lasch', 'goncales'] as const;

export function References() {
  const copyText = async (text: string): Promise<void> => {
    if (await copy(text)) showToast(() => tStudies('export.cite.copied'));
  };
  return (
    <details class="references">
      <summary>
        <h3>{tStudies('export.cite')}</h3>
      </summary>
      <p class="muted small">{tStudies('export.cite.about')}</p>
      <ul>
        {STUDIES.map((study) => {
          const reference = tStudies(`reference.${study}`);
          return (
            <li key={study} class="command-line">
              <span class="small">{reference}</span>
              <Button class="compact" label={tStudies('export.cite.of', { study: tStudies(`reference.${study}.short`) })} onClick={() => void copyText(reference)}>
                {tStudies('export.copy')}
              </Button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
