// Reads a file of ZIP areas: the outline, and the ZIP under the column names of the Census and others.
import type { RowKind } from '#platform/data-import/kinds/kind-description.server.ts';
import { zip } from '#platform/data-import/reading/cell-places.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { Refusal } from '#platform/data-import/reading/refusal.server.ts';
import { outline, unpacked } from './outline.server.ts';

const STAGE = { only: 'stage' } as const;

export const areaRows: RowKind = {
  kind: 'zip-areas',
  one: 'area',
  fields: {
    zip5: {
      label: 'ZIP',
      names: headings(
        'zcta 5 ce20, zcta 5 ce10, zcta 5 ce00, zcta 5 ce, zcta 5, zcta, zip, zip 5, zip_code, postal code, postcode, geoid20, geoid10, geoid, name20, name10, name, id',
      ),
      parse: zip,
    },
    outline: {
      label: 'area',
      names: headings('geometry, geom, the geom, geojson, geo json, shape, outline, area'),
      parse: outline,
    },
  },
  needs: [['zip5', 'outline']],
  otherColumns: 'ignored',
  toRecords: (values) => {
    const packed = values['outline'];
    if (typeof packed !== 'string') return { field: 'outline', refusal: new Refusal('is empty') };
    let [west, south] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    let [east, north] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const [outer = []] of unpacked(packed)) {
      for (const [x, y] of outer) {
        [west, east] = [Math.min(west, x), Math.max(east, x)];
        [south, north] = [Math.min(south, y), Math.max(north, y)];
      }
    }
    return [{ ...values, west, south, east, north }];
  },
  columns: {
    zip5: { type: 'text' },
    outline: { type: 'text' },
    // The bounding box, in millionths of a degree.
    west: { type: 'int' },
    south: { type: 'int' },
    east: { type: 'int' },
    north: { type: 'int' },
    // Looked up from the ZIP.
    state: { type: 'text', ...STAGE },
  },
};
