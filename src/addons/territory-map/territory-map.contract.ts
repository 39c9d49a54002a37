// Defines the calls of the territory map (specification section 7, Map and territory tool; docs/decisions/0027).
import { z } from 'zod';
import { Bytes, post } from '#platform/api/endpoint.ts';
import { FacilityHit } from '#core/customers/facilities/facilities.contract.ts';
import { StatusId } from '#core/quoting/quotes/status.ts';
import { TerritoryRole } from '#core/territories/territories/territory-roles.ts';
import { INTERNAL_ROLES, type Role } from '#platform/shared/roles.ts';
import { Id, Named, PageInput, pageOf, Text, TypedDate, Worth } from '#platform/shared/wire.ts';

/** The roles that may view the map. Sales support may do so on the internal site only. */
export const MAP_ROLES: readonly Role[] = [...INTERNAL_ROLES, 'salesadmin', 'salessupport', 'salesQuoteManager'];

/** Empty or omitted means today. */
const OnDate = TypedDate.or(z.literal('')).nullish();
/** Applies the moves of this saved map. */
const MapId = Id.nullish();
const Zip5 = z.string().regex(/^\d{5}$/, 'A ZIP has five digits');

const MapRow = z.object({
  id: z.number().int(),
  name: z.string(),
  region: Named,
  /** The color that a saved map sets. Null if the map chooses it. */
  color: z.string().nullable(),
  active: z.boolean(),
  /** At most one user for each role. */
  reps: z.array(Named.extend({ role: TerritoryRole })),
  /** The number of all its ZIPs. `pointZips`: how many of them have no area. */
  zips: z.number().int(),
  pointZips: z.number().int(),
  /** Active facilities, by account override or else by ship-to ZIP. */
  facilities: z.number().int(),
  /** The open quotes of these facilities that the caller sees. */
  openQuotes: z.number().int(),
  openValue: Worth,
  /** The west, south, east, and north limits of the middles of its ZIPs. Null if none of them has a known place. */
  bbox: z.array(z.number()).nullable(),
});
export type MapRow = z.infer<typeof MapRow>;

/** The most facilities that the map draws. */
export const MAX_FACILITIES = 5000;

const MapFacility = FacilityHit.extend({
  /** The middle of its ZIP. */
  lat: z.number(),
  lon: z.number(),
  territory: Named.nullable(),
  why: z.enum(['override', 'zip', 'none']),
  openQuotes: z.number().int(),
  openValue: Worth,
});
export type MapFacility = z.infer<typeof MapFacility>;

const PlaceFacility = z.object({
  id: z.number().int(),
  acctNo: z.string(),
  name: z.string(),
  /** The territory that an account override sets. Null if the facility follows its ZIP. */
  override: Named.nullable(),
  openQuotes: z.number().int(),
});
const PlaceQuote = z.object({
  id: z.number().int(),
  num: z.number().int(),
  revision: z.number().int(),
  statusId: StatusId,
  facilityName: z.string(),
  totalAmount: z.number(),
  currnIdx: z.number().int(),
});

const MapPlace = z.object({
  date: z.string(),
  zip: z.string(),
  city: z.string(),
  state: z.string(),
  county: z.string(),
  territory: Named.nullable(),
  region: Named.nullable(),
  /** `move`: a saved map moves the ZIP to the territory. */
  why: z.enum(['zip', 'move', 'none']),
  from: z.string().nullable(),
  to: z.string().nullable(),
  reps: z.array(Named.extend({ role: TerritoryRole, phone: z.string(), email: z.string() })),
  /** The first 20 by name. */
  facilities: z.array(PlaceFacility),
  facilityCount: z.number().int(),
  /** The 20 with the highest value. */
  quotes: z.array(PlaceQuote),
  quoteCount: z.number().int(),
});
export type MapPlace = z.infer<typeof MapPlace>;

