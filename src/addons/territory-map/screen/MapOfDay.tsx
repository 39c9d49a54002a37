// Loads the figures of one day's map and shows the map, a placeholder while they load, or the error if they cannot be loaded.
import { Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { preloadAreas } from '#core/territories/map/drawing/load-areas.web.ts';
import type { MapRefs } from '#core/territories/map/map-data.ts';
import { mapQueries } from '../map-queries.web.ts';
import type { MapRow } from '../territory-map.contract.ts';

/** The data for the map of a day. An empty `date` means today. The previous day's data stay until the new data have loaded. */
export function useMapOfDay(date: string) {
  const request = mapQueries(date);
  const areas = useQuery({ ...request.areas, placeholderData: keepPreviousData });
  const territories = useQuery({ ...request.territories, placeholderData: keepPreviousData });
  const refs: MapRefs | undefined = areas.data && 'files' in areas.data ? areas.data : undefined;
  useEffect(() => {
    // Start loading the areas without waiting for the territories.
    if (refs) preloadAreas(refs);
  }, [refs]);
  const error = areas.error ?? territories.error;
  const failed = (
    <ErrorAlert
      error={error}
      title="The map could not be loaded"
      onRetry={() => Promise.all([areas.refetch(), territories.refetch()])}
    />
  );
  return { refs, territories: territories.data, error, failed };
}

/** The previous day's map stays until the new one has loaded, and stays visible beside an error. */
export function MapOfDay({
  date,
  height,
  children,
}: {
  date: string;
  height: string;
  children: (refs: MapRefs, territories: MapRow[]) => ReactNode;
}) {
  const { refs, territories, error, failed } = useMapOfDay(date);
  return (
    <>
      {failed}
      {refs && territories ? (
        children(refs, territories)
      ) : error ? null : (
        <Skeleton height={height} aria-label="Loading" />
      )}
    </>
  );
}
