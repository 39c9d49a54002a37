// Scans the XML of a spreadsheet in pieces and calls back for each opening tag, text and closing tag. It never resolves external entities.
import { SaxesParser } from 'saxes';
import { DAMAGED, UnusableFile } from './table-file.server.ts';

/** Far more than a cell may contain (32,767 characters). A longer piece of markup or text is treated as endless. */
const MAX_PIECE_LENGTH = 4_000_000;
/** Spreadsheets nest about a dozen elements; each open element is held in memory. */
const DEEPEST = 256;

export type Attributes = Readonly<Record<string, string>>;
export type XmlEvents = {
  /** `tag` is the name without its prefix. An empty element also triggers `close`. */
  open?: (tag: string, attributes: Attributes) => void;
  text?: (text: string) => void;
  close?: (tag: string) => void;
};

/** Returns a function to call with the pieces in order. It throws UnusableFile for malformed or endless XML. */
export function xmlScanner(on: XmlEvents): (piece: string) => void {
  const parser = new SaxesParser();
  let depth = 0;
  let fed = 0;
  let lastAt = 0;
  const text = (result: string): void => {
    lastAt = fed;
    on.text?.(result);
  };
  parser.on('opentag', ({ name, attributes }) => {
    lastAt = fed;
    if (++depth > DEEPEST) throw new UnusableFile(DAMAGED);
    on.open?.(local(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    lastAt = fed;
    depth--;
    on.close?.(local(name));
  });
  parser.on('text', text);
  parser.on('cdata', text);
  return (piece) => {
    try {
      parser.write(piece);
    } catch (error) {
      throw error instanceof UnusableFile ? error : new UnusableFile(DAMAGED, { cause: error });
    }
    fed += piece.length;
    if (fed - lastAt > MAX_PIECE_LENGTH)
      throw new UnusableFile('The Excel file is damaged: a part of it does not end.');
  };
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Returns the value of an attribute, whatever its prefix. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  if (name in attributes) return attributes[name];
  const prefixed = Object.keys(attributes).find((key) => local(key) === name);
  return prefixed === undefined ? undefined : attributes[prefixed];
}
