// Tests two servers that work on the same changes while one is killed: every risk exists once, and no change is left.
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { OutputOf } from '#api/endpoint.ts';
import { anItem } from '#testing/factories/catalogue.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import {
  aProcessHome,
  freePort,
  killProcesses,
  type ProcessHome,
  startServerProcess,
  tokensOf,
  until,
} from '#testing/server-process.server.ts';
import { aMinutePasses } from '#testing/server-to-kill.server.ts';
import { QuoteRisks } from '../risks.contract.ts';

const QUOTES = 4000;

let home: ProcessHome | undefined;
afterAll(async () => {
  killProcesses();
  await home?.remove();
});

test('another server completes a job that was killed in the middle', { timeout: 300_000 }, async () => {
  let rep = { id: 0 };
  home = await aProcessHome(async ({ db }) => {
    rep = await aUser(db, { roles: ['salesrep'] });
    const facility = await aFacility(db);
    const item = await anItem(db, { price: 60 });
    const { id: contractId, lineIds } = await aContract(db, {
      gpoId: null,
      facilityIds: [facility.id],
      lines: [{ itemId: item.id, price: 40 }],
    });
    await sql`insert into quote (status_id, facility_id, owner_id, quote_date, valid_until)
      select 'SentToCustomer', ${facility.id}, ${rep.id}, current_date, current_date + 60 from generate_series(1, ${QUOTES}::int)`.execute(
      db,
    );
    await sql`insert into quote_item (quote_id, line_no, type, item_id, item_number, description, qty, unit, list_price, system_price,
        unit_price, line_total, price_source, contract_line_id, contract_price)
      select id, n, 'item', ${item.id}, 'K', 'K', 10, 'EA', 60, 40, 40, 400, 'Contract', ${lineIds[0] ?? 0}, 40 from quote, generate_series(1, 3) n`.execute(
      db,
    );
    await sql`delete from price_change`.execute(db);
    await sql`update contract_line_price set price = 42 where contract_line_id in (select id from contract_line where contract_id = ${contractId})`.execute(
      db,
    );
  });
  const { environment, address, open } = home;
  const { token } = await tokensOf(home, environment, { token: rep });
  /** As a server says; the embedded database has one user, the server itself. */
  const quotesAtRisk = async () => {
    const answer = await fetch(address + QuoteRisks.SearchRisks.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const { totals } = (await answer.json()) as OutputOf<typeof QuoteRisks.SearchRisks>;
    return totals.reduce((sum, { quotes }) => sum + quotes, 0);
  };
  const found = async () => {
    const database = await open();
    try {
      await aMinutePasses(database);
      const { rows } = await sql<{ risks: number; money: number; waiting: number }>`
        select (select count(*)::int from quote_risk) as risks, (select coalesce(sum(difference), 0) from quote_risk) as money,
          (select count(*)::int from price_change) as waiting`.execute(database.db);
      return rows[0];
    } finally {
      await database.close();
    }
  };
  const first = await startServerProcess(environment);
  await new Promise((resolve) => setTimeout(resolve, 500));
  first.child.kill('SIGKILL');
  await first.ended;
  const after = await found();
  // All changes keep waiting until everything is written.
  expect(after?.risks === QUOTES * 3 || (after?.waiting ?? 0) > 0).toBe(true);
  const embedded = !('DATABASE_URL' in environment);
  const servers = [
    await startServerProcess(environment),
    ...(embedded ? [] : [await startServerProcess({ ...environment, PORT: String(await freePort()) })]),
  ];
  await until(async () => (await quotesAtRisk()) === QUOTES, 120);
  // The daily job may have written them all before the job of the changes is done.
  if (after?.waiting !== 0) await until(() => servers.some(({ said }) => said.includes('"job":"quote-risks",')), 120);
  for (const { child, ended } of servers) {
    child.kill('SIGTERM');
    await ended;
  }
  expect(await found()).toEqual({ risks: QUOTES * 3, money: QUOTES * 3 * 20, waiting: 0 });
});
