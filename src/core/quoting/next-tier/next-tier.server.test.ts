// Tests over HTTP what another tier would save: for which quotes and contracts, and what the customer sees of it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract, aContractPrice, aTier } from '#testing/factories/contracts.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ContractWhatIf } from './next-tier.contract.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-21T15:00:00Z');
  office = await aSalesOffice(server.db);
});
afterAll(() => server.close());

/** A quote for 200 boxes under a contract: 41.00 in the facility's tier, 38.50 in tier 3. */
async function aContractQuote(as: { id: number }) {
  const { db } = server;
  const item = await anItem(db, { units: { EA: 1, BX: 10 }, prices: [{ unit: 'BX', price: 60 }] });
  const { id, number, lineIds } = await aContract(db, {
    facilityIds: [office.facility.id],
    lines: [{ itemId: item.id, price: 41, unit: 'BX' }],
  });
  const third = await aTier(db, { contractId: id, no: 3, needsLoc: true });
  await aContractPrice(db, { lineId: lineIds[0] ?? 0, tierId: third.id, price: 38.5 });
  await aContractPrice(db, {
    lineId: lineIds[0] ?? 0,
    tierId: third.id,
    price: 1,
    from: '2010-01-01',
    to: '2010-12-31',
  });
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id }, items: [{ itemId: item.id, qty: 200, unit: 'BX' }] },
    { as },
  );
  return { quoteId: quote.id, version: quote.version, number, tierId: third.id };
}

test('names the tiers that lower the total of the quote', async () => {
  const { quoteId, number, tierId } = await aContractQuote(office.rep);
  expect(await server.ok(ContractWhatIf.WhatIf, { quoteId }, { as: office.rep })).toEqual([
    expect.objectContaining({ number, tierId, tierNo: 3, needsLoc: true, lines: 1, total: 7700, saving: 500 }),
  ]);
  const none = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id }, items: [] },
    { as: office.rep },
  );
  expect(await server.ok(ContractWhatIf.WhatIf, { quoteId: none.quote.id }, { as: office.rep })).toEqual([]);
});

test('is refused for a quote out of sight, and for accounts without the GPO Contracts tab', async () => {
  const { quoteId } = await aContractQuote(office.rep);
  const stranger = await aUser(server.db, { roles: ['salesrep'] });
  expect((await server.call(ContractWhatIf.WhatIf, { quoteId }, { as: stranger })).status).toBe(404);
  expect((await server.call(ContractWhatIf.WhatIf, { quoteId: 2_000_000_000 }, { as: office.rep })).status).toBe(404);
  const inside = await aUser(server.db, { roles: ['insiderep'] });
  expect((await server.call(ContractWhatIf.WhatIf, { quoteId }, { as: inside })).status).toBe(200);
  await server.db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', inside.id).execute();
  expect((await server.call(ContractWhatIf.WhatIf, { quoteId }, { as: inside })).status).toBe(403);
});

test('the customer reads the saving only when the sender says so, with the figures at the time of sending', async () => {
  const { db } = server;
  const sent = async (nextTiers: boolean | undefined) => {
    const cs = await aUser(db, { roles: ['csrep'] });
    const { quoteId } = await aContractQuote(cs);
    const { version } = await db
      .updateTable('quote')
      .set({ status_id: 'Processing', assignee_id: cs.id, contact_name: 'Pat Buyer', contact_email: 'b@example.org' })
      .where('id', '=', quoteId)
      .returning('version')
      .executeTakeFirstOrThrow();
    const init = await server.ok(QuoteWorkflow.GetInitQuoteSendingEmailData, { id: quoteId }, { as: cs });
    expect(init.nextTiers.map(({ saving }) => saving)).toEqual([500]);
    await server.ok(
      QuoteWorkflow.SendEmail,
      {
        quoteId,
        version,
        to: ['b@example.org'],
        subject: 'Quote',
        body: 'Hello',
        ...(nextTiers === undefined ? {} : { nextTiers }),
      },
      { as: cs },
    );
    const { document } = await db
      .selectFrom('quote_revision')
      .select('document')
      .where('quote_id', '=', quoteId)
      .executeTakeFirstOrThrow();
    return (document as { nextTiers: unknown[] }).nextTiers;
  };
  expect(await sent(undefined)).toEqual([]);
  expect(await sent(false)).toEqual([]);
  expect(await sent(true)).toEqual([{ contract: expect.any(String), tier: 'tier 3', requirement: '', saving: 500 }]);
});
