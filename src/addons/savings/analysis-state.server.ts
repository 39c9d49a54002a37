// Updates the state of an analysis after each change of its rows, depending on whether rows wait for a decision.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';

/** Sets a new version of the analysis and its state: 'ready' if no row waits for a decision. 'quoted' stays. */
export async function settleState(trx: Db, id: number): Promise<void> {
  await sql`
    update savings_analysis a set version = a.version + 1, state = case
        when a.state = 'quoted' then 'quoted'
        when exists (select from savings_row r where r.analysis_id = a.id and r.decision = 'open' and not r.taken) then 'to-match'
        else 'ready' end
     where a.id = ${id}`.execute(trx);
}
