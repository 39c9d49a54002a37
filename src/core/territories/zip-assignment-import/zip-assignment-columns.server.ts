// Reads the rows of a file that assigns ZIPs to territories: its columns, their synonyms, and their values.

import type { RowKind } from '#platform/data-import/kinds/kind-description.server.ts';
import type { CellParser } from '#platform/data-import/reading/cell-values.server.ts';
import { date, lastDay } from '#platform/data-import/reading/cell-days.server.ts';
import { listedZip } from '#platform/data-import/reading/cell-places.server.ts';
import { textOf } from '#platform/data-import/reading/cell-values.server.ts';
import { FIRST_DAYS, headings, LAST_DAYS } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';

const action: CellParser = (text) => {
  if (/^(?:assign(?:ed)?|add|new|begin|start|change|update|a)$/i.test(text)) return 'assign';
  if (/^(?:end(?:ed)?|remove|delete|stop|close|terminate|unassign|e)$/i.test(text)) return 'end';
  return new Refusal('is neither assign nor end');
};

const STAGE = { only: 'stage' } as const;

export const tazRows: RowKind = {
  kind: 'taz',
  singular: 'assignment',
  fields: {
    zip5: { label: 'ZIP', names: headings('zip, zip 5, postal code, postcode'), parse: listedZip },
    territory: {
      label: 'territory',
      names: headings('territory name, territory, sales territory, new territory, terr, taz, hrr, hsa, territory id'),
      parse: textOf(100),
    },
    region: { label: 'region', names: headings('region name, region, sales region, district'), parse: textOf(100) },
    rep: {
      label: 'rep',
      names: headings('rep, sales rep, representative, sales representative, rep name, rep email, salesperson'),
      parse: textOf(254),
    },
    valid_from: {
      label: 'from',
      names: headings(`from, ${FIRST_DAYS}`),
      parse: date,
    },
    valid_to: {
      label: 'to',
      names: headings(`to, ${LAST_DAYS}`),
      parse: lastDay,
    },
    action: { label: 'action', names: headings('action, what to do, change, operation'), parse: action },
  },
  needs: [
    ['zip5', 'territory'],
    ['zip5', 'action'],
  ],
  toRecords: (values) => {
    const ends = values['action'] === 'end';
    if (!ends && values['territory'] === undefined)
      return { field: 'territory', refusal: new Refusal('is empty: enter who gets the ZIP') };
    const { valid_to: to, ...rest } = values;
    if (to !== 'infinity') return [{ ...values, action: ends ? 'end' : 'assign' }];
    // 'infinity' means no end. An assignment without a last day has no end anyway, so the value is dropped.
    return ends
      ? { field: 'valid_to', refusal: new Refusal('means no end, but the row ends something: write the last day') }
      : [{ ...rest, action: 'assign' }];
  },
  columns: {
    zip5: { type: 'text' },
    territory: { type: 'text' },
    region: { type: 'text' },
    rep: { type: 'text' },
    valid_from: { type: 'date' },
    valid_to: { type: 'date' },
    action: { type: 'text' },
    // The import fills these by lookup; territory_id stays null for a new territory.
    territory_id: { type: 'int', ...STAGE },
    region_id: { type: 'int', ...STAGE },
    user_id: { type: 'int', ...STAGE },
    makes: { type: 'boolean', ...STAGE },
    /** The figure of the report that includes the row's refusal. */
    sort: { type: 'text', ...STAGE },
  },
};
