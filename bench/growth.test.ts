// Measures what a usual quote of ten lines adds to the tables and the file store, from creation to won:
// QUOTES=200 node node_modules/vitest/vitest.mjs run bench/growth.test.ts
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

/** 0: nothing is measured. */
const QUOTES = Number(process.env['QUOTES'] ?? 0);
const LINES = 10;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it.runIf(QUOTES > 0)(
  'a quote has a size',
  async () => {
    const { db } = server;
    const office = await aSalesOffice(db);
    const admin = await aUser(db, { roles: ['systemadmin', 'salesadmin', 'csrep'] });
    const items: { id: number }[] = [];
    for (let n = 0; n < 50; n++)
      items.push(await anItem(db, { description: `Suture, absorbable, size ${n}, box of 36` }));
    const oneQuote = async (n: number) => {
      const { quote } = await server.ok(
        QuoteEdit.SaveSalesRepQuote,
        {
          quote: {
            facilityId: office.facility.id,
            contactName: 'Pat Buyer',
            contactEmail: 'pat@example.org',
            clientKey: randomUUID(),
          },
        },
        { as: office.inside },
      );
      for (let line = 0; line < LINES; line++) {
        const item = items[(n * 7 + line) % items.length];
        await server.ok(
          QuoteEdit.SaveQuoteItem,
          { id: 0, quoteId: quote.id, itemId: item?.id ?? 0, qty: line + 1, unit: 'EA', clientKey: randomUUID() },
          { as: office.inside },
        );
      }
      const version = async () =>
        (await db.selectFrom('quote').select('version').where('id', '=', quote.id).executeTakeFirstOrThrow()).version;
      // As after Submit.
      await db.updateTable('quote').set({ status_id: 'Processing' }).where('id', '=', quote.id).execute();
      await server.ok(
        QuoteWorkflow.SendEmail,
        {
          quoteId: quote.id,
          version: await version(),
          to: ['pat@example.org'],
          cc: ['rep@example.org'],
          subject: `Your quote ${n}`,
          body: 'Dear Pat,\n\nhere is the quote that you asked for. It is valid for sixty days. Call me with any question.\n\nRegards',
        },
        { as: admin },
      );
      await server.ok(
        QuoteWorkflow.PerformWorkflowAction,
        { quoteId: quote.id, action: 'MarkWon', version: await version(), poNumber: `PO ${n}` },
        { as: admin },
      );
      await server.drain();
    };
    for (let n = 0; n < 5; n++) await oneQuote(n);
    const sizes = async () => {
      await sql`vacuum analyze`.execute(db);
      const { rows } = await sql<{ name: string; bytes: number }>`
      select n.nspname || '.' || relname as name, pg_total_relation_size(c.oid) as bytes from pg_class c
      join pg_namespace n on n.oid = relnamespace
      where relkind = 'r' and n.nspname in ('public', 'pgboss')`.execute(db);
      const files = await db
        .selectFrom('file')
        .select(sql<number>`coalesce(sum(size), 0)`.as('bytes'))
        .executeTakeFirstOrThrow();
      return new Map([...rows.map(({ name, bytes }) => [name, bytes] as const), ['files', files.bytes]]);
    };
    const before = await sizes();
    for (let n = 0; n < QUOTES; n++) await oneQuote(n);
    const after = await sizes();
    const grown = [...after]
      .map(([name, bytes]) => [name, (bytes - (before.get(name) ?? 0)) / QUOTES] as const)
      .filter(([, bytes]) => bytes > 0)
      .toSorted(([, a], [, b]) => b - a);
    for (const [name, bytes] of grown)
      console.log(`${name}: ${Math.round(bytes).toLocaleString('en-US')} bytes a quote`);
    const tables = grown.filter(([name]) => name !== 'files').reduce((sum, [, bytes]) => sum + bytes, 0);
    console.log(`tables together: ${Math.round(tables).toLocaleString('en-US')} bytes a quote`);
    expect(after.get('files')).toBeGreaterThan(before.get('files') ?? 0);
  },
  1_200_000,
);