const Hit = z.object({
  kind: z.enum(['zip', 'city', 'county', 'state', 'territory', 'region', 'rep', 'facility']),
  label: z.string(),
  hint: z.string(),
  /** The territories, if the hit is a territory, a region, or a representative. */
  territoryIds: z.array(z.number().int()),
  /** The ZIPs of any other hit, separated by spaces. */
  zips: z.string(),
});
export type Hit = z.infer<typeof Hit>;

const RepOfZip = z.object({
  zip: z.string(),
  city: z.string(),
  state: z.string(),
  county: z.string(),
  /** True for a ZIP without an area on the map: a PO box or a single building. */
  point: z.boolean(),
  /** Null if no territory has the ZIP. */
  territory: Named.nullable(),
  region: Named.nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  salesRep: Named.nullable(),
  csRep: Named.nullable(),
  isRep: Named.nullable(),
  manager: Named.nullable(),
});
export type RepOfZip = z.infer<typeof RepOfZip>;

const ReportCriteria = PageInput.extend({
  pageSize: z.number().int().min(1).max(1000).default(200),
  regionId: Id.nullish(),
  territoryId: Id.nullish(),
  /** ZIPs with this prefix: 606, 60601. */
  zip: z
    .string()
    .regex(/^\d{0,5}$/, 'Enter up to five digits')
    .nullish(),
  date: OnDate,
  mapId: MapId,
  /** `with` adds the known ZIPs without a territory. `only` returns only these. */
  unassigned: z.enum(['without', 'with', 'only']).default('without'),
});
export type ReportCriteria = z.infer<typeof ReportCriteria>;

export const TerritoryMapCalls = {
  getAllTerritories: post('/api/TazApi/getAllTerritories', z.object({ date: OnDate, mapId: MapId }), z.array(MapRow), {
    access: MAP_ROLES,
    summary: 'All territories with their ZIPs, facilities and open quotes, as of a day or as planned in a saved map.',
  }),
  getFacilitiesForMap: post(
    '/api/TazApi/getFacilitiesForMap',
    z.object({
      territoryIds: z.array(Id).max(1000).nullish(),
      /** West, south, east, north. */
      bbox: z.array(z.number().min(-360).max(360)).length(4, 'West, south, east and north').nullish(),
      /** Words in the account number, the name, the city, or the ZIP. */
      keyword: Text(100).nullish(),
      /** Only facilities with open quotes that the caller sees. */
      withOpenQuotes: z.boolean().default(false),
      date: OnDate,
      mapId: MapId,
    }),
    z.object({
      /** Sorted by open value, highest first. */
      records: z.array(MapFacility),
      total: z.number().int(),
      truncated: z.boolean(),
      /** The number of facilities whose ZIP has no known place. `records` omits them. */
      unplaced: z.number().int(),
      /** Positions are the middle of the ship-to ZIP. */
      position: z.literal('zip'),
    }),
    { access: MAP_ROLES, summary: 'Active facilities with a place on the map, at most 5,000.' },
  ),
  getMapPlace: post('/api/TazApi/getMapPlace', z.object({ zip: Zip5, date: OnDate, mapId: MapId }), MapPlace, {
    access: MAP_ROLES,
    summary: 'Details of a ZIP: its territory and why, representatives, facilities and open quotes.',
  }),
  searchMap: post('/api/TazApi/searchMap', z.object({ keyword: Text(100), date: OnDate, mapId: MapId }), z.array(Hit), {
    access: MAP_ROLES,
    summary: 'Searches ZIPs, cities, counties, states, territories, regions, people and facilities.',
  }),
  getRepListByZipCodeReport: post('/api/TazApi/getRepListByZipCodeReport', ReportCriteria, pageOf(RepOfZip), {
    access: MAP_ROLES,
    summary: 'ZIPs with territory, region and representatives, as of a day or a saved map.',
  }),
  exportRepListByZipCodeReport: post('/api/TazApi/exportRepListByZipCodeReport', ReportCriteria, Bytes, {
    access: MAP_ROLES,
    file: 'text/csv',
  }),
};
