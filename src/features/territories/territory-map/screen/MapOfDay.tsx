// Loads the figures for one day's map and shows the map, a placeholder while they load, or why they failed to load.
import { Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { preloadAreas } from '../drawing/load-areas.web.ts';
import type { MapRefs } from '../map-data.ts';
import { mapQueries } from '../map-queries.web.ts';
import type { MapRow } from '../territory-map.contract.ts';

/** An empty `date` means today. The previous day's map stays until the new one has loaded, and also beside an error. */
export function MapOfDay({
  date,
  height,
  children,
}: {
  date: string;
  height: string;
  children: (refs: MapRefs, territories: MapRow[]) => ReactNode;
}) {
  const asked = mapQueries(date);
  const areas = useQuery({ ...asked.areas, placeholderData: keepPreviousData });
  const territories = useQuery({ ...asked.territories, placeholderData: keepPreviousData });
  const refs = areas.data && 'files' in areas.data ? areas.data : undefined;
  useEffect(() => {
    // The areas need not wait for the territories.
    if (refs) preloadAreas(refs);
  }, [refs]);
  const error = areas.error ?? territories.error;
  return (
    <>
      <ErrorAlert
        error={error}
        title="The map could not be loaded"
        onRetry={() => Promise.all([areas.refetch(), territories.refetch()])}
      />
      {refs && territories.data ? (
        children(refs, territories.data)
      ) : error ? null : (
        <Skeleton height={height} aria-label="Loading" />
      )}
    </>
  );
}
