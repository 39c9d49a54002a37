// Finds and sorts the moves of a plan, which may have tens of thousands.
import type { Sort } from '#shared/wire.ts';
import type { ShownMove } from './planned.ts';

/** The moves whose ZIP begins with the keyword, or whose city, county or territories contain it. */
export function matching(moves: readonly ShownMove[], keyword: string): readonly ShownMove[] {
  const text = keyword.trim().toLowerCase();
  if (text === '') return moves;
  if (/^\d{1,5}$/.test(text)) return moves.filter(({ zip }) => zip.startsWith(text));
  return moves.filter(({ city, county, from, to }) =>
    [city, county, from?.name ?? 'No territory', to?.name ?? 'No territory'].some((one) =>
      one.toLowerCase().includes(text),
    ),
  );
}

const words: Record<string, (move: ShownMove) => string> = {
  zip: ({ zip }) => zip,
  city: ({ city }) => city,
  county: ({ county }) => county,
  state: ({ state }) => state,
  from: ({ from }) => from?.name ?? '',
  to: ({ to }) => to?.name ?? '',
  changedBy: ({ changedBy }) => changedBy,
};

const order = new Intl.Collator('en-US', { sensitivity: 'base' });

/** Equal moves are in order of ZIP. */
export function sortMoves(moves: readonly ShownMove[], { field, dir }: Sort): readonly ShownMove[] {
  const of = words[field] ?? (({ zip }: ShownMove) => zip);
  const sign = dir === 'asc' ? 1 : -1;
  return moves.toSorted((a, b) => sign * order.compare(of(a), of(b)) || order.compare(a.zip, b.zip));
}
