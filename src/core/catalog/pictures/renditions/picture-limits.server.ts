// Recognizes the kind of a picture by its bytes, because a file's name proves nothing.

export const LARGEST_PICTURE = 25 * 1024 * 1024;
export const MAX_PIXELS = 50_000_000;
/** The number of bytes that reveal the kind. */
export const HEAD_SIZE = 64;

export const TOO_LARGE = 'The file is larger than 25 MB. Make the picture smaller and upload it again.';
const UNKNOWN = 'This picture cannot be read. Upload JPEG, PNG, WebP, GIF or TIFF.';
const HEIC = 'HEIC pictures are not supported. Save it as JPEG and upload that.';
const DRAWING =
  'Drawings such as SVG are not accepted because they can contain scripts. Save it as PNG and upload that.';

/** The media type of an accepted picture, or a sentence that explains why it is refused. */
export function pictureKind(head: Uint8Array): { mediaType: string } | { refused: string } {
  const text = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to));
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return { mediaType: 'image/jpeg' };
  if (text(0, 8) === '\u0089PNG\r\n\u001a\n') return { mediaType: 'image/png' };
  if (/^GIF8[79]a$/.test(text(0, 6))) return { mediaType: 'image/gif' };
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return { mediaType: 'image/webp' };
  if (['II*\0', 'MM\0*', 'II+\0', 'MM\0+'].includes(text(0, 4))) return { mediaType: 'image/tiff' };
  if (text(4, 8) === 'ftyp') return { refused: /^(hei|hev|mif1|msf1)/.test(text(8, 12)) ? HEIC : UNKNOWN };
  return {
    refused: /^(\u00ef\u00bb\u00bf)?\s*<(\?xml|svg|!doctype svg|!--)/i.test(text(0, HEAD_SIZE)) ? DRAWING : UNKNOWN,
  };
}
