/** One browser for all tests, with a context of its own for each page. */

import { chromium } from 'playwright-core';

import { serve } from './program.mjs';
import { TIMEOUT_MS } from './until.mjs';
import { View2d } from './view-2d.mjs';
import { View3d } from './view-3d.mjs';
import { ViewRays } from './view-rays.mjs';

/**
 * A window of Chromium preloads two pages for its address field, before ours: half the cost of
 * opening. This switch replaces the one that playwright passes, so the features of that are listed
 * again as far as they concern the page.
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
      // Headless browsers permit sound without a gesture; real ones do not.
      '--autoplay-policy=document-user-activation-required',
      `--disable-features=${NOT_NEEDED.join(',')}`,
    ],
  });
  return browser;
}

/** Stops browser and server. */
export async function closeAll() {
  await (await browser)?.close();
  (await server)?.stop();
}

/**
 * @typedef {object} PageOptions
 * @property {string} [hash] fragment of the address
 * @property {{ width: number, height: number }} [viewport]
 * @property {'dark' | 'light'} [colorScheme]
 * @property {'reduce' | 'no-preference'} [motion] the scene starts paused unless it is
 *   'no-preference'
 * @property {string} [locale]
 * @property {boolean} [touch] touch instead of a mouse
 * @property {number} [pixelRatio] display pixels per CSS pixel
 * @property {() => void} [before] runs in the page before its own scripts
 * @property {(page: import('playwright-core').Page) => Promise<void>} [prepare] runs before the
 *   page is opened
 * @property {RegExp} [expectedErrors] expected console errors
 * @property {boolean} [skipStart] do not wait for the scene
 */

/**
 * Opens the page with these options, and collects errors and requests.
 *
 * @param {PageOptions} options
 */
export async function openPage(options = {}) {
  const context = await (await launch()).newContext({
    viewport: options.viewport ?? DESKTOP,
    colorScheme: options.colorScheme ?? 'dark',
    reducedMotion: options.motion ?? 'reduce',
    locale: options.locale ?? 'en-US',
    deviceScaleFactor: options.pixelRatio ?? 1,
    hasTouch: options.touch ?? false,
    isMobile: options.touch ?? false,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  if (options.before !== undefined) {
    await context.addInitScript(options.before);
  }
  const page = await context.newPage();
  const origin = new URL(await address()).origin;
  /** @type {string[]} */
  const errors = [];
  /** @type {string[]} */
  const requests = [];
  const complain = (/** @type {string} */ text) => {
    if (options.expectedErrors?.test(text) !== true) {
      errors.push(text);
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
  await options.prepare?.(page);
  await page.goto(`${origin}/${options.hash === undefined ? '' : `#${options.hash}`}`);
  const [view, view3d, viewRays] = [new View2d(page), new View3d(page), new ViewRays(page)];
  if (options.skipStart !== true) {
    const named = /^view=(\w+)/.exec(options.hash ?? '')?.[1];
    await (named === '3d' ? view3d : named === 'rays' ? viewRays : view).started();
  }
  return { page, context, view, view3d, viewRays, origin, requests, errors };
}

/** @typedef {Awaited<ReturnType<typeof openPage>>} Opened */
