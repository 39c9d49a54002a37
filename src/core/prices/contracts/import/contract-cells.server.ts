// Parses the cells that occur only in contract files.
import { date, lastDay } from '#platform/data-import/reading/cell-days.server.ts';
import { type CellParser } from '#platform/data-import/reading/cell-values.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';

/** Parses a first day. Refuses 12/31/9999, which means "no end" and is not a first day. */
export const firstDay: CellParser = (text, context) => {
  const day = lastDay(text, context);
  return day === 'infinity' ? new Refusal('means that there is no end: it is no first day') : day;
};

/** Parses the last day of a contract, which always has one. */
export const contractEnd: CellParser = (text, context) => {
  const day = date(text, context);
  return day instanceof Refusal && lastDay(text, context) === 'infinity'
    ? new Refusal('means that there is no end: write the last day of the contract')
    : day;
};
