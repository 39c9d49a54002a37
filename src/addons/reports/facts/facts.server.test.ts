// Tests that the facts include every committed change at once, no matter who commits it and when, and that a rebuild finds no differences.
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openPostgres } from '#platform/db/database.server.ts';
import { moveToFacility } from '#core/quoting/quote-edit/move-to-facility.server.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { handOverQuotes } from '#core/quoting/quotes/handing-over/hand-over-quotes.server.ts';
import { aWorkflow } from '#testing/a-workflow.server.ts';
import { addressOf } from '#testing/base-database.server.ts';
import { anItem, anItemClass } from '#testing/factories/catalog.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aQuote, asJustRead } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { catchUp } from './catch-up.server.ts';
import { differingFrom } from './fact-rows.server.ts';
import { rebuildFacts } from './rebuild.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const { office, aQuoteOf, act, send } = aWorkflow(() => server);

const factsOf = (id: number) =>
  server.db.selectFrom('report_quote').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Catches up and returns the quote's facts, after checking that they match the rows. */
async function caughtUp(id: number) {
  expect((await catchUp(server.services)).preparing).toBe(null);
  expect(await differingFrom(server.db, [id])).toEqual([]);
  const { events } = await factsOf(id);
  const { count } = await server.db
    .selectFrom('quote_event')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('quote_id', '=', id)
    .executeTakeFirstOrThrow();
  expect(events).toBe(count);
  return factsOf(id);
}

test('each step of a quote is in its facts at once', async () => {
  const people = await office();
  const quote = await aQuoteOf(people, { lines: [{ qty: 2, systemPrice: 10, unitPrice: 9.8 }] });
  const created = await caughtUp(quote.id);
  expect(created).toMatchObject({
    status_id: 'Editing',
    list_amount: 20,
    rule_amount: 20,
    net_amount: 19.6,
    discount: 200,
    leak_amount: 0.4,
    leak_lines: 1,
    uncosted_lines: 1,
    uncosted_amount: 19.6,
    submitted_at: null,
    in_editing: null,
  });

  await act(quote.id, 'Submit', people.rep);
  const submitted = await caughtUp(quote.id);
  expect(submitted).toMatchObject({ status_id: 'WaitingForProcess', sent_at: null });
  expect(submitted.submitted_at).toBe(submitted.status_since);

  await act(quote.id, 'StartProcess', people.cs);
  expect(await caughtUp(quote.id)).toMatchObject({ status_id: 'Processing', submitted_at: submitted.submitted_at });
  expect((await factsOf(quote.id)).in_waiting).toBeGreaterThanOrEqual(0);

  await send(quote.id, people.cs);
  const sent = await caughtUp(quote.id);
  expect(sent).toMatchObject({ status_id: 'SentToCustomer', decided_at: null });
  expect(sent.sent_at).toBe(sent.status_since);

  await act(quote.id, 'MarkLost', people.rep, { reasonCode: 'price', lostCompetitor: 'Acme', lostCompetitorPrice: 15 });
  const lost = await caughtUp(quote.id);
  expect(lost).toMatchObject({
    status_id: 'Lost',
    lost_reason: 'price',
    lost_competitor: 'Acme',
    lost_competitor_price: 15,
  });
  expect([lost.sent_at, lost.decided_at]).toEqual([sent.sent_at, lost.status_since]);

  await act(quote.id, 'Revise', people.rep);
  expect(await caughtUp(quote.id)).toMatchObject({
    status_id: 'Revising',
    decided_at: null,
    lost_reason: '',
    revision: 2,
  });

  await act(quote.id, 'DiscardRevision', people.rep);
  // The old decision applies.
  expect(await caughtUp(quote.id)).toMatchObject({ status_id: 'Lost', decided_at: lost.decided_at, revision: 1 });
});

test('every currency but the euro is the dollar', async () => {
  const people = await office();
  for (const [currnIdx, counted] of [
    [1008, 1007],
    [1009, 1009],
  ]) {
    const { quote } = await server.ok(QuoteEdit.SaveSalesRepQuote, { quote: { currnIdx } }, { as: people.rep });
    expect(quote.currnIdx).toBe(currnIdx);
    expect(await caughtUp(quote.id)).toMatchObject({ currn_idx: counted });
  }
});

