/** Downloads and clipboard. */
import { provenance } from './provenance.ts';

/** Saves bytes as a file, without network traffic. */
export function save(content: Blob, fileName: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // Most browsers have read the object URL by the next task, some only later.
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function saveText(text: string, fileName: string, type: string): void {
  save(new Blob([text], { type: `${type};charset=utf-8` }), fileName);
}

/** Saves a picture with its provenance in a line below. */
export async function savePicture(canvas: HTMLCanvasElement, fileName: string): Promise<void> {
  const picture = withFooter(canvas, provenance());
  const png = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, 'image/png'));
  if (png === null) {
    throw new Error('the browser could not write the picture');
  }
  save(png, fileName);
}

/** Font size of the footer as a share of the width. */
const FOOTER_SHARE = 1 / 90;
const MIN_FOOTER_PX = 11;

/** The picture with a line of text below, on the color of its first pixel. */
function withFooter(canvas: HTMLCanvasElement, text: string): HTMLCanvasElement {
  const size = Math.max(MIN_FOOTER_PX, Math.round(canvas.width * FOOTER_SHARE));
  const larger = document.createElement('canvas');
  larger.width = canvas.width;
  larger.height = canvas.height + 2 * size;
  const context = larger.getContext('2d');
  const [red = 0, green = 0, blue = 0] = canvas.getContext('2d')?.getImageData(0, 0, 1, 1).data ?? [];
  if (context === null) return canvas;
  context.fillStyle = `rgb(${red} ${green} ${blue})`;
  context.fillRect(0, 0, larger.width, larger.height);
  context.drawImage(canvas, 0, 0);
  // The muted text color of either theme.
  context.fillStyle = red + green + blue > 3 * 128 ? '#58606b' : '#9da7b3';
  context.font = `${size}px ${getComputedStyle(document.documentElement).getPropertyValue('--font').trim()}`;
  context.textBaseline = 'middle';
  context.fillText(text, size, canvas.height + 0.5 * size, larger.width - 2 * size);
  return larger;
}

/** Returns false if the browser denies clipboard access: show the text for copying by hand. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** CSV: cells are quoted only where necessary, lines end with a line feed. */
export function csv(rows: readonly (readonly (string | number | null)[])[]): string {
  const cell = (value: string | number | null): string => {
    const text = value === null ? '' : typeof value === 'number' ? digits(value) : value;
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\n`).join('');
}

/**
 * Shortest exact decimal without an exponent, as the command line writes it; empty for a non-finite
 * value.
 */
export function digits(value: number): string {
  if (!Number.isFinite(value)) {
    return '';
  }
  const text = String(value);
  const [, sign, whole, fraction = '', power] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (sign === undefined || whole === undefined) {
    return text;
  }
  const shift = Number(power);
  const all = whole + fraction;
  return shift < 0
    ? `${sign}0.${'0'.repeat(-shift - 1)}${all}`
    : sign + all.padEnd(shift + 1, '0');
}
