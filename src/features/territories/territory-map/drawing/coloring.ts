// Chooses the color of each territory on the map and builds the legend.
import { DOLLAR_INDEX, EURO_INDEX } from '#shared/money.ts';
import { type Coloring, type MapTerritory, worthIn } from '../map-data.ts';
import { colors, inks, type Scheme, spreadColors, STEP_COUNT, stepColor } from './palette.ts';

export type LegendEntry = { label: string; color: string; territories: number[] };
export type Colors = {
  fillOf: (territory: number | null) => string;
  legend: LegendEntry[];
  /** A caveat about the colors, or ''. */
  note: string;
};

export function colorTerritories(
  coloring: Coloring,
  territories: readonly MapTerritory[],
  neighbors: ReadonlyMap<number, ReadonlySet<number>>,
  scheme: Scheme,
): Colors {
  const { none, land } = inks(scheme);
  const unassigned: LegendEntry = { label: 'No territory', color: none, territories: [] };
  const complete = (entries: LegendEntry[], note = ''): Colors => {
    const fills = new Map(entries.flatMap((entry) => entry.territories.map((id) => [id, entry.color] as const)));
    return {
      fillOf: (territory) => (territory === null ? none : (fills.get(territory) ?? none)),
      legend: entries.length > 0 ? [...entries, unassigned] : [],
      note,
    };
  };
  if (coloring === 'none') return { fillOf: () => land, legend: [], note: '' };
  if (coloring === 'value') return byValue(territories, scheme, complete);

  const groups = new Map<number, { label: string; own: string | null; territories: number[] }>();
  const groupOf = new Map<number, number>();
  for (const territory of territories) {
    const [key, label] = keyOf(coloring, territory);
    groupOf.set(territory.id, key);
    const group = groups.get(key);
    if (group) group.territories.push(territory.id);
    else
      groups.set(key, {
        label,
        own: coloring === 'territory' ? territory.color : null,
        territories: [territory.id],
      });
  }
  const touching = new Map<number, Set<number>>();
  for (const [id, others] of neighbors) {
    const key = groupOf.get(id);
    if (key === undefined) continue;
    const near = touching.get(key) ?? new Set();
    touching.set(key, near);
    for (const other of others) {
      const otherKey = groupOf.get(other);
      if (otherKey !== undefined && otherKey !== key) near.add(otherKey);
    }
  }
  const set = colors(scheme);
  // A group without a name (no rep.) stays gray to show that something is missing.
  const given = spreadColors(
    [...groups.keys()].filter((key) => key !== NOBODY),
    touching,
    set.length,
  );
  const entries = [...groups].map(([key, { label, own, territories: ids }]) => ({
    label,
    color: own ?? (key === NOBODY ? land : (set[given.get(key) ?? 0] ?? none)),
    territories: ids,
  }));
  return complete(entries.toSorted((a, b) => a.label.localeCompare(b.label)));
}

const NOBODY = 0;

function keyOf(coloring: 'territory' | 'region' | 'rep', { id, name, region, reps }: MapTerritory): [number, string] {
  if (coloring === 'territory') return [id, name];
  if (coloring === 'region') return [region.id, region.name];
  const rep = reps.find(({ role }) => role === 'sales');
  return rep ? [rep.id, rep.name] : [NOBODY, 'No sales rep.'];
}

/** Divides territories into steps with about equally many in each. Amounts in two currencies cannot be added; a note names the one left out. */
function byValue(
  territories: readonly MapTerritory[],
  scheme: Scheme,
  complete: (entries: LegendEntry[], note?: string) => Colors,
): Colors {
  const dollars = territories.some(({ openValue }) => worthIn(openValue, DOLLAR_INDEX) > 0);
  const euros = territories.some(({ openValue }) => worthIn(openValue, EURO_INDEX) > 0);
  const currency = dollars || !euros ? DOLLAR_INDEX : EURO_INDEX;
  const worths = territories.map(({ id, openValue }) => ({ id, worth: worthIn(openValue, currency) }));
  const sorted = worths.map(({ worth }) => worth).toSorted((a, b) => a - b);
  const limits = Array.from(
    { length: STEP_COUNT - 1 },
    (_, step) => sorted[Math.floor((sorted.length * (step + 1)) / STEP_COUNT)] ?? 0,
  ).filter((limit, index, all) => limit > 0 && limit !== all[index - 1]);
  const sign = currency === DOLLAR_INDEX ? '$' : '€';
  const short = (amount: number) =>
    sign + new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(amount);
  const entries = Array.from({ length: limits.length + 1 }, (_, step): LegendEntry => {
    const [from, to] = [step === 0 ? 0 : (limits[step - 1] ?? 0), limits[step] ?? Infinity];
    const label =
      limits.length === 0
        ? 'Any value'
        : to === Infinity
          ? `${short(from)} and more`
          : `${short(from)} to ${short(to)}`;
    return {
      label,
      color: stepColor(scheme, Math.round((step * (STEP_COUNT - 1)) / Math.max(1, limits.length))),
      territories: worths.filter(({ worth }) => worth >= from && worth < to).map(({ id }) => id),
    };
  });
  return complete(entries, dollars && euros ? 'Quotes in euros are not in these colors.' : '');
}
