// Parses the cells of addresses: ZIP codes, states and countries.
import { US_STATES } from '#platform/shared/us-states.ts';
import { type CellParser, Several, textOf, type Value } from './cell-values.server.ts';
import { Refusal } from './refusal.server.ts';

/** The lowest ZIP code is 00501. */
const FIRST_ZIP = 501;

/**
 * Returns five digits. A ZIP+4 is cut to its first five. Lost leading zeros are restored if all of them are lost; 021 is only the beginning of a ZIP.
 */
export const zip: CellParser = (text, { noteCorrection }) => {
  const digits =
    /^(\d{3,5})(?:\.0)?$/.exec(text)?.[1] ??
    /^(\d{3,5})\s?-\s?\d{4}$/.exec(text)?.[1] ??
    /^(\d{3,5})\d{4}$/.exec(text)?.[1];
  if (!digits || /^0\d{2,3}$/.test(digits) || Number(digits) < FIRST_ZIP) return new Refusal('is not a US ZIP code');
  if (digits.length < 5)
    noteCorrection('ZIP code that had lost its leading zero', 'ZIP codes that had lost their leading zero');
  return digits.padStart(5, '0');
};

/** Returns a ZIP from a list of ZIPs. There, 606 may mean 00606 or every ZIP that begins with 606. */
export const listedZip: CellParser = (text, context) =>
  /^\d{3}$/.test(text)
    ? new Refusal(`may be 00${text}, or all ZIP codes that begin with ${text}: write each with five digits`)
    : zip(text, context);

/** Returns a ZIP whose row also has a state, which decides whether 606 is 00606. Without a state in the row, `shortZip` refuses it. */
export const zipOf =
  (field: string): CellParser =>
  (text, context) => {
    const five = zip(text, context);
    const digits = /^(\d{3})(?:\.0)?$/.exec(text)?.[1];
    return typeof five === 'string' && digits ? new Several({ [field]: five, [`short_${field}`]: digits }) : five;
  };

/** Returns why a row with a ZIP of three digits (`zipOf`) is refused. */
export function shortZip(
  values: Partial<Record<string, Value>>,
  field: string,
  stateField: string,
): { field: string; refusal: Refusal } | null {
  const digits = values[`short_${field}`];
  if (digits === undefined || values[stateField] !== undefined) return null;
  return {
    field,
    refusal: new Refusal(`may be 00${String(digits)} or the beginning of a ZIP code: write five digits`),
  };
}

const STATE_OF = new Map<string, string>(
  US_STATES.flatMap(({ name, abbreviation }) => [
    [name.toUpperCase(), abbreviation],
    [abbreviation, abbreviation],
  ]),
);

/** Returns the two letters of a state or territory, from the letters or the name. */
export const state: CellParser = (text) =>
  STATE_OF.get(text.toUpperCase().replaceAll('.', '')) ?? new Refusal('is not a state or territory of the USA');

const COUNTRY_OF_ZIPS =
  /^(?:us|usa|u\.s\.(?:a\.)?|united states(?: of america)?|840|pr|pri|gu|vi|as|mp|puerto rico|guam|(?:u\.?s\.? )?virgin islands|american samoa|northern mariana islands)$/i;

/** Returns a country other than the USA, whose postal codes may look like ZIP codes. */
export const country: CellParser = (text, context) => (COUNTRY_OF_ZIPS.test(text) ? null : textOf(100)(text, context));
