// The areas of ZIP codes on the map, and which territory has each (specification section 7, Map and territory tool).
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { INTERNAL_ROLES, type Role } from '#shared/roles.ts';
import { Id, TypedDate } from '#shared/wire.ts';

/** Who may look at the map; sales support on the internal site only. */
const MAP_ROLES: readonly Role[] = [...INTERNAL_ROLES, 'salesadmin', 'salessupport', 'salesQuoteManager'];

/** At most this many areas travel as GeoJSON. */
export const MOST_AREAS = 5000;

const Feature = z.object({
  type: z.literal('Feature'),
  /** The ZIP. */
  id: z.string(),
  properties: z.object({
    zip: z.string(),
    city: z.string(),
    /** Null: no territory has it. */
    territoryId: z.number().int().nullable(),
    /** Whether the area is only near the real one. */
    approximate: z.boolean(),
  }),
  geometry: z.object({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates: z.array(z.unknown()) }),
});

export const ZipFeatures = z.object({ type: z.literal('FeatureCollection'), features: z.array(Feature) });
export type ZipFeatures = z.infer<typeof ZipFeatures>;

export const ZipRefs = z.object({
  /** The version of the areas. */
  geoVersion: z.string(),
  /** Given back as `known`: nothing has changed since. */
  etag: z.string(),
  /** A topology of each state, object `zips`. */
  files: z.array(
    z.object({
      state: z.string(),
      url: z.string(),
      areas: z.number().int(),
      /** All of them are only near the real ones. */
      approximate: z.boolean(),
      /** How many came from a file of real areas. */
      imported: z.number().int(),
    }),
  ),
  /** Outlines of states and counties. */
  background: z.string(),
  /** The ZIPs of each territory, with those that have no area: '75001 75002'. */
  territories: z.array(z.object({ id: z.number().int(), zips: z.string() })),
  /** The ZIPs of the files that no territory has. */
  unassigned: z.string(),
  /** ZIPs without an area, where they lie: 'zip lat lon zip lat lon'. */
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
      /** Empty or left out: today. */
      date: TypedDate.or(z.literal('')).nullish(),
      /** As this saved map would have it, on the areas that it was drawn on. */
      mapId: Id.nullish(),
      /** refs: who has which ZIP, and the addresses of the areas. */
      format: z.enum(['geojson', 'refs']).default('geojson'),
      /** The etag of the refs that the caller has. */
      known: z.string().max(100).nullish(),
    }),
    z.union([ZipFeatures, ZipRefs, Unchanged]),
    {
      access: MAP_ROLES,
      summary: 'The areas of ZIP codes with their territories as GeoJSON, at most 5,000, or as references to files.',
    },
  ),
};
