/** In which colours does the stage draw? In those of the page, which only the page's style sheet knows. */
import { pageColours } from '../../shared/page-colours.ts';
import type { Colours } from './protocol.ts';

/** Whether it is dark is not looked at: it is here so that whoever asks is asked again when it changes. */
export function themeColours(_isDark: boolean): Colours {
  const colour = pageColours();
  return {
    background: colour('--ground'),
    free: colour('--free'),
    touching: colour('--touching'),
    cells: colour('--cells'),
    selected: colour('--selected'),
    box: colour('--box'),
    text: colour('--text'),
  };
}
