/** Heat maps as one picture: side by side with their names, over the scale. */
import { savePicture } from '../../../shared/downloads.ts';
import { language } from '../../../shared/i18n/translate.ts';
import { formatMean, formatNumber } from '../../../shared/i18n/number-format.ts';
import type { Heat } from '../workers/protocol.ts';
import { tRays } from '../i18n/translate.ts';

/** In pixels of the picture. */
const MARGIN = 24;
const LINE = 26;
const LARGER = 2;
const SCALE_HEIGHT = 18;

export async function saveHeatMapImage(heat: Heat, scale: Uint8ClampedArray<ArrayBuffer>, fileName: string): Promise<void> {
  const { width, height, maps, ticks, most } = heat;
  const canvas = document.createElement('canvas');
  const [wide, tall] = [width * LARGER, height * LARGER];
  canvas.width = MARGIN + maps.length * (wide + MARGIN);
  canvas.height = MARGIN + 2 * LINE + tall + MARGIN + SCALE_HEIGHT + LINE + MARGIN;
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  pen.fillStyle = '#0e1116';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingEnabled = false;
  pen.textBaseline = 'top';
  const locale = language.value;
  const text = (words: string, x: number, y: number, isBold = false): void => {
    pen.font = `${isBold ? '600 ' : ''}18px "Inter Variable", Inter, sans-serif`;
    pen.fillStyle = isBold ? '#e6edf3' : '#9da7b3';
    pen.fillText(words, x, y);
  };
  maps.forEach((map, place) => {
    const left = MARGIN + place * (wide + MARGIN);
    text(tRays(`structure.${map.name}-name`), left, MARGIN, true);
    text(`${tRays('heat.mean')} ${formatMean(map.mean, locale)}   ${tRays('heat.max')} ${formatNumber(map.max, locale)}`, left, MARGIN + LINE);
    pen.drawImage(pixelsOf(map.pixels, width, height), left, MARGIN + 2 * LINE, wide, tall);
  });
  const [top, long] = [canvas.height - MARGIN - LINE - SCALE_HEIGHT, canvas.width - 2 * MARGIN];
  pen.imageSmoothingEnabled = true;
  pen.drawImage(pixelsOf(scale, scale.length / 4, 1), MARGIN, top, long, SCALE_HEIGHT);
  for (const { heat: value, shade } of ticks) if (shade < 0.85) text(formatNumber(value, locale), MARGIN + shade * long, top + SCALE_HEIGHT + 4);
  pen.textAlign = 'right';
  text(`${formatNumber(most, locale)} ${tRays(`heat.${heat.metric}`).toLowerCase()}`, MARGIN + long, top + SCALE_HEIGHT + 4);
  await savePicture(canvas, fileName);
}

function pixelsOf(pixels: Uint8ClampedArray<ArrayBuffer>, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas;
}
