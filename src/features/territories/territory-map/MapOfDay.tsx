// What a map of a day is drawn from, as it comes: its figures, a placeholder, or why it did not come.
import { Button, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { preloadAreas } from './drawing/load-areas.web.ts';
import type { MapRefs } from './map-data.ts';
import { mapQueries } from './map-queries.web.ts';
import type { MapRow } from './territory-map.contract.ts';

/** `date` empty: today. What was there before stays until a new day's is there, and beside an error. */
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
      <ErrorAlert error={error} title="The map could not be loaded">
        <Button
          mt="xs"
          variant="default"
          onClick={() => {
            void areas.refetch();
            void territories.refetch();
          }}
        >
          Try again
        </Button>
      </ErrorAlert>
      {refs && territories.data ? (
        children(refs, territories.data)
      ) : error ? null : (
        <Skeleton height={height} aria-label="Loading" />
      )}
    </>
  );
}
