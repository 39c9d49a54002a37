// Keeps the state of the map in the address, so that a reload, a link, and the Back button restore it.
import { useNavigate } from '@tanstack/react-router';
import { parseDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import type { View } from '#core/territories/map/drawing/map-view.web.ts';
import { COLORINGS, type Coloring } from '#core/territories/map/map-data.ts';

export type Facilities = 'none' | 'all' | 'quotes';
export type Side = 'place' | 'territories' | 'zips' | 'selection';

export type Shown = {
  coloring: Coloring;
  date: string;
  facilities: Facilities;
  zip: string | null;
  /** The open part of the drawer beside the map. Null if it is closed. */
  side: Side | null;
  view: View | undefined;
};

const SIDES: readonly Side[] = ['place', 'territories', 'zips', 'selection'];

export function useMapAddress(): [Shown, (patch: Partial<Shown>) => void] {
  const address = useAddress();
  const navigate = useNavigate();
  const visible: Shown = {
    coloring: COLORINGS.find(({ value }) => value === address['by'])?.value ?? 'territory',
    date: parseDate(address['date'] ?? '') ?? '',
    facilities: address['facilities'] === 'all' || address['facilities'] === 'quotes' ? address['facilities'] : 'none',
    zip: /^\d{5}$/.test(address['zip'] ?? '') ? (address['zip'] ?? null) : null,
    side: SIDES.find((side) => side === address['show']) ?? null,
    view: viewOf(address['at'] ?? ''),
  };
  const show = (patch: Partial<Shown>) => {
    // Reads the current address, because several changes may arrive before the next render.
    void navigate({
      to: paths.territoryMap,
      search: (before: Record<string, string | undefined>) => ({ ...before, ...written(patch) }),
      replace: true,
    });
  };
  return [visible, show];
}

function written({ coloring, date, facilities, zip, side, view }: Partial<Shown>): Record<string, string | undefined> {
  return {
    ...(coloring === undefined ? {} : { by: coloring === 'territory' ? undefined : coloring }),
    ...(date === undefined ? {} : { date: date || undefined }),
    ...(facilities === undefined ? {} : { facilities: facilities === 'none' ? undefined : facilities }),
    ...(zip === undefined ? {} : { zip: zip ?? undefined }),
    ...(side === undefined ? {} : { show: side ?? undefined }),
    ...(view === undefined ? {} : { at: [view.lat.toFixed(3), view.lon.toFixed(3), view.zoom].join('_') }),
  };
}

function viewOf(text: string): View | undefined {
  const [lat, lon, zoom] = text.split('_').map(Number);
  if (lat === undefined || lon === undefined || zoom === undefined) return undefined;
  const fits = Math.abs(lat) <= 85 && Math.abs(lon) <= 360 && zoom >= 0 && zoom <= 20;
  return fits ? { lat, lon, zoom } : undefined;
}
