// Tests over HTTP how a checked file would affect quotes: in money, with only the accepted held rows, and without writing anything.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DataImport } from '#platform/data-import/data-import.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anImporter } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract, aTier, aContractPrice } from '#testing/factories/contracts.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteRisks } from '../risks.contract.ts';

let server: TestServer;
let ada: Awaited<ReturnType<typeof anImporter>>;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-10-20T15:00:00Z');
  ada = await anImporter(server);
  office = await aSalesOffice(server.db);
});
afterAll(() => server.close());

/** Two items under an agreement at 40.00, an open quote with 10 of the first and a sent one with 5 of each. */
async function quoted(number: string) {
  const { db } = server;
  const items = [
    await anItem(db, { number: `${number}-1`, price: 60 }),
    await anItem(db, { number: `${number}-2`, price: 60 }),
  ] as const;
  const contract = await aContract(db, {
    number,
    gpoId: null,
    facilityIds: [office.facility.id],
    lines: items.map(({ id }) => ({ itemId: id, price: 40 })),
  });
  const quote = async (lines: { itemId: number; qty: number }[], statusId: string) => {
    const created = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { facilityId: office.facility.id }, items: lines },
      { as: office.inside },
    );
    await db.updateTable('quote').set({ status_id: statusId }).where('id', '=', created.quote.id).execute();
    return created.quote.id;
  };
  const open = await quote([{ itemId: items[0].id, qty: 10 }], 'Processing');
  const sent = await quote(
    items.map(({ id }) => ({ itemId: id, qty: 5 })),
    'SentToCustomer',
  );
  await server.drain();
  return { contract, open, sent };
}

const stored = async () => {
  const { rows } = await sql<{ counts: string }>`select jsonb_build_array(
    (select count(*) from contract_line_price), (select count(*) from contract_roster), (select count(*) from gpo_contract),
    (select count(*) from quote_risk), (select count(*) from price_change), (select count(*) from record_event))::text as counts`.execute(
    server.db,
  );
  return rows[0]?.counts;
};

test('a price file: the accepted held row counts, the open one does not, and applying the file has the predicted effect', async () => {
  const { sent } = await quoted('EF-1');
  const before = await stored();
  const checked = await ada.check(
    await ada.upload(
      'contract-prices',
      'Contract,Item,UOM,Price,From\nEF-1,EF-1-1,EA,41,11/01/2026\nEF-1,EF-1-2,EA,50,11/01/2026',
    ),
  );
  expect(checked.effect).toEqual({
    state: 'done',
    of: {
      open: 1,
      sent: 1,
      kinds: [{ kind: 'Price', currnIdx: 1007, open: 1, sent: 1, openMoney: 10, sentMoney: 5 }],
    },
  });
  expect(await stored()).toBe(before);

  const decided = await server.ok(DataImport.DecideHeldRows, { id: checked.id, decision: 'accepted' }, { as: ada });
  expect(decided.effect).toEqual({ state: 'working', of: null });
  await server.drain();
  const { effect } = await ada.get(checked);
  expect(effect?.of?.kinds).toEqual([
    { kind: 'Price', currnIdx: 1007, open: 1, sent: 1, openMoney: 10, sentMoney: 55 },
  ]);
  expect(await stored()).toBe(before);

  await ada.apply(checked);
  const risk = await server.ok(QuoteRisks.GetQuoteRisk, { quoteId: sent }, { as: office.inside });
  expect(risk).toMatchObject({ difference: 55, day: '2026-11-01' });

  // Undoing the import removes the risks.
  await ada.undo(checked);
  expect((await server.ok(QuoteRisks.GetQuoteRisk, { quoteId: sent }, { as: office.inside })).lines).toEqual([]);
});

test('a roster: another tier, and a place that ends', async () => {
  const { contract, open } = await quoted('EF-2');
  const second = await aTier(server.db, { contractId: contract.id, no: 2 });
  for (const lineId of contract.lineIds) await aContractPrice(server.db, { lineId, tierId: second.id, price: 35 });
  await server.drain();
  const { acctNo } = office.facility;
  const checked = await ada.check(
    await ada.upload('rosters', `Contract,Account,Tier,From\nEF-2,${acctNo},2,10/25/2026`),
  );
  expect(checked).toMatchObject({
    error: '',
    effect: {
      state: 'done',
      of: { open: 1, sent: 1, kinds: [{ kind: 'Tier', openMoney: -50, sentMoney: -50 }] },
    },
  });
  await ada.apply(checked);
  expect(await server.ok(QuoteRisks.GetQuoteRisk, { quoteId: open }, { as: office.inside })).toMatchObject({
    day: '2026-10-25',
    difference: -50,
  });
});

test('a file that changes no quote says so, and a file of another kind says nothing about quotes', async () => {
  const item = await anItem(server.db, { number: 'EF-3', prices: [] });
  const none = await ada.check(await ada.upload('prices', `Item Number,Unit,Price\n${item.itemNumber},EA,7`));
  expect(none.effect).toEqual({ state: 'done', of: { open: 0, sent: 0, kinds: [] } });
  const costs = await ada.check(await ada.upload('costs', `Item Number,Cost\n${item.itemNumber},3`));
  expect(costs.effect).toBeNull();
});
