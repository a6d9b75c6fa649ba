/** One browser for all, and a window of its own for everybody who opens the page. */

import { chromium } from 'playwright-core';

import { serve } from './program.mjs';
import { PATIENCE_MS } from './until.mjs';
import { View2d } from './view-2d.mjs';
import { View3d } from './view-3d.mjs';
import { ViewRays } from './view-rays.mjs';

/**
 * A window of Chromium has two pages of its own for what is typed into its address field, and starts them before ours: half
 * of what an opening costs, and nobody types there. This switch takes the place of the one that playwright gives, so what
 * that one names is named again, as far as it concerns a page like ours.
 */
const NOT_NEEDED = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'AimEnabled', 'LensOverlay'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable'],
  ...['MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'PreconnectToSearch'],
];

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };
export const SMALL_PHONE = { width: 360, height: 740 };

/** @type {ReturnType<typeof serve> | undefined} */
let server;
/** @type {Promise<import('playwright-core').Browser> | undefined} */
let browser;

export function address() {
  server ??= serve();
  return server.then((running) => running.address);
}

export function launch() {
  browser ??= chromium.launch({
    executablePath: process.env['EMBATE_CHROMIUM'] ?? process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--enable-unsafe-swiftshader',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // Without a window browsers let pages sound at once; people's do not.
      '--autoplay-policy=document-user-activation-required',
      `--disable-features=${NOT_NEEDED.join(',')}`,
    ],
  });
  return browser;
}

/** Ends what the tests, or a script, began. */
export async function closeAll() {
  await (await browser)?.close();
  (await server)?.stop();
}

/**
 * @typedef {object} Wishes
 * @property {string} [hash] what follows `#` in the address
 * @property {{ width: number, height: number }} [viewport]
 * @property {'dark' | 'light'} [colorScheme]
 * @property {'reduce' | 'no-preference'} [motion] the scene starts paused unless it may move
 * @property {string} [locale]
 * @property {boolean} [touch] fingers instead of a mouse
 * @property {number} [sharpness] pixels of the display a CSS pixel
 * @property {() => void} [before] runs in the page before its own scripts
 * @property {(page: import('playwright-core').Page) => Promise<void>} [prepare] runs before the page is opened
 * @property {RegExp} [mayComplain] what this test breaks on purpose may be complained about
 * @property {boolean} [unstarted] do not wait for the scene
 */

/**
 * Opens the page as somebody with these wishes would, and says what it did that it should not.
 *
 * @param {Wishes} wishes
 */
export async function openPage(wishes = {}) {
  const context = await (await launch()).newContext({
    viewport: wishes.viewport ?? DESKTOP,
    colorScheme: wishes.colorScheme ?? 'dark',
    reducedMotion: wishes.motion ?? 'reduce',
    locale: wishes.locale ?? 'en-US',
    deviceScaleFactor: wishes.sharpness ?? 1,
    hasTouch: wishes.touch ?? false,
    isMobile: wishes.touch ?? false,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  if (wishes.before !== undefined) {
    await context.addInitScript(wishes.before);
  }
  const page = await context.newPage();
  const origin = new URL(await address()).origin;
  /** @type {string[]} */
  const complaints = [];
  /** @type {string[]} */
  const requests = [];
  const complain = (/** @type {string} */ text) => {
    if (wishes.mayComplain?.test(text) !== true) {
      complaints.push(text);
    }
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      complain(`${message.type()}: ${message.text()} (${message.location().url})`);
    }
  });
  page.on('pageerror', (error) => complain(`thrown: ${error}`));
  page.on('dialog', (dialog) => complain(`a dialog of the browser: ${dialog.message()}`));
  context.on('request', (request) => {
    requests.push(request.url());
    if (!request.url().startsWith(`${origin}/`) && !/^(blob|data):/.test(request.url())) {
      complain(`a request left the origin: ${request.url()}`);
    }
  });
  await wishes.prepare?.(page);
  await page.goto(`${origin}/${wishes.hash === undefined ? '' : `#${wishes.hash}`}`);
  const [view, view3d, viewRays] = [new View2d(page), new View3d(page), new ViewRays(page)];
  if (wishes.unstarted !== true) {
    const named = /^view=(\w+)/.exec(wishes.hash ?? '')?.[1];
    await (named === '3d' ? view3d : named === 'rays' ? viewRays : view).started();
  }
  return { page, context, view, view3d, viewRays, origin, requests, complaints };
}

/** @typedef {Awaited<ReturnType<typeof openPage>>} Opened */