test('edits of lines and terms are in the facts at once', async () => {
  const people = await office();
  const facility = await aFacility(server.db);
  const created = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { facilityId: facility.id },
      items: [{ id: 0, type: 'custom', itemNumber: 'CART', description: 'Cart', qty: 3, unit: 'EA', unitPrice: 7 }],
    },
    { as: people.rep },
  );
  const { id } = created.quote;
  expect(await caughtUp(id)).toMatchObject({ net_amount: 21, total_amount: 21, list_amount: 21, leak_amount: 0 });

  const line = { quoteId: id, id: created.items[0]?.id, qty: 5 };
  await server.ok(QuoteEdit.SaveQuoteItem, (await asJustRead(server.db, line)) as never, { as: people.rep });
  expect(await caughtUp(id)).toMatchObject({ net_amount: 35 });
  const lines = await server.db.selectFrom('report_counted_line').selectAll().where('quote_id', '=', id).execute();
  expect(lines).toMatchObject([{ qty: 5, net_amount: 35, rule_amount: null, net_price: 7 }]);

  const terms = await asJustRead(server.db, { quote: { id, freightAmount: 4 }, items: [] });
  await server.ok(QuoteEdit.SaveSalesRepQuote, terms, { as: people.rep });
  expect(await caughtUp(id)).toMatchObject({ net_amount: 35, freight_amount: 4, total_amount: 39 });

  const removal = { quoteId: id, id: created.items[0]?.id, remove: true };
  await server.ok(QuoteEdit.SaveQuoteItem, (await asJustRead(server.db, removal)) as never, { as: people.rep });
  expect(await caughtUp(id)).toMatchObject({ net_amount: 0 });
  expect(await server.db.selectFrom('report_counted_line').selectAll().where('quote_id', '=', id).execute()).toEqual(
    [],
  );
});

test('quotes handed over, or moved to another facility, are in the facts at once', async () => {
  const people = await office();
  const quote = await aQuoteOf(people);
  await caughtUp(quote.id);
  const successor = await aUser(server.db);
  await handOverQuotes(server.db, server.services, people.admin, people.rep, { sales: successor, owner: successor });
  expect(await caughtUp(quote.id)).toMatchObject({ sales_rep_id: successor.id, owner_id: successor.id });

  const { facility_id: from } = await factsOf(quote.id);
  const to = await aFacility(server.db);
  const old = { id: from ?? 0, acctNo: '1', name: 'Old' };
  await moveToFacility(server.db, people.admin, { from: old, to, why: 'Merged', at: new Date() });
  expect(await caughtUp(quote.id)).toMatchObject({ facility_id: to.id });
});

