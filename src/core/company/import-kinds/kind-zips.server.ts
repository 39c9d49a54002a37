// ZIP codes with their place.
import { sql } from 'kysely';
import { shortZip, state, zipOf } from '#platform/data-import/reading/cell-places.server.ts';
import { degrees, textOf } from '#platform/data-import/reading/cell-values.server.ts';
import { headings } from '#platform/data-import/reading/header-match.server.ts';
import { zeroZipElsewhere } from './find-facility.server.ts';
import type { ImportKind } from '#platform/data-import/kinds/kind-description.server.ts';

export const zips: ImportKind = {
  kind: 'zips',
  singular: 'ZIP code',
  fields: {
    zip5: { label: 'ZIP code', names: headings('zip, zip 5, postal code, postcode, code'), parse: zipOf('zip5') },
    city: {
      label: 'city',
      names: headings('city, primary city, place, place name, city town, post office'),
      parse: textOf(100),
    },
    state: { label: 'state', names: headings('state code, state id, state abbreviation, state, st'), parse: state },
    county: { label: 'county', names: headings('county, county name, province, county parish'), parse: textOf(100) },
    lat: { label: 'latitude', names: headings('lat, intptlat, y'), parse: degrees(90) },
    lon: { label: 'longitude', names: headings('lon, long, intptlon, intptlong, x'), parse: degrees(180) },
  },
  needs: [['zip5']],
  toRecords: (values) => shortZip(values, 'zip5', 'state') ?? [values],
  columns: {
    zip5: { type: 'text' },
    city: { type: 'text', fresh: sql`''` },
    state: { type: 'text', fresh: sql`''` },
    county: { type: 'text', fresh: sql`''` },
    lat: { type: 'numeric(9, 6)' },
    lon: { type: 'numeric(9, 6)' },
  },
  key: ['zip5'],
  keyLabel: 'ZIP code',
  repeats: 'refuse',
  resolve: [zeroZipElsewhere('zip5', 'state')],
  table: 'zip',
  from: sql`zip t`,
  match: sql`t.zip5 = r.zip5`,
  versioned: false,
};
