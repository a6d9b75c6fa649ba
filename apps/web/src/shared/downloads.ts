/** Downloads and clipboard. */

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

export async function savePicture(canvas: HTMLCanvasElement, fileName: string): Promise<void> {
  const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (png === null) {
    throw new Error('the browser could not write the picture');
  }
  save(png, fileName);
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