describe('transactions that overlap', () => {
  const insertEvent = `insert into quote_event (quote_id, actor, action, revision) values ($1, 'Somebody', 'Edit', 1)`;

  it('an event that commits after later ones is taken, even when many reports came between', async () => {
    const [slow, quick] = [await aQuote(server.db), await aQuote(server.db)];
    await caughtUp(slow.id);
    const client = new pg.Client({ connectionString: addressOf(server.services.database) });
    await client.connect();
    try {
      await client.query('begin');
      await client.query('update quote set total_amount = 777 where id = $1', [slow.id]);
      await client.query(insertEvent, [slow.id]);
      // More events than a report reads again, each batch before a separate report.
      for (let batch = 0; batch < 4; batch++) {
        await sql`insert into quote_event (quote_id, actor, action, revision)
          select ${quick.id}::int, 'Somebody', 'Edit', 1 from generate_series(1, 400)`.execute(server.db);
        await caughtUp(quick.id);
      }
      expect(await factsOf(slow.id)).toMatchObject({ total_amount: 100 });
      await client.query('commit');
    } finally {
      await client.end();
    }
    expect(await caughtUp(slow.id)).toMatchObject({ total_amount: 777 });
  });

  it('events that are taken are not read for ever', async () => {
    const quote = await aQuote(server.db);
    const taken = async () =>
      (await server.db.selectFrom('report_state').select('taken_event').executeTakeFirstOrThrow()).taken_event;
    const before = await taken();
    // Other test files write to databases of the same server, and their open transactions also delay the mark.
    await expect
      .poll(
        async () => {
          await sql`insert into quote_event (quote_id, actor, action, revision) values (${quote.id}, 'Somebody', 'Edit', 1)`.execute(
            server.db,
          );
          await caughtUp(quote.id);
          return taken();
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(before);
  });

  it('two servers that catch up at once write the same facts', async () => {
    const other = openPostgres(addressOf(server.services.database), 4);
    try {
      const quotes = await Promise.all([1, 2, 3].map(() => aQuote(server.db)));
      await sql`insert into quote_event (quote_id, actor, action, revision)
        select unnest(${quotes.map(({ id }) => id)}::int[]), 'Somebody', 'Edit', 1`.execute(server.db);
      const { clock, database } = server.services;
      const answers = await Promise.all(
        [database, other, database, other].map((entry) => catchUp({ database: entry, clock })),
      );
      expect(answers.map(({ preparing }) => preparing)).toEqual([null, null, null, null]);
      for (const { id } of quotes) await caughtUp(id);
    } finally {
      await other.close();
    }
  });
});

test('a rebuild finds all facts equal, or corrects and reports the differences', async () => {
  const quote = await aQuoteOf(await office());
  const { quotes, differing, sums } = await rebuildFacts(server.services);
  expect({ differing, sums }).toEqual({ differing: [], sums: 0 });
  expect(quotes).toBeGreaterThan(5);

  await server.db.updateTable('report_quote').set({ net_amount: 1 }).where('id', '=', quote.id).execute();
  expect((await rebuildFacts(server.services)).differing).toEqual([quote.id]);
  await server.db.deleteFrom('report_counted_line').where('quote_id', '=', quote.id).execute();
  // The sums already contain the lines, which the rebuild adds once more before it detects this.
  const { differing: corrected, sums: wrong } = await rebuildFacts(server.services);
  expect([corrected, wrong > 0]).toEqual([[quote.id], true]);
  expect(await rebuildFacts(server.services)).toMatchObject({ differing: [], sums: 0 });
});

/** Signals a change of the quote to the reports, as every writer of quotes does. */
const anEvent = (quoteId: number) =>
  sql`insert into quote_event (quote_id, actor, action, revision) values (${quoteId}, 'Somebody', 'Edit', 1)`.execute(
    server.db,
  );
/** The stored sums of each class. */
const keptSums = async () => {
  const { rows } = await sql<{ classId: number; quotes: number; net: number }>`
    select class_id as "classId", sum(quotes)::int as quotes, sum(net) / 10000.0 as net from report_class_month
    group by 1 having sum(lines) > 0
    order by 1`.execute(server.db);
  return new Map(rows.map(({ classId, quotes, net }) => [classId, { quotes, net }]));
};
const allSumsAreRight = async () =>
  expect(await rebuildFacts(server.services)).toMatchObject({ differing: [], sums: 0 });

test('sums follow a quote from month to month, to another currency, to its end, and its items to another class', async () => {
  const people = await office();
  const [first, other] = [await anItemClass(server.db), await anItemClass(server.db)];
  const item = await anItem(server.db, { classId: first.id });
  const quote = await aQuoteOf(people, { lines: [{ qty: 2, systemPrice: 10, unitPrice: 10 }] });
  await server.db.updateTable('quote_item').set({ item_id: item.id }).where('quote_id', '=', quote.id).execute();
  await caughtUp(quote.id);
  expect((await keptSums()).get(first.id)).toEqual({ quotes: 1, net: 20 });
  await allSumsAreRight();

  for (const set of [{ quote_date: '2025-02-28' }, { currn_idx: 1009 }, { status_id: 'Won' }] as const) {
    await server.db.updateTable('quote').set(set).where('id', '=', quote.id).execute();
    await anEvent(quote.id);
    await caughtUp(quote.id);
    expect((await keptSums()).get(first.id)).toEqual({ quotes: 1, net: 20 });
    await allSumsAreRight();
  }

  await server.db.updateTable('item').set({ class_id: other.id }).where('id', '=', item.id).execute();
  await caughtUp(quote.id);
  expect([(await keptSums()).get(first.id), (await keptSums()).get(other.id)]).toEqual([
    undefined,
    { quotes: 1, net: 20 },
  ]);
  expect(await server.db.selectFrom('report_class_change').selectAll().execute()).toEqual([]);
  await server.db.updateTable('item').set({ class_id: null }).where('id', '=', item.id).execute();
  await caughtUp(quote.id);
  expect((await keptSums()).get(other.id)).toBe(undefined);
  await allSumsAreRight();

  await server.db.updateTable('quote').set({ status_id: 'Cancelled' }).where('id', '=', quote.id).execute();
  await anEvent(quote.id);
  await caughtUp(quote.id);
  await allSumsAreRight();
});

test('all quotes of an item that changes its class are taken, however many lines they have', async () => {
  const people = await office();
  const [first, other] = [await anItemClass(server.db), await anItemClass(server.db)];
  const item = await anItem(server.db, { classId: first.id });
  for (let n = 0; n < 4; n++) {
    const { id } = await aQuoteOf(people, { lines: [{ qty: 1, systemPrice: 10, unitPrice: 10 }] });
    await sql`insert into quote_item (quote_id, line_no, type, item_id, item_number, description, qty, unit, unit_price, line_total)
      select ${id}, 1 + n, 'item', ${item.id}, 'LONG', '', 1, 'EA', 10, 10 from generate_series(1, 1100) n`.execute(
      server.db,
    );
    await caughtUp(id);
  }
  expect((await keptSums()).get(first.id)).toEqual({ quotes: 4, net: 44_000 });
  await server.db.updateTable('item').set({ class_id: other.id }).where('id', '=', item.id).execute();
  await catchUp(server.services);
  expect((await keptSums()).get(first.id)).toBe(undefined);
  expect((await keptSums()).get(other.id)).toEqual({ quotes: 4, net: 44_000 });
});

test('what a server without sums wrote is added up by the next report', async () => {
  const people = await office();
  const quote = await aQuoteOf(people, { lines: [{ qty: 2, systemPrice: 10, unitPrice: 10 }] });
  await caughtUp(quote.id);
  // It processes the change in its own facts, and advances the mark of processed events.
  await server.db.updateTable('quote_item').set({ qty: 3, line_total: 30 }).where('quote_id', '=', quote.id).execute();
  await anEvent(quote.id);
  await sql`update report_quote set events = events + 1 where id = ${quote.id}`.execute(server.db);
  await sql`update report_state set taken_event = (select max(id) from quote_event)`.execute(server.db);
  await caughtUp(quote.id);
  expect(await rebuildFacts(server.services)).toMatchObject({ differing: [], sums: 0 });
});

test('an old company is filled in batches, and reports say how far', async () => {
  const old = await startTestServer();
  try {
    const { id: ownerId } = await aUser(old.db);
    await sql`insert into quote (owner_id, quote_date, valid_until) select ${ownerId}::int, '2026-01-05', '2026-02-04'
      from generate_series(1, 5500)`.execute(old.db);
    const first = await catchUp(old.services);
    expect(first.preparing).toEqual({ done: 5000, of: 5500 });
    const second = await catchUp(old.services);
    expect(second.preparing).toBe(null);
    expect((await rebuildFacts(old.services)).differing).toEqual([]);
  } finally {
    await old.close();
  }
});

test('the fill of a large company is background work', async () => {
  const old = await startTestServer();
  try {
    const { id: ownerId } = await aUser(old.db);
    await sql`insert into quote (owner_id, quote_date, valid_until) select ${ownerId}::int, '2026-01-05', '2026-02-04'
      from generate_series(1, 6001)`.execute(old.db);
    await sql`insert into quote_event (quote_id, actor, action, revision)
      select id, 'Somebody', 'Edit', 1 from quote, generate_series(1, 4)`.execute(old.db);
    await expect
      .poll(
        async () => {
          await old.drain();
          return (await catchUp(old.services)).preparing;
        },
        { timeout: 30_000 },
      )
      .toBe(null);
    const { rows } = await sql<{ count: number }>`select count(*) from report_quote`.execute(old.db);
    expect(rows[0]?.count).toBe(6001);
  } finally {
    await old.close();
  }
});
