/**
 * Heat maps as one picture, in the colors of the page.
 *
 * Title with the mesh; triangles, resolution and camera, without which the picture cannot be
 * repeated; the maps side by side with their names; the scale with the mean of each.
 */
import { pageColors } from '../../../shared/page-colors.ts';
import { savePicture } from '../../../shared/downloads.ts';
import { language } from '../../../shared/i18n/translate.ts';
import { formatMean, formatNumber } from '../../../shared/i18n/number-format.ts';
import { FOV } from '../../../shared/webgl/orbit-camera.ts';
import type { Heat, HeatMapRequest } from '../workers/protocol.ts';
import { tRays } from '../i18n/translate.ts';
import { spokenVector } from './describe.ts';

/** In pixels of the picture. */
const MARGIN = 24;
const LINE = 26;
const LARGER = 2;
const SCALE_HEIGHT = 18;
const TITLE = 2 * LINE + 12;
/** Minimum distance of a tick from the largest value, whose label ends the scale. */
const ROOM = 260;

interface Picture {
  heat: Heat;
  scale: Uint8ClampedArray<ArrayBuffer>;
  request: HeatMapRequest;
  mesh: string;
  triangles: number;
}

export async function saveHeatMapImage({ heat, scale, request, mesh, triangles }: Picture, fileName: string): Promise<void> {
  const { width, height, maps, ticks, most } = heat;
  const canvas = document.createElement('canvas');
  const [wide, tall] = [width * LARGER, height * LARGER];
  canvas.width = MARGIN + maps.length * (wide + MARGIN);
  canvas.height = MARGIN + TITLE + 2 * LINE + tall + MARGIN + LINE + SCALE_HEIGHT + LINE + MARGIN;
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const color = pageColors();
  pen.fillStyle = color('--panel');
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingEnabled = false;
  pen.textBaseline = 'top';
  const locale = language.value;
  const text = (words: string, x: number, y: number, { size = 18, isBold = false } = {}): void => {
    pen.font = `${isBold ? '600 ' : ''}${size}px "Inter Variable", Inter, sans-serif`;
    pen.fillStyle = color(isBold ? '--text' : '--muted');
    pen.fillText(words, x, y);
  };
  const metric = tRays(`heat.${heat.metric}`);
  text(`Embate · ${tRays('heat.picture-title', { metric: metric.toLocaleLowerCase(locale), mesh })}`, MARGIN, MARGIN, { size: 22, isBold: true });
  const camera = { eye: spokenVector(request.eye), at: spokenVector(request.at), fov: FOV };
  text(tRays('heat.picture-camera', { triangles, width, height, ...camera }), MARGIN, MARGIN + LINE + 6);
  const top = MARGIN + TITLE;
  maps.forEach((map, place) => {
    const left = MARGIN + place * (wide + MARGIN);
    text(tRays(`structure.${map.name}-name`), left, top, { isBold: true });
    text(`${tRays('heat.mean')} ${formatMean(map.mean, locale)}   ${tRays('heat.max')} ${formatNumber(map.max, locale)}`, left, top + LINE);
    pen.drawImage(pixelsOf(map.pixels, width, height), left, top + 2 * LINE, wide, tall);
  });
  const [legend, long] = [canvas.height - MARGIN - LINE - SCALE_HEIGHT, canvas.width - 2 * MARGIN];
  text(tRays('heat.scale', { most }), MARGIN, legend - LINE);
  pen.imageSmoothingEnabled = true;
  pen.drawImage(pixelsOf(scale, scale.length / 4, 1), MARGIN, legend, long, SCALE_HEIGHT);
  for (const { heat: value, shade } of ticks) {
    if (shade * long < long - ROOM) text(formatNumber(value, locale), MARGIN + shade * long, legend + SCALE_HEIGHT + 4);
  }
  pen.textAlign = 'right';
  text(`${metric}: ${formatNumber(most, locale)}`, MARGIN + long, legend + SCALE_HEIGHT + 4);
  await savePicture(canvas, fileName);
}

function pixelsOf(pixels: Uint8ClampedArray<ArrayBuffer>, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width, height];
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas;
}
