// The data of the map: the territory of each ZIP, in its wire format, and the territories.
import { DOLLAR_INDEX } from '#platform/shared/money.ts';
import type { Named } from '#platform/shared/wire.ts';
import { project } from './drawing/areas.ts';
import type { PointZip } from './drawing/picking.ts';

/** The answer of getTerrZipGeoJson with `format: 'refs'`. */
export type MapRefs = {
  geoVersion: string;
  files: { state: string; url: string; areas: number; approximate: boolean }[];
  /** The address of the file with the outlines of states and counties. */
  background: string;
  /** The ZIPs in `zips` are separated by spaces. */
  territories: { id: number; zips: string }[];
  /** The look of each territory, the same on every map: ID and number, all separated by spaces. */
  looks: string;
  unassigned: string;
  /** ZIPs without an area: ZIP, latitude, longitude, all separated by spaces. */
  points: string;
};

type Amounts = readonly { currnIdx: number; amount: number }[];

export type MapTerritory = {
  id: number;
  name: string;
  region: Named;
  /** The color that a plan sets. Null if the map chooses it. */
  color: string | null;
  reps: readonly { role: string; id: number; name: string }[];
  openValue: Amounts;
};

export type Coloring = 'territory' | 'region' | 'rep' | 'value' | 'none';

export const COLORINGS: { value: Coloring; label: string }[] = [
  { value: 'territory', label: 'Territory' },
  { value: 'region', label: 'Region' },
  { value: 'rep', label: 'Sales rep.' },
  { value: 'value', label: 'Open quotes (value)' },
  { value: 'none', label: 'Nothing' },
];

/** The territory of each assigned ZIP. */
export function assignmentsOf(refs: MapRefs): Map<string, number> {
  const result = new Map<string, number>();
  for (const { id, zips } of refs.territories) for (const zip of zips.split(' ')) if (zip) result.set(zip, id);
  return result;
}

/** The number of the look of each territory. */
export function looksOfRefs({ looks }: MapRefs): Map<number, number> {
  const numbers = looks.split(' ').map(Number);
  return new Map(numbers.flatMap((id, i) => (i % 2 === 0 ? [[id, numbers[i + 1] ?? 0] as const] : [])));
}

export function pointsOf(refs: MapRefs): PointZip[] {
  const words = refs.points.split(' ');
  const points: PointZip[] = [];
  for (let i = 0; i + 2 < words.length; i += 3)
    points.push({ zip: words[i] ?? '', ...project(Number(words[i + 1]), Number(words[i + 2])) });
  return points;
}

/** Describes in a few words whether the areas are real or approximate. */
export function sayAreas(files: MapRefs['files']): string {
  const real = files.filter(({ approximate }) => !approximate).map(({ state }) => state);
  if (real.length === 0) return 'Approximate areas';
  if (real.length === files.length) return 'Imported areas';
  return `Approximate areas, imported in ${real.length > 5 ? `${real.length} states` : real.toSorted().join(', ')}`;
}

/** The amount in one currency. */
export function worthIn(amounts: Amounts, currnIdx: number = DOLLAR_INDEX): number {
  return amounts.find((amount) => amount.currnIdx === currnIdx)?.amount ?? 0;
}
