/**
 * Names of bodies in the page's language.
 *
 * Presets and the page's own buttons name bodies by English nouns, so that names are unique in either
 * language. These nouns, optionally with a number, are displayed in the language of the page; all
 * other names as they are. Files keep the names they have.
 */
import { type Language, language } from '../../../shared/i18n/translate.ts';

/** English and Portuguese, lower case, as in scene files. */
const NOUNS: readonly Record<Language, string>[] = [
  { en: 'floor', 'pt-BR': 'piso' },
  { en: 'ground', 'pt-BR': 'chão' },
  { en: 'wall', 'pt-BR': 'parede' },
  { en: 'ramp', 'pt-BR': 'rampa' },
  { en: 'post', 'pt-BR': 'poste' },
  { en: 'step', 'pt-BR': 'degrau' },
  { en: 'block', 'pt-BR': 'bloco' },
  { en: 'obstacle', 'pt-BR': 'obstáculo' },
  { en: 'sphere', 'pt-BR': 'esfera' },
  { en: 'ball', 'pt-BR': 'bola' },
  { en: 'thrown ball', 'pt-BR': 'bola atirada' },
  { en: 'box', 'pt-BR': 'caixa' },
  { en: 'cube', 'pt-BR': 'cubo' },
  { en: 'capsule', 'pt-BR': 'cápsula' },
  { en: 'hull', 'pt-BR': 'poliedro' },
  { en: 'domino', 'pt-BR': 'dominó' },
  { en: 'finger', 'pt-BR': 'dedo' },
  { en: 'frame', 'pt-BR': 'armação' },
  { en: 'crane', 'pt-BR': 'guindaste' },
  { en: 'link', 'pt-BR': 'elo' },
  { en: 'handle', 'pt-BR': 'alça' },
];

const TRANSLATIONS: ReadonlyMap<string, Record<Language, string>> = new Map(
  NOUNS.flatMap((noun) => Object.values(noun).map((word) => [word, noun] as const)),
);

/** `box 8` in Portuguese: `caixa 8`; `ball 0.25`: `bola 0,25`. */
export function bodyName(name: string): string {
  const [, noun = name, number = ''] = /^(.*?)( \d[\d.]*)?$/s.exec(name) ?? [];
  const known = TRANSLATIONS.get(noun);
  if (known === undefined) return name;
  return known[language.value] + (language.value === 'pt-BR' ? number.replace('.', ',') : number);
}
