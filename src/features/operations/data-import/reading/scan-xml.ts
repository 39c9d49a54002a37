// Just enough XML for spreadsheets: calls back for each opening tag, text and closing tag of a text that comes in pieces.
import { UnusableFile } from './table-file.ts';

/** Far more than a cell may hold (32,767 characters): a piece of markup or text that goes on for longer never ends. */
const LONGEST_PIECE = 4_000_000;

export type XmlEvents = {
  /** `tag` is the name without its prefix, `raw` the whole tag, for `attribute`. An empty element also gets its close. */
  open?: (tag: string, raw: string) => void;
  text?: (text: string) => void;
  close?: (tag: string) => void;
};

/** A function to feed with the pieces, in order. Whatever is cut off at a piece's end waits for the next one. */
export function xmlScanner(on: XmlEvents): (piece: string) => void {
  let rest = '';
  return (piece) => {
    const xml = rest + piece;
    let at = 0;
    for (;;) {
      const start = xml.indexOf('<', at);
      if (start < 0) break;
      if (start > at) on.text?.(unescaped(xml.slice(at, start)));
      at = start;
      const end = markupEnd(xml, start);
      if (end < 0) break;
      at = end;
      const second = xml[start + 1];
      if (second === '!') {
        if (xml.startsWith('<![CDATA[', start)) on.text?.(xml.slice(start + 9, end - 3));
      } else if (second === '/') {
        on.close?.(nameAt(xml, start + 2));
      } else if (second !== '?') {
        const tag = nameAt(xml, start + 1);
        on.open?.(tag, xml.slice(start, end));
        if (xml[end - 2] === '/') on.close?.(tag);
      }
    }
    rest = xml.slice(at);
    if (rest.length > LONGEST_PIECE) throw new UnusableFile('The Excel file is damaged: a part of it does not end.');
  };
}

const TAG = /<(?:[^<>"']|"[^"]*"|'[^']*')*>/y;

/** The index behind the markup that starts here; -1 while its end has not come yet. */
function markupEnd(xml: string, start: number): number {
  // Until four characters are there a comment cannot be told from a tag.
  if (xml.length < start + 9 && xml[start + 1] === '!') return -1;
  const closing = xml.startsWith('<!--', start) ? '-->' : xml.startsWith('<![CDATA[', start) ? ']]>' : null;
  if (closing) {
    const end = xml.indexOf(closing, start);
    return end < 0 ? -1 : end + closing.length;
  }
  TAG.lastIndex = start;
  return TAG.test(xml) ? TAG.lastIndex : -1;
}

function nameAt(xml: string, start: number): string {
  let end = start;
  let from = start;
  for (; end < xml.length; end++) {
    const c = xml.charCodeAt(end);
    if (c === 58) from = end + 1;
    else if (c <= 32 || c === 62 || c === 47) break;
  }
  return xml.slice(from, end);
}

const attributePatterns = new Map<string, RegExp>();

/** The value of an attribute in a whole tag; the name is given without its prefix. */
export function attribute(raw: string, name: string): string | undefined {
  let pattern = attributePatterns.get(name);
  if (!pattern) {
    pattern = new RegExp(`\\s(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
    attributePatterns.set(name, pattern);
  }
  const found = pattern.exec(raw);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? undefined : unescaped(value);
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex: string, decimal: string, name: string) => {
    if (name) return NAMED[name] ?? all;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
