/** Title of a chart's axis: quantity and unit; a logarithmic scale is named. */
import { t } from '../i18n/translate.ts';

export function axisTitle(label: string, isLog: boolean): string {
  if (!isLog) return label;
  return label === '' ? t('chart.log') : `${label}, ${t('chart.log')}`;
}
