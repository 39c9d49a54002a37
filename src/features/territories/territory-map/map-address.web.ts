// What the map shows is in the address: a reload, a link and the way back show the same.
import { useNavigate } from '@tanstack/react-router';
import { parseDate } from '#shared/dates.ts';
import { paths } from '#shared/paths.ts';
import { useAddress } from '#ui/address.web.ts';
import type { View } from './drawing/map-view.web.ts';
import { COLOURINGS, type Colouring } from './map-data.ts';

export type Facilities = 'none' | 'all' | 'quotes';
export type Side = 'place' | 'territories' | 'zips' | 'selection';

export type Shown = {
  colouring: Colouring;
  date: string;
  facilities: Facilities;
  zip: string | null;
  side: Side;
  view: View | undefined;
};

const SIDES: readonly Side[] = ['place', 'territories', 'zips', 'selection'];

export function useMapAddress(): [Shown, (patch: Partial<Shown>) => void] {
  const address = useAddress();
  const navigate = useNavigate();
  const shown: Shown = {
    colouring: COLOURINGS.find(({ value }) => value === address['by'])?.value ?? 'territory',
    date: parseDate(address['date'] ?? '') ?? '',
    facilities: address['facilities'] === 'all' || address['facilities'] === 'quotes' ? address['facilities'] : 'none',
    zip: /^\d{5}$/.test(address['zip'] ?? '') ? (address['zip'] ?? null) : null,
    side: SIDES.find((side) => side === address['show']) ?? 'territories',
    view: viewOf(address['at'] ?? ''),
  };
  const show = (patch: Partial<Shown>) => {
    // What the address says now: several changes may come before the next picture.
    void navigate({
      to: paths.territoryMap,
      search: (before: Record<string, string | undefined>) => ({ ...before, ...written(patch) }),
      replace: true,
    });
  };
  return [shown, show];
}

function written({ colouring, date, facilities, zip, side, view }: Partial<Shown>): Record<string, string | undefined> {
  return {
    ...(colouring === undefined ? {} : { by: colouring === 'territory' ? undefined : colouring }),
    ...(date === undefined ? {} : { date: date || undefined }),
    ...(facilities === undefined ? {} : { facilities: facilities === 'none' ? undefined : facilities }),
    ...(zip === undefined ? {} : { zip: zip ?? undefined }),
    ...(side === undefined ? {} : { show: side === 'territories' ? undefined : side }),
    ...(view === undefined ? {} : { at: [view.lat.toFixed(3), view.lon.toFixed(3), view.zoom].join('_') }),
  };
}

function viewOf(text: string): View | undefined {
  const [lat, lon, zoom] = text.split('_').map(Number);
  if (lat === undefined || lon === undefined || zoom === undefined) return undefined;
  const fits = Math.abs(lat) <= 85 && Math.abs(lon) <= 360 && zoom >= 0 && zoom <= 20;
  return fits ? { lat, lon, zoom } : undefined;
}
