// Chooses the look of each territory on the map and builds the legend.
import { DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import { type Coloring, type MapTerritory, worthIn } from '../map-data.ts';
import { looksOf } from '#core/territories/zip-areas/territory-looks.ts';
import { inks, type Look, lookNumbered, type Scheme, STEP_COUNT, stepColor } from './map-colors.ts';

export type LegendEntry = { label: string; look: Look; territories: number[] };
export type Colors = {
  lookOf: (territory: number | null) => Look;
  legend: LegendEntry[];
  /** A caveat about the colors, or ''. */
  note: string;
};

/** `looks` are those of the territories. Regions and representatives get theirs from the neighbors. */
export function colorTerritories(
  coloring: Coloring,
  territories: readonly MapTerritory[],
  looks: ReadonlyMap<number, number>,
  neighbors: ReadonlyMap<number, ReadonlySet<number>>,
  scheme: Scheme,
): Colors {
  const none = plain(inks(scheme).none);
  const land = plain(inks(scheme).land);
  const unassigned: LegendEntry = { label: 'No territory', look: none, territories: [] };
  const complete = (entries: LegendEntry[], note = ''): Colors => {
    const lookOfTerritory = new Map(
      entries.flatMap(({ territories: ids, look }) => ids.map((id) => [id, look] as const)),
    );
    return {
      lookOf: (territory) => (territory === null ? none : (lookOfTerritory.get(territory) ?? none)),
      legend: entries.length > 0 ? [...entries, unassigned] : [],
      note,
    };
  };
  if (coloring === 'none') return { lookOf: () => land, legend: [], note: '' };
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
  const lookOfGroup = coloring === 'territory' ? looks : looksOf(groups.keys(), touching(neighbors, groupOf));
  // A group without a name (no rep.) stays gray to show that something is missing.
  const entries = [...groups].map(([key, { label, own, territories: ids }]) => ({
    label,
    look: own === null ? (key === NOBODY ? land : lookNumbered(lookOfGroup.get(key) ?? 0, scheme)) : plain(own),
    territories: ids,
  }));
  return complete(entries.toSorted((a, b) => a.label.localeCompare(b.label)));
}

/** The colors of a map by territory before the territories are known. */
export function colorsOfLooks(looks: ReadonlyMap<number, number>, scheme: Scheme): Colors {
  const none = plain(inks(scheme).none);
  const lookOf = (territory: number | null): Look => {
    const number = territory === null ? undefined : looks.get(territory);
    return number === undefined ? none : lookNumbered(number, scheme);
  };
  return { lookOf, legend: [], note: '' };
}

const plain = (color: string): Look => ({ color, stripes: null });

/** The groups that touch, computed from the territories that touch. */
function touching(neighbors: ReadonlyMap<number, ReadonlySet<number>>, groupOf: ReadonlyMap<number, number>) {
  const groups = new Map<number, Set<number>>();
  for (const [id, others] of neighbors) {
    const key = groupOf.get(id);
    if (key === undefined) continue;
    const near = groups.get(key) ?? new Set();
    groups.set(key, near);
    for (const other of others) {
      const otherKey = groupOf.get(other);
      if (otherKey !== undefined && otherKey !== key) near.add(otherKey);
    }
  }
  return groups;
}

const NOBODY = 0;

function keyOf(coloring: 'territory' | 'region' | 'rep', { id, name, region, reps }: MapTerritory): [number, string] {
  if (coloring === 'territory') return [id, name];
  if (coloring === 'region') return [region.id, region.name];
  const rep = reps.find(({ role }) => role === 'sales');
  return rep ? [rep.id, rep.name] : [NOBODY, 'No sales rep.'];
}

/**
 * Divides territories into steps with about the same number in each. Amounts in two currencies cannot be added, so a note names the omitted currency.
 */
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
      look: plain(stepColor(scheme, Math.round((step * (STEP_COUNT - 1)) / Math.max(1, limits.length)))),
      territories: worths.filter(({ worth }) => worth >= from && worth < to).map(({ id }) => id),
    };
  });
  return complete(entries, dollars && euros ? 'Quotes in euros are not in these colors.' : '');
}
