// Handles search hits and places on the map: moves the view there or selects ZIPs. Also loads the facilities of the map.
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type RefObject, useMemo } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { Around } from './PlaceCard.tsx';
import type { FacilityMark } from '#core/territories/map/drawing/scene.ts';
import { type Hit, TerritoryMapCalls } from '../territory-map.contract.ts';
import type { TerritoryMapHandle } from '#core/territories/map/TerritoryMap.tsx';
import { markOf, type ZipRow } from '../zip-rows.ts';

type Places = {
  map: RefObject<TerritoryMapHandle | null>;
  zips: () => ReadonlyMap<string, ZipRow>;
  /** The ZIPs of a territory. */
  zipsOf: (territoryId: number) => readonly string[];
  /** Shows a ZIP as a place. */
  point: (zip: string) => void;
  /** Replaces the selection by these ZIPs. Undefined if the user may not select. */
  choose: ((zips: readonly string[]) => void) | undefined;
};

export function useFindOnMap({ map, zips, zipsOf, point, choose }: Places) {
  return {
    found: ({ territoryIds, zips: codes, kind }: Hit) => {
      const all = territoryIds.length > 0 ? territoryIds.flatMap((id) => zipsOf(id)) : codes.split(' ');
      map.current?.fit(all);
      const [first] = all;
      if (all.length === 1 && first) point(first);
      else if (kind !== 'zip') choose?.(all.filter((code) => zips().has(code)));
    },
    selectAround: (code: string, what: Around) => {
      const owner = zips().get(code)?.territory;
      if (what === 'zip') return choose?.([code]);
      if (what === 'territory') return choose?.(owner ? zipsOf(owner.id) : []);
      const place = map.current?.around(code, what);
      if (place) return choose?.(place.zips);
      notifications.show({
        color: 'orange',
        message: `${code} has no area on the map, so its ${what} is unknown.`,
      });
    },
  };
}

const NO_MARKS: FacilityMark[] = [];

/** The facilities on the map of a day. `which`: those with open quotes, all, or none. */
export function useMapFacilities(date: string, which: 'quotes' | 'all' | 'none') {
  const { data, error, refetch } = useQuery({
    ...api(TerritoryMapCalls).getFacilitiesForMap.query({ date, withOpenQuotes: which === 'quotes' }),
    enabled: which !== 'none',
    placeholderData: keepPreviousData,
  });
  const seen = which === 'none' ? undefined : data;
  const marks = useMemo(() => seen?.records.map(markOf) ?? NO_MARKS, [seen]);
  return { seen, marks, error, refetch };
}
