// The background jobs: one computes the risks of changes within seconds, the other all risks once a day, because prices also change over time.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { notify } from '#platform/notifications/notify.server.ts';
import { repSideOf } from '#platform/notifications/people-of-quote.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { loadCompany, pricePlacesOf, today } from '#platform/company/company.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';
import { workOutRebills } from './rebills.server.ts';
import { isDue, affectedLines, openQuoteIds, waitingChanges, type Which } from './risk-lines.server.ts';
import { risksOf, type Terms, termsOn, writeRisks } from './work-out.server.ts';

const LINES_AT_ONCE = 5000;
const QUOTES_AT_ONCE = 500;
/**
 * Computes the risks of all quotes that waiting changes may affect, in one job. A quote that was created or edited is treated as changed a few
 * minutes later, because a price that ends soon is a risk that no price change announces. The job deletes the changes after it has written
 * everything, so a killed job starts again. Doing the work twice, or on two servers, writes the same result.
 */
export const riskJob = {
  name: 'quote-risks',
  due: async ({ database, clock }) => {
    const { rows } = await sql<{
      due: boolean;
    }>`select exists (select from price_change where ${isDue(clock.now())}) as due`.execute(database.db);
    return rows[0]?.due ?? false;
  },
  run: async (services) => {
    const db = services.database.longDb;
    const changes = await waitingChanges(db, services.clock.now());
    if (changes.length === 0) return;
    const terms = await termsNow(services);
    const lineIds = await affectedLines(db, changes, terms.day);
    await workOut(
      services,
      terms,
      chunksOf(lineIds, LINES_AT_ONCE).map((list) => ({ lineIds: list })),
    );
    await workOutRebills(services, changes, terms);
    await sql`delete from price_change where id = any(${changes}::bigint[])`.execute(db);
  },
} satisfies PlainJob<Services>;

/** Computes all risks once a day: prices that end or begin soon, and changes that were missed. */
export const dailyRisksJob = {
  name: 'quote-risks-daily',
  daily: true,
  run: async (services) => {
    const db = services.database.longDb;
    const terms = await termsNow(services);
    const quoteIds = await openQuoteIds(db, terms.day);
    await workOut(
      services,
      terms,
      chunksOf(quoteIds, QUOTES_AT_ONCE).map((list) => ({ quoteIds: list })),
    );
    await sql`delete from quote_risk r where kind <> 'Rebill' and not exists (select from quote q where q.id = r.quote_id
      and q.status_id not in ('Won', 'Lost', 'Cancelled') and q.valid_until >= ${terms.day}::date)`.execute(db);
  },
} satisfies PlainJob<Services>;

async function termsNow({ database, clock }: Services): Promise<Terms> {
  const company = await loadCompany(database.db);
  return termsOn(database.longDb, today({ clock }, company), pricePlacesOf(company));
}

async function workOut(services: Services, terms: Terms, parts: readonly Which[]): Promise<void> {
  for (const which of parts) {
    await inTransaction(services.database.longDb, async (trx) => {
      // The lock makes the transactions run one after another. The later one has read later data, and its result is kept.
      await sql`select pg_advisory_xact_lock(hashtext('quote-risks'))`.execute(trx);
      await tellAtRisk(trx, services, await writeRisks(trx, which, await risksOf(trx, which, terms)));
    });
  }
}

async function tellAtRisk(db: Db, services: Services, quoteIds: readonly number[]): Promise<void> {
  const mail = {
    what: 'a price is at risk',
    paragraphs: () => [
      'The price of at least one line has changed or will change. Open the quote to see what changes, when and why.',
    ],
  };
  await notify(db, services, { kind: 'atRisk', by: { id: null, name: '' }, mail }, await repSideOf(db, quoteIds));
}

function chunksOf<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}
