// Territory colors: eight that people with any color vision tell apart, with different colors for neighbors where possible.

/** Eight hues for each scheme: light enough for dark names, or dark enough for light names. */
const LIGHT = ['#77aadd', '#ee8866', '#eedd88', '#ffaabb', '#99ddff', '#44bb99', '#bbcc33', '#aaaa00'];
const DARK = ['#3d6f9e', '#a5563a', '#8f7f33', '#9c5566', '#3f7f99', '#267a61', '#6f7d1c', '#66661a'];

export type Scheme = 'light' | 'dark';

export function colors(scheme: Scheme): readonly string[] {
  return scheme === 'dark' ? DARK : LIGHT;
}

/** One hue from low to high, for figures. */
const STEPS = {
  light: ['#f2f0f7', '#cbc9e2', '#9e9ac8', '#756bb1', '#54278f'],
  dark: ['#2b2838', '#453f63', '#655b95', '#8d80c8', '#c4baf2'],
};
export const STEP_COUNT = 5;

export function stepColor(scheme: Scheme, step: number): string {
  return STEPS[scheme][Math.max(0, Math.min(STEP_COUNT - 1, step))] ?? '';
}

/** The colors of everything on the map except territories. */
export function inks(scheme: Scheme) {
  return scheme === 'dark'
    ? {
        sea: '#17191c',
        land: '#2a2d31',
        none: '#383c42',
        zipLine: 'rgba(255,255,255,0.16)',
        countyLine: 'rgba(255,255,255,0.22)',
        stateLine: 'rgba(255,255,255,0.7)',
        border: 'rgba(0,0,0,0.9)',
        text: '#ffffff',
        halo: 'rgba(0,0,0,0.75)',
        chosen: '#ffffff',
        chosenFill: 'rgba(255,255,255,0.35)',
        moved: '#ffffff',
        point: '#e8e8e8',
        facility: '#ffd43b',
        facilityText: '#1a1b1e',
      }
    : {
        sea: '#eef3f7',
        land: '#f6f4f0',
        none: '#dcdcdc',
        zipLine: 'rgba(0,0,0,0.14)',
        countyLine: 'rgba(0,0,0,0.2)',
        stateLine: 'rgba(40,40,40,0.75)',
        border: 'rgba(255,255,255,0.95)',
        text: '#16181b',
        halo: 'rgba(255,255,255,0.85)',
        chosen: '#111111',
        chosenFill: 'rgba(0,0,0,0.3)',
        moved: '#111111',
        point: '#333333',
        facility: '#1c3d5a',
        facilityText: '#ffffff',
      };
}
export type Inks = ReturnType<typeof inks>;

/**
 * Gives each ID a number below `count` that differs from its neighbors' where possible. Starts with the IDs that have the most neighbors. Picks the
 * number its neighbors use least, then the one used least overall. The same input always gives the same numbers.
 */
export function spreadColors(
  ids: readonly number[],
  neighbors: ReadonlyMap<number, ReadonlySet<number>>,
  count: number,
): Map<number, number> {
  const given = new Map<number, number>();
  const used = Array.from({ length: count }, () => 0);
  const near = (id: number) => neighbors.get(id) ?? new Set<number>();
  const order = [...ids].toSorted((a, b) => near(b).size - near(a).size || a - b);
  for (const id of order) {
    const taken = Array.from({ length: count }, () => 0);
    for (const other of near(id)) {
      const color = given.get(other);
      if (color !== undefined) taken[color] = (taken[color] ?? 0) + 1;
    }
    let best = 0;
    for (let one = 1; one < count; one++) {
      const [a = 0, b = 0] = [taken[one], taken[best]];
      if (a < b || (a === b && (used[one] ?? 0) < (used[best] ?? 0))) best = one;
    }
    given.set(id, best);
    used[best] = (used[best] ?? 0) + 1;
  }
  return given;
}
