// Reads a GeoJSON FeatureCollection as rows. Line 1 contains the column names: one per property, one for the id, one for the geometry.
import type { Fault, Row, Sheet } from './table-file.server.ts';
import { UnusableFile } from './table-file.server.ts';

/** A feature: its JSON, or the reason why it cannot be read. */
type FeatureText = { json: string } | { fault: string };

/** The largest area of the Census has about 5 million characters. */
const MAX_CHARACTERS = 20_000_000;
/** A MultiPolygon has eight levels of brackets; foreign members may have more. */
const MAX_LEVELS = 24;
/** The number of features whose properties define the columns. */
const LOOKED_AT = 30;
const MAX_PROPERTIES = 200;
const MAX_NAME_LENGTH = 100;

const GEOMETRY = 'geometry';

/** Returns whether a text begins like a JSON object or list. Headings in brackets, such as [Item No], do not. */
export function isJson(start: string): boolean {
  return /^[\s\ufeff\x1e]*(?:\{\s*(?:"|\}|$)|\[\s*[[{])/.test(start);
}

/** Opens a file as a sheet. Each call of `text` reads from the start. Throws UnusableFile if the file is not a FeatureCollection. */
export async function openGeoJson(text: () => AsyncIterable<string>): Promise<Sheet> {
  const names = new Set<string>();
  let [looked, read] = [0, 0];
  let isEsri = false;
  let hasId = false;
  for await (const result of featuresOf(text())) {
    const feature = 'json' in result ? parsed(result.json) : null;
    if (feature) read += 1;
    else isEsri ||= 'json' in result && /"(?:attributes|rings)"\s*:/.test(result.json);
    for (const [name, value] of Object.entries(feature?.properties ?? {}))
      if (names.size < MAX_PROPERTIES && isPlain(value)) names.add(name);
    hasId ||= feature?.id !== undefined;
    if (++looked === LOOKED_AT) break;
  }
  if (looked === 0) throw new UnusableFile('The file has no areas: its list of features is empty.');
  if (read === 0) throw new UnusableFile(isEsri ? ESRI : NO_FEATURES);
  names.delete(GEOMETRY);
  const properties = [...names];
  const idName = hasId && !names.has('id') ? ['id'] : [];
  async function* rows(): AsyncGenerator<Row> {
    yield { line: 1, cells: [...properties, ...idName, GEOMETRY] };
    let line = 1;
    for await (const result of featuresOf(text())) {
      line += 1;
      const feature = 'json' in result ? parsed(result.json) : null;
      if (!feature) yield { line, cells: [], faults: [faultOf(result)] };
      else {
        const { id, properties: values, geometry } = feature;
        const cells = properties.map((name) => valueText(values?.[name]));
        if (idName.length > 0) cells.push(valueText(id));
        cells.push(geometry ? JSON.stringify(geometry) : '');
        yield { line, cells };
      }
    }
  }
  return { name: '', hidden: false, rows, countRows: async () => 0 };
}

function faultOf(result: FeatureText): Fault {
  return { at: null, reason: 'fault' in result ? result.fault : 'The feature is not JSON, or not a GeoJSON feature.' };
}

type Feature = { id?: unknown; properties?: Record<string, unknown> | null; geometry?: unknown };

function parsed(json: string): Feature | null {
  try {
    const feature = JSON.parse(json) as Feature & { type?: unknown };
    return feature.type === 'Feature' ? feature : null;
  } catch {
    return null;
  }
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object';

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? `${value}` : '';
}

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [34, 92, 44, 58, 91, 93, 123, 125];

/** Yields the features one by one. Memory holds only one feature and a piece of the text. */
async function* featuresOf(text: AsyncIterable<string>): AsyncGenerator<FeatureText> {
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** At the top level: the current string, the previous one, and the name whose value follows. */
  let word = '';
  let lastWord = '';
  let name = '';
  let type = '';
  let seen: 'nothing' | 'features' | 'end' = 'nothing';
  /** The text of the current feature. Null means that it is too large or too deep, so the loop only looks for its end. */
  let held: string | null = '';
  let reason = '';
  let closed = false;
  for await (const piece of text) {
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (inString) {
        if (escaped) escaped = false;
        else if (code === BACKSLASH) escaped = true;
        else if (code === QUOTE) {
          inString = false;
          lastWord = word;
          if (depth === 1 && name === 'type') type = word;
        }
        if (inString && depth === 1 && word.length < MAX_NAME_LENGTH) word += piece[at] ?? '';
        continue;
      }
      if (code === QUOTE) {
        inString = true;
        word = '';
      } else if (code === COLON) {
        if (depth === 1) name = lastWord;
      } else if (code === COMMA) {
        if (depth === 1) name = '';
      } else if (code === OPEN || code === OPEN_LIST) {
        depth += 1;
        if (depth === 1 && closed) throw new UnusableFile(NOT_ONE);
        if (depth === 2 && name === 'features' && seen === 'end') throw new UnusableFile(NOT_ONE);
        if (depth === 2 && code === OPEN_LIST && name === 'features' && seen === 'nothing') seen = 'features';
        else if (seen === 'features' && depth === 3) {
          held = code === OPEN ? '' : null;
          reason = 'The feature is not a GeoJSON feature.';
          from = at;
        } else if (seen === 'features' && depth > MAX_LEVELS && held !== null) {
          held = null;
          reason = `The feature is nested too deeply: more than ${MAX_LEVELS - 2} levels.`;
        } else if (seen !== 'features' && depth > MAX_LEVELS) throw new UnusableFile(NO_COLLECTION);
      } else if (code === CLOSE || code === CLOSE_LIST) {
        depth -= 1;
        if (depth < 0) throw new UnusableFile(DAMAGED);
        if (depth === 0) closed = true;
        if (depth === 1 && seen === 'features') seen = 'end';
        if (depth === 2 && seen === 'features') {
          yield held === null ? { fault: reason } : { json: held + piece.slice(from, at + 1) };
          held = '';
        }
      }
    }
    if (seen === 'features' && depth > 2 && held !== null) {
      held += piece.slice(from);
      if (held.length > MAX_CHARACTERS) {
        held = null;
        reason = `The feature is too large: more than ${MAX_CHARACTERS / 1_000_000} million characters.`;
      }
    }
  }
  if (depth > 0 || inString) throw new UnusableFile(DAMAGED);
  if (seen === 'nothing') throw new UnusableFile(type === 'Topology' ? TOPOLOGY : NO_COLLECTION);
}

const DAMAGED = 'The JSON is incomplete: the file was not copied completely, or it is damaged.';
const NO_COLLECTION = 'This is JSON, but not a GeoJSON FeatureCollection: it has no list of features.';
const NOT_ONE =
  'The file has several JSON objects or lists of features one after the other. A GeoJSON FeatureCollection is one.';
const NO_FEATURES = 'None of the first entries in the list of features is a GeoJSON feature that can be read.';
const ESRI = 'This is the JSON of Esri, not GeoJSON. Export it as GeoJSON and choose that file.';
const TOPOLOGY = 'This is TopoJSON. Save it as GeoJSON (a FeatureCollection) and choose that file.';
