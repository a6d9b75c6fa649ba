/** Provenance of exported pictures: version of Embate, browser, machine and date. */
import { t } from './i18n/translate.ts';

/** Version of the workspace, defined by the build of the page. */
declare const EMBATE_VERSION: string;

/** Names in the user agent, and what they are called; the first that occurs is the browser's. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\w*\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/(\d+)/, 'Chromium'],
  [/\bVersion\/(\d+).*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Browser with its version, and system; the whole user agent if it is unknown. */
export function machineOf(agent: string): string {
  const browser = BROWSERS.flatMap(([pattern, name]) => {
    const [, version] = pattern.exec(agent) ?? [];
    return version === undefined ? [] : [`${name} ${version}`];
  })[0];
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  return browser === undefined ? agent : system === undefined ? browser : `${browser}, ${system}`;
}

export function provenance(now = new Date()): string {
  return t('picture.provenance', {
    version: EMBATE_VERSION,
    machine: machineOf(navigator.userAgent),
    count: navigator.hardwareConcurrency || 1,
    date: now.toISOString().slice(0, 10),
  });
}
