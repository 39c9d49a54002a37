// Which color each territory has on the map, and the legend that says so.
import { DOLLAR_INDEX, EURO_INDEX } from '#shared/money.ts';
import { type Colouring, type MapTerritory, worthIn } from '../map-data.ts';
import { colours, inks, type Scheme, spreadColours, STEP_COUNT, stepColour } from './palette.ts';

export type LegendEntry = { label: string; colour: string; territories: number[] };
export type Colours = {
  fillOf: (territory: number | null) => string;
  legend: LegendEntry[];
  /** What else must be said about the colors. */
  note: string;
};

export function colourTerritories(
  colouring: Colouring,
  territories: readonly MapTerritory[],
  neighbours: ReadonlyMap<number, ReadonlySet<number>>,
  scheme: Scheme,
): Colours {
  const { none, land } = inks(scheme);
  const unassigned: LegendEntry = { label: 'No territory', colour: none, territories: [] };
  const complete = (entries: LegendEntry[], note = ''): Colours => {
    const fills = new Map(entries.flatMap((entry) => entry.territories.map((id) => [id, entry.colour] as const)));
    return {
      fillOf: (territory) => (territory === null ? none : (fills.get(territory) ?? none)),
      legend: entries.length > 0 ? [...entries, unassigned] : [],
      note,
    };
  };
  if (colouring === 'none') return { fillOf: () => land, legend: [], note: '' };
  if (colouring === 'value') return byValue(territories, scheme, complete);

  const groups = new Map<number, { label: string; own: string | null; territories: number[] }>();
  const groupOf = new Map<number, number>();
  for (const territory of territories) {
    const [key, label] = keyOf(colouring, territory);
    groupOf.set(territory.id, key);
    const group = groups.get(key);
    if (group) group.territories.push(territory.id);
    else
      groups.set(key, {
        label,
        own: colouring === 'territory' ? territory.colour : null,
        territories: [territory.id],
      });
  }
  const touching = new Map<number, Set<number>>();
  for (const [id, others] of neighbours) {
    const key = groupOf.get(id);
    if (key === undefined) continue;
    const near = touching.get(key) ?? new Set();
    touching.set(key, near);
    for (const other of others) {
      const otherKey = groupOf.get(other);
      if (otherKey !== undefined && otherKey !== key) near.add(otherKey);
    }
  }
  const set = colours(scheme);
  // A group without a name (no rep.) keeps grey, which says that something is missing.
  const given = spreadColours(
    [...groups.keys()].filter((key) => key !== NOBODY),
    touching,
    set.length,
  );
  const entries = [...groups].map(([key, { label, own, territories: ids }]) => ({
    label,
    colour: own ?? (key === NOBODY ? land : (set[given.get(key) ?? 0] ?? none)),
    territories: ids,
  }));
  return complete(entries.toSorted((a, b) => a.label.localeCompare(b.label)));
}

const NOBODY = 0;

function keyOf(colouring: 'territory' | 'region' | 'rep', { id, name, region, reps }: MapTerritory): [number, string] {
  if (colouring === 'territory') return [id, name];
  if (colouring === 'region') return [region.id, region.name];
  const rep = reps.find(({ role }) => role === 'sales');
  return rep ? [rep.id, rep.name] : [NOBODY, 'No sales rep.'];
}

/** Steps with about equally many territories in each; amounts of another currency cannot be added, and are named. */
function byValue(
  territories: readonly MapTerritory[],
  scheme: Scheme,
  complete: (entries: LegendEntry[], note?: string) => Colours,
): Colours {
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
      colour: stepColour(scheme, Math.round((step * (STEP_COUNT - 1)) / Math.max(1, limits.length))),
      territories: worths.filter(({ worth }) => worth >= from && worth < to).map(({ id }) => id),
    };
  });
  return complete(entries, dollars && euros ? 'Quotes in euros are not in these colors.' : '');
}
