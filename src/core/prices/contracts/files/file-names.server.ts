// Checks and corrects the names of folders and files, so that duplicates are found and every system can store them.
import { NAME_LENGTH } from './contract-files.contract.ts';

/** Reserved device names on Windows, with or without an extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;
const FORBIDDEN = /[\\/:*?"<>|]/;
/** Control characters, characters that change the text direction, and zero-width characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** Returns the key of a name. Names with the same key are treated as the same name: case and Unicode form do not matter. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** Returns why a typed name is refused. Null for a valid name. */
export function wrongFileName(name: string): string | null {
  if (name.length > NAME_LENGTH) return `A name has at most ${NAME_LENGTH} characters.`;
  if (INVISIBLE.test(name)) return 'This name contains invisible characters. Enter it again.';
  if (FORBIDDEN.test(name)) return String.raw`A name cannot contain any of \ / : * ? " < > |`;
  if (/^[. ]|[. ]$/.test(name)) return 'A name cannot begin or end with a dot or a space.';
  if (RESERVED.test(name)) return `${name} is a reserved name on Windows. Choose another one.`;
  return null;
}

/** Replaces what `wrongFileName` refuses, for the names of uploaded files. */
export function goodFileName(input: string): string {
  const plain = input
    .normalize('NFC')
    .replace(new RegExp(INVISIBLE, 'gu'), '')
    .replace(new RegExp(FORBIDDEN, 'g'), '_')
    .replace(/^[. ]+|[. ]+$/g, '');
  const named = RESERVED.test(plain) ? `_${plain}` : plain || 'file';
  if (named.length <= NAME_LENGTH) return named;
  const ending = endingOf(named);
  return `${named.slice(0, NAME_LENGTH - ending.length).replace(/[\ud800-\udbff]$/, '')}${ending}`;
}

/** '.pdf', or '' */
export function endingOf(name: string): string {
  return /(?<=.)\.[^.\s]{1,10}$/.exec(name)?.[0] ?? '';
}
