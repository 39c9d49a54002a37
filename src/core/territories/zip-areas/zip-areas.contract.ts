// Defines the call for the ZIP areas on the map and their territories (specification section 7, Map and territory tool).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { INTERNAL_ROLES, type Role } from '#platform/shared/roles.ts';
import { Id, TypedDate } from '#platform/shared/wire.ts';

/** The roles that may view the map. Sales support may do so on the internal site only. */
const MAP_ROLES: readonly Role[] = [...INTERNAL_ROLES, 'salesadmin', 'salessupport', 'salesQuoteManager'];

/** The most areas that a GeoJSON answer contains. */
export const MAX_AREAS = 5000;

const Feature = z.object({
  type: z.literal('Feature'),
  /** The ZIP. */
  id: z.string(),
  properties: z.object({
    zip: z.string(),
    city: z.string(),
    /** Null if no territory has the ZIP. */
    territoryId: z.number().int().nullable(),
    /** Whether the area only approximates the real one. */
    approximate: z.boolean(),
  }),
  geometry: z.object({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates: z.array(z.unknown()) }),
});

export const ZipFeatures = z.object({ type: z.literal('FeatureCollection'), features: z.array(Feature) });
export type ZipFeatures = z.infer<typeof ZipFeatures>;

export const ZipRefs = z.object({
  /** Changes whenever the areas change. */
  geoVersion: z.string(),
  /** Send it back as `known`. If nothing has changed, the answer contains no data. */
  etag: z.string(),
  /** One topology per state, with the object `zips`. */
  files: z.array(
    z.object({
      state: z.string(),
      url: z.string(),
      areas: z.number().int(),
      /** Whether the areas only approximate the real ones. */
      approximate: z.boolean(),
    }),
  ),
  /** The address of the outlines of states and counties. */
  background: z.string(),
  /** The ZIPs of each territory, including those without an area: '75001 75002'. */
  territories: z.array(z.object({ id: z.number().int(), zips: z.string() })),
  /** The number of the look of every territory, 0 to 15, the same on every map. Neighbors differ. Format: 'id look id look'. */
  looks: z.string(),
  /** The ZIPs of the files that no territory has. */
  unassigned: z.string(),
  /** ZIPs without an area, with their places: 'zip lat lon zip lat lon'. */
  points: z.string(),
});
export type ZipRefs = z.infer<typeof ZipRefs>;

export const Unchanged = z.object({ unchanged: z.literal(true) });

export const ZipAreas = {
  getTerrZipGeoJson: post(
    '/api/TazApi/getTerrZipGeoJson',
    z.object({
      /** Only areas of these territories. */
      territoryIds: z.array(Id).max(1000).nullish(),
      /** Only areas in these states: TX. */
      states: z
        .array(z.string().regex(/^[A-Z]{2}$/, 'A state has two letters'))
        .max(60)
        .nullish(),
      /** Empty or omitted means today. */
      date: TypedDate.or(z.literal('')).nullish(),
      /** Applies the moves of this saved map. */
      mapId: Id.nullish(),
      /** `refs` returns the assignments and the addresses of the areas. */
      format: z.enum(['geojson', 'refs']).default('geojson'),
      /** The etag of the caller's copy of the refs. */
      known: z.string().max(100).nullish(),
    }),
    z.union([ZipFeatures, ZipRefs, Unchanged]),
    {
      access: MAP_ROLES,
      summary: 'The areas of ZIP codes with their territories as GeoJSON, at most 5,000, or as references to files.',
    },
  ),
};
