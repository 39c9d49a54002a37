// The queries that the map of a day needs before it can draw.
import type { QueryClient } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import { ZipAreas } from '#features/territories/zip-areas/zip-areas.contract.ts';
import { TerritoryMapCalls } from './territory-map.contract.ts';

/** An empty `date` means today. */
export const mapQueries = (date: string) => ({
  areas: api(ZipAreas).getTerrZipGeoJson.query({ format: 'refs', date }),
  territories: api(TerritoryMapCalls).getAllTerritories.query({ date }),
});

/** Loads today's map data while the page itself is still loading. */
export function prefetchMap(queries: QueryClient): void {
  const { areas, territories } = mapQueries('');
  void queries.prefetchQuery(areas);
  void queries.prefetchQuery(territories);
}
