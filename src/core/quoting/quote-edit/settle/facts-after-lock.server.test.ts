// Tests that a save sees what was written while it waited for the lock of its quote.
import { sql } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { anAccountPrice } from '#testing/factories/contracts.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';

const { server, office, aDraft } = await startOffice();
afterAll(() => server.close());

test('a line has the price of the facility that the quote got while the line waited', async () => {
  const { db } = server;
  const item = await anItem(db, { price: 10 });
  const other = await aFacility(db);
  await anAccountPrice(db, { facilityId: other.id, itemId: item.id, price: 4 });
  const { quote } = await aDraft();
  const line = { id: 0, quoteId: quote.id, itemId: item.id, qty: 1 };
  const saved = await db.transaction().execute(async (first) => {
    await first.updateTable('quote').set({ facility_id: other.id }).where('id', '=', quote.id).execute();
    const second = server.call(QuoteEdit.SaveQuoteItem, line, { as: office.rep });
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
      expect(rows).toHaveLength(1);
    });
    return { second };
  });
  expect((await saved.second).body).toMatchObject({ item: { unitPrice: 4 }, quote: { version: quote.version + 1 } });
});
