// Small pictures for tests, each with unique bytes.
import sharp from 'sharp';

let last = 0;

/** A picture whose bytes differ from those of every other call; `format` is what sharp writes. */
export function aPicture(
  overrides: { width?: number; height?: number; format?: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' } = {},
): Promise<Buffer> {
  const n = ++last;
  const background = { r: (n * 37) % 256, g: (n * 91) % 256, b: Math.floor(n / 7) % 256 };
  const create = {
    width: overrides.width ?? 40 + (n % 50),
    height: overrides.height ?? 30,
    channels: 3 as const,
    background,
  };
  return sharp({ create })
    .toFormat(overrides.format ?? 'png')
    .toBuffer();
}
