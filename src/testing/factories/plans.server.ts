// A draft of many moves with their ZIPs and territories, written straight into the database, for tests.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import { aRegion, aTerritory } from './people.server.ts';

/** All ZIPs from `first` on move from `east` to `west`. */
export async function aLargePlan(
  db: Db,
  { owner, first, count, day }: { owner: { id: number }; first: number; count: number; day: string },
) {
  const region = await aRegion(db);
  const east = await aTerritory(db, { regionId: region.id, name: `East ${first}` });
  const west = await aTerritory(db, { regionId: region.id, name: `West ${first}` });
  const zips = sql`select to_char(n, 'FM00000') from generate_series(${first}::int, ${first + count - 1}::int) n`;
  await sql`insert into zip_assignment (zip5, territory_id, valid_from)
    select zip, ${east.id}, '2020-01-01' from (${zips}) z(zip)`.execute(db);
  const { id } = await db
    .insertInto('territory_plan')
    .values({ name: `Large ${first}`, owner_id: owner.id, base_day: day, effective_day: day, changed_by: owner.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into territory_plan_move (plan_id, zip5, from_territory_id, to_territory_id, version, changed_by)
    select ${id}, zip, ${east.id}, ${west.id}, 1, ${owner.id} from (${zips}) z(zip)`.execute(db);
  return { id, east, west };
}
