// Detects a restored copy of the database. A copy holds all mail until a user releases it.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { mailJob } from './outbox.server.ts';

const RESTORED =
  'This database was restored from a backup while this email was on its way, so the server that was backed up may have sent it.';

/**
 * Returns the identity of this database: its server, the server's timeline, and the database's number there. A restored copy has another identity.
 */
async function databasePlace(db: Db): Promise<string> {
  // A hosted server may hide its identifier. The number of the database is then used instead.
  const own = sql<{ place: string }>`
    select oid::text as place from pg_database where datname = current_database()`;
  const { rows } = await sql<{ place: string }>`
    select concat_ws('/', (select system_identifier from pg_control_system()),
      (select timeline_id from pg_control_checkpoint()), (select oid from pg_database where datname = current_database())) as place`
    .execute(db)
    .catch(() => own.execute(db));
  return rows[0]?.place ?? '';
}

/**
 * Runs at startup and stores the identity of the database the first time. If the identity differs later, the database is a copy: its mail is held,
 * and mail that was being sent becomes uncertain. Returns whether mail is held.
 */
export async function holdMailOfCopy(services: Services): Promise<boolean> {
  const { db } = services.database;
  const place = await databasePlace(db);
  return db.transaction().execute(async (trx) => {
    const noted = await trx.selectFrom('installation').selectAll().forUpdate().executeTakeFirst();
    if (!noted) {
      await trx
        .insertInto('installation')
        .values({ id: 1, place })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return false;
    }
    if (noted.place === place) return noted.mail_held_at !== null;
    await trx.updateTable('installation').set({ place, mail_held_at: services.clock.now() }).execute();
    await trx
      .updateTable('mail')
      .set({ state: 'Uncertain', last_error: RESTORED })
      .where('state', 'in', ['Waiting', 'HandingOver'])
      .execute();
    services.log.warn('this database is a restored copy: its mail is held until npm run jobs -- release-mail');
    return true;
  });
}

/** Lets this copy send mail from now on, including mail written since the restore. Returns the number of mails. */
export async function releaseMail(services: Services): Promise<number> {
  const { db } = services.database;
  await db.updateTable('installation').set({ mail_held_at: null }).execute();
  const waiting = await db.selectFrom('mail').select('id').where('state', '=', 'Waiting').execute();
  let released = 0;
  for (const { id } of waiting) released += await services.jobs.retry({ kind: mailJob.name, payload: { mailId: id } });
  return released;
}
