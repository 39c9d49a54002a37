// What the map of a day asks the server for before it can be drawn.
import type { QueryClient } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import { ZipAreas } from '#features/territories/zip-areas/zip-areas.contract.ts';
import { TerritoryMapCalls } from './territory-map.contract.ts';

/** `date` empty: today. */
export const mapQueries = (date: string) => ({
  areas: api(ZipAreas).getTerrZipGeoJson.query({ format: 'refs', date }),
  territories: api(TerritoryMapCalls).getAllTerritories.query({ date }),
});

/** Asks for today's map while its screen is still loading. */
export function prefetchMap(queries: QueryClient): void {
  const { areas, territories } = mapQueries('');
  void queries.prefetchQuery(areas);
  void queries.prefetchQuery(territories);
}
