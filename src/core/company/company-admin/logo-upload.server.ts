// Accepts a logo: a PNG or JPEG by its bytes, decoded and re-encoded, so that only its pixels remain and nothing hidden in the file.
import type { SharpConstructor } from 'sharp';
import { LOGO_BYTES, LOGO_PIXELS, sizeInWords } from './company-admin.contract.ts';

export type LogoPicture = { png: Buffer; width: number; height: number };

/** Enough for print: on paper a logo is at most 34 points high and 160 wide (pdf-content.server.ts). */
const KEPT = { width: 1200, height: 400 };
const LEAST = 32;
/** Width by height: outside these limits the logo would be a thin stroke on a quote. */
const SHAPES = { tallest: 1 / 3, longest: 10 };

/** The picture to keep, always PNG; or a sentence that says why the upload is refused. */
export async function readLogo(name: string, bytes: Buffer): Promise<LogoPicture | { refused: string }> {
  if (bytes.length === 0) return { refused: `${name} is empty.` };
  if (bytes.length > LOGO_BYTES) {
    return { refused: `${name} is ${sizeInWords(bytes.length)}. A logo may be up to ${sizeInWords(LOGO_BYTES)}.` };
  }
  if (!begins(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) && !begins(bytes, [0xff, 0xd8, 0xff])) {
    return {
      refused: isSvg(bytes)
        ? `${name} is an SVG drawing, which can hold a program. Save it as PNG, 600 pixels wide or more, and choose that.`
        : `${name} is neither a PNG nor a JPEG. Save it as one of these and choose that.`,
    };
  }
  // Loaded on demand: a server does not need it in memory until somebody chooses a logo.
  const { default: sharp } = await import('sharp');
  try {
    return await rewritten(name, bytes, sharp);
  } catch {
    return { refused: `${name} cannot be read: it is damaged or incomplete. Save it again and choose that file.` };
  }
}

async function rewritten(
  name: string,
  bytes: Buffer,
  sharp: SharpConstructor,
): Promise<LogoPicture | { refused: string }> {
  const given = sharp(bytes, { limitInputPixels: false }).autoOrient();
  const { width, height } = (await given.metadata()).autoOrient;
  const is = `${name} is ${width} × ${height} pixels`;
  if (Math.max(width, height) > LOGO_PIXELS) {
    return { refused: `${is}. Make it at most ${LOGO_PIXELS.toLocaleString('en-US')} each way and choose that.` };
  }
  if (Math.min(width, height) < LEAST) return { refused: `${is}, too few to print. Choose a larger picture.` };
  const shape = width / height;
  if (shape > SHAPES.longest || shape < SHAPES.tallest) {
    return { refused: `${is}, too ${shape > 1 ? 'long' : 'tall'} and thin for the top of a quote.` };
  }
  const { data: png, info } = await given
    .resize({ ...KEPT, fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });
  const { channels } = await sharp(png).flatten({ background: '#fff' }).stats();
  if (channels.every(({ min }) => min > 240)) {
    return { refused: `${name} cannot be seen on white paper. Choose a logo with darker colors.` };
  }
  return { png, width: info.width, height: info.height };
}

function begins(bytes: Buffer, signature: number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function isSvg(bytes: Buffer): boolean {
  return /<svg[\s>]/i.test(bytes.subarray(0, 4096).toString('latin1'));
}
