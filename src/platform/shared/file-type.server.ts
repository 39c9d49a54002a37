// Detects the type of an uploaded file by its first bytes and extension, and refuses files that could run on a reader's computer.

/** Bytes that a file begins with, at an offset. */
type Signature = { at?: number; bytes: number[] };
const codesOf = (value: string) => [...value].map((letter) => letter.charCodeAt(0));

const KNOWN: { mediaType: string; kind: Kind; signature: Signature[] }[] = [
  { mediaType: 'application/pdf', kind: 'pdf', signature: [{ bytes: codesOf('%PDF-') }] },
  { mediaType: 'image/png', kind: 'image', signature: [{ bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] }] },
  { mediaType: 'image/jpeg', kind: 'image', signature: [{ bytes: [0xff, 0xd8, 0xff] }] },
  { mediaType: 'image/gif', kind: 'image', signature: [{ bytes: codesOf('GIF8') }] },
  {
    mediaType: 'image/webp',
    kind: 'image',
    signature: [{ bytes: codesOf('RIFF') }, { at: 8, bytes: codesOf('WEBP') }],
  },
  { mediaType: 'image/tiff', kind: 'image', signature: [{ bytes: [0x49, 0x49, 0x2a, 0x00] }] },
  { mediaType: 'image/tiff', kind: 'image', signature: [{ bytes: [0x4d, 0x4d, 0x00, 0x2a] }] },
  { mediaType: 'image/heic', kind: 'image', signature: [{ at: 4, bytes: codesOf('ftyphei') }] },
  { mediaType: 'application/zip', kind: 'zip', signature: [{ bytes: [0x50, 0x4b, 0x03, 0x04] }] },
  { mediaType: 'application/zip', kind: 'zip', signature: [{ bytes: [0x50, 0x4b, 0x05, 0x06] }] },
  {
    mediaType: 'application/octet-stream',
    kind: 'ole',
    signature: [{ bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] }],
  },
];

const PROGRAMS: Signature[] = [
  { bytes: codesOf('MZ') },
  { bytes: [0x7f, ...codesOf('ELF')] },
  { bytes: [0xfe, 0xed, 0xfa, 0xce] },
  { bytes: [0xfe, 0xed, 0xfa, 0xcf] },
  { bytes: [0xce, 0xfa, 0xed, 0xfe] },
  { bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { bytes: [0xca, 0xfe, 0xba, 0xbe] },
  { bytes: codesOf('#!') },
];

type Kind = 'pdf' | 'image' | 'zip' | 'ole' | 'text';

/** The kinds that a known extension allows, and the media type if the bytes alone do not show it. */
const ENDINGS: Record<string, { kinds: Kind[]; mediaType?: string }> = {
  pdf: { kinds: ['pdf'] },
  png: { kinds: ['image'] },
  jpg: { kinds: ['image'] },
  jpeg: { kinds: ['image'] },
  gif: { kinds: ['image'] },
  webp: { kinds: ['image'] },
  tif: { kinds: ['image'] },
  tiff: { kinds: ['image'] },
  heic: { kinds: ['image'] },
  zip: { kinds: ['zip'] },
  docx: { kinds: ['zip'], mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' },
  xlsx: { kinds: ['zip'], mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  pptx: { kinds: ['zip'], mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation' },
  odt: { kinds: ['zip'], mediaType: 'application/vnd.oasis.opendocument.text' },
  ods: { kinds: ['zip'], mediaType: 'application/vnd.oasis.opendocument.spreadsheet' },
  doc: { kinds: ['ole'], mediaType: 'application/msword' },
  xls: { kinds: ['ole'], mediaType: 'application/vnd.ms-excel' },
  ppt: { kinds: ['ole'], mediaType: 'application/vnd.ms-powerpoint' },
  msg: { kinds: ['ole'], mediaType: 'application/vnd.ms-outlook' },
  csv: { kinds: ['text'], mediaType: 'text/csv' },
  txt: { kinds: ['text'], mediaType: 'text/plain' },
};

/** Extensions of files that a double click runs, or that a browser shows as a page. */
const ACTIVE = new Set(
  (
    'exe dll com scr pif cpl msi msp msix appx bat cmd ps1 psm1 vbs vbe js jse mjs cjs wsf wsh hta lnk url reg inf jar class ' +
    'sh bash zsh command app dmg pkg deb rpm apk iso img vhd docm dotm xlsm xltm xlam pptm ' +
    'html htm xhtml xht shtml mht mhtml svg svgz xml xsl xslt swf php asp aspx jsp py pl rb'
  ).split(' '),
);

export type FileType = { mediaType: string } | { refused: string };

/** Returns the media type of an upload, or a sentence that says why it is refused. */
export function fileType(name: string, bytes: Uint8Array): FileType {
  if (bytes.length === 0) return { refused: `${name} is empty.` };
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const expected = ENDINGS[ending];
  const match = KNOWN.find(({ signature }) => begins(bytes, signature));
  if (expected?.kinds[0] === 'image' && match?.kind !== 'image') {
    return {
      refused: `${name} cannot be read as a picture. It is damaged or of another type. Save it again and upload that.`,
    };
  }
  if (ACTIVE.has(ending) || PROGRAMS.some((signature) => begins(bytes, [signature])) || isPage(bytes)) {
    return {
      refused: `${name} is a program or a web page. Send a PDF, an image, an Office file or a text file instead.`,
    };
  }
  const kind: Kind | undefined = match?.kind ?? (isText(bytes) ? 'text' : undefined);
  if (expected && (!kind || !expected.kinds.includes(kind))) {
    return {
      refused: `${name} does not match its extension (.${ending}). Save it again in that format, or rename it.`,
    };
  }
  const mediaType = expected?.mediaType ?? match?.mediaType;
  return { mediaType: mediaType ?? (kind === 'text' ? 'text/plain' : 'application/octet-stream') };
}

/**
 * Returns a name to store: the last part of a path without invisible characters, at most 150 characters with its extension. Characters that some
 * systems do not allow in names are kept; a browser replaces them when it saves the file.
 */
export function fileName(input: string): string {
  const last = input.split(/[\\/]/).at(-1) ?? '';
  const visible = last
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|(?<![. ])[. ]+$/g, '');
  const ending = /\.[^.]{1,10}$/.exec(visible)?.[0] ?? '';
  const stem = visible.slice(0, visible.length - ending.length);
  // Does not cut a surrogate pair in half.
  const cut = stem.slice(0, 150 - ending.length).replace(/[\ud800-\udbff]$/, '');
  return `${cut || 'file'}${ending}`;
}

function begins(bytes: Uint8Array, signature: readonly Signature[]): boolean {
  return signature.every(({ at = 0, bytes: expected }) => expected.every((byte, index) => bytes[at + index] === byte));
}

const START = 4096;

function firstText(bytes: Uint8Array): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = utf16 ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8';
  return new TextDecoder(encoding).decode(bytes.subarray(0, START));
}

/** Returns whether this is markup that a browser would run: HTML, SVG, or XML that contains them. */
function isPage(bytes: Uint8Array): boolean {
  const start = firstText(bytes).trimStart().toLowerCase();
  return /^(<!doctype\s+(html|svg)|<html|<head|<body|<script|<svg|<iframe|<!--|<\?xml|<\?php|<%)/.test(start);
}

function isText(bytes: Uint8Array): boolean {
  // NUL bytes are text only in UTF-16, which starts with a byte order mark.
  return !/[\u0000-\u0008\u000e-\u001a]/.test(firstText(bytes));
}
