/**
 * Entry point of the page. Settings are applied before the first render, so that nothing appears in
 * the wrong language or theme.
 */
import { render } from 'preact';

import './shared/css/tokens.css';
import './shared/css/base.css';
import './shared/css/fields.css';
import './shared/css/tables.css';
import './shell/shell.css';
import { applySettings } from './shared/settings.ts';
import { Shell } from './shell/shell.tsx';
import { watchPointer } from './shell/status.tsx';
import { watchForErrors } from './shell/error-banner.tsx';
import { followAddress } from './shell/view-place.tsx';

const page = document.getElementById('page');
if (page !== null) {
  watchForErrors();
  watchPointer();
  applySettings();
  followAddress();
  page.replaceChildren();
  render(<Shell />, page);
}
