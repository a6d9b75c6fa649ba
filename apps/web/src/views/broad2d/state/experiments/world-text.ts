/** The measured world in words, for captions: an experiment has its own, which the form does not show. */
import { formatNumber } from '../../../../shared/i18n/number-format.ts';
import { language } from '../../../../shared/i18n/translate.ts';
import { t2d } from '../../i18n/translate.ts';
import type { Parameters } from '../../workers/protocol.ts';

type World = Omit<Parameters, 'seed'>;

export function worldText(worlds: readonly World[]): string {
  const [first] = worlds;
  if (first === undefined) return '';
  const range = (values: readonly number[]): string => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const write = (value: number): string => formatNumber(value, language.value);
    return least === most ? write(least) : `${write(least)}–${write(most)}`;
  };
  const all = (...fields: readonly (keyof World)[]): number[] => worlds.flatMap((world) => fields.map((field) => Number(world[field])));
  const shapes = [...new Set(worlds.map(({ bounds }) => bounds))];
  const kind = shapes.length > 1 ? 'both' : shapes[0] === 'circle' ? 'circles' : 'boxes';
  return t2d(`experiment.world.${kind}`, {
    objects: range(all('objects')),
    size: range(all('minSize', 'maxSize')),
    speed: range(all('minSpeed', 'maxSpeed')),
    width: range(all('width')),
    height: range(all('height')),
  });
}
