// The queries that the map of a day needs before it can draw.
import type { QueryClient } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { ZipAreas } from '#core/territories/zip-areas/zip-areas.contract.ts';
import { TerritoryMapCalls } from './territory-map.contract.ts';

/** An empty `date` means today. */
export const mapQueries = (date: string) => ({
  areas: api(ZipAreas).getTerrZipGeoJson.query({ format: 'refs', date }),
  territories: api(TerritoryMapCalls).getAllTerritories.query({ date }),
});

/** Loads today's map data and the areas while the page itself is still loading. If a request fails, the page repeats it and reports the error. */
export async function prefetchMap(queries: QueryClient): Promise<void> {
  const { areas, territories } = mapQueries('');
  void queries.prefetchQuery(territories);
  const reader = import('#core/territories/map/drawing/load-areas.web.ts').then((loaded) => {
    loaded.startReader();
    return loaded;
  });
  const [result, { preloadAreas }] = await Promise.all([queries.fetchQuery(areas), reader]);
  if ('files' in result) preloadAreas(result);
}
