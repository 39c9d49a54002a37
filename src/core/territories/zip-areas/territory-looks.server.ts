// Reads the look of each territory, which is the same on every map and day (docs/decisions/0027-map-and-plans.md).
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { adjacencyOf } from './adjacency.server.ts';
import { shownAreas } from './area-set.server.ts';
import { looksOf } from './territory-looks.ts';

/** `key` changes whenever a look may change. */
export type TerritoryLooks = { key: string; looks: ReadonlyMap<number, number> };

const KEPT = 4;
const cache = new Map<string, Promise<ReadonlyMap<number, number>>>();

/** Territories are neighbors if they ever had touching ZIPs, even on different days. So neighbors differ on the map of every day. */
export async function territoryLooks(db: Db): Promise<TerritoryLooks> {
  const version = await shownAreas(db);
  const { rows } = await sql<{ content: string }>`
    select count(*) || ' ' || coalesce(sum(hashtextextended(zip5 || territory_id, 0)), 0) || ' '
           || (select coalesce(string_agg(id::text, ',' order by id), '') from territory) as content
      from zip_assignment`.execute(db);
  const key = `${version.sha} ${rows[0]?.content ?? ''}`;
  const looks = cache.get(key) ?? looksNow();
  cache.delete(key);
  cache.set(key, looks);
  looks.catch(() => cache.delete(key));
  for (const old of [...cache.keys()].slice(0, -KEPT)) cache.delete(old);
  return { key, looks: await looks };

  async function looksNow(): Promise<ReadonlyMap<number, number>> {
    const owners = await sql<{ zip: string; ids: number[] }>`
      select zip5 as zip, array_agg(distinct territory_id) as ids from zip_assignment group by zip5`.execute(db);
    const territories = await db.selectFrom('territory').select('id').execute();
    const adjacency = await adjacencyOf(version);
    const ownersOf = new Map(owners.rows.map(({ zip, ids }) => [zip, ids]));
    const neighbors = new Map<number, Set<number>>(territories.map(({ id }) => [id, new Set()]));
    for (const { zip, ids } of owners.rows)
      for (const near of [zip, ...(adjacency.get(zip) ?? [])])
        for (const other of ownersOf.get(near) ?? [])
          for (const id of ids) if (id !== other) neighbors.get(id)?.add(other);
    return looksOf(neighbors.keys(), neighbors);
  }
}
