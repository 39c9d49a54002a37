// Tests the reason for a discount on the whole quote: who can read it, how long it is kept, and that approvers get it.
import { afterAll, expect, it } from 'vitest';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { QuoteEdit } from './quote-edit.contract.ts';

const { server, office, read } = await startOffice();
afterAll(() => server.close());
const item = await anItem(server.db, { price: 1000, cost: 600, floor: 990 });

async function aQuote(): Promise<{ id: number }> {
  const quote = { facilityId: office.facility.id, contactName: 'Pat Buyer' };
  const input = { quote, items: [{ itemId: item.id, qty: 1 }] };
  return (await server.ok(QuoteEdit.SaveSalesRepQuote, input, { as: office.inside })).quote;
}
async function discount(id: number, fields: { discountPct?: number; discountReason?: string }) {
  const { version } = (await read(id)).quote;
  const quote = { id, version, ...fields };
  return (await server.ok(QuoteEdit.SaveSalesRepQuote, { quote }, { as: office.inside })).quote;
}

it('is kept while there is a discount, and goes with it', async () => {
  const { id } = await aQuote();
  expect(await discount(id, { discountReason: 'For nothing' })).toMatchObject({ discountReason: '' });
  expect(await discount(id, { discountPct: 4, discountReason: ' Volume ' })).toMatchObject({
    discountReason: 'Volume',
  });
  expect(await discount(id, { discountPct: 5 })).toMatchObject({ discountReason: 'Volume' });
  expect(await discount(id, { discountPct: 0 })).toMatchObject({ discountPct: 0, discountReason: '' });
});

it('is in the history that staff read, and not in the one that the customer reads', async () => {
  const { id } = await aQuote();
  await discount(id, { discountPct: 4, discountReason: 'Match of a competing offer' });
  const { events } = await read(id);
  expect(events[0]?.changes).toContainEqual({
    field: 'Reason for the quote discount',
    before: '',
    after: 'Match of a competing offer',
  });
  const answer = await server.ok(QuoteEdit.PopulateQuoteEditDataForSalesRep, { id }, { as: office.inside });
  expect(JSON.stringify(answer)).not.toContain('competing');
});

it('reaches the approver with the comment, each once', async () => {
  const request = async (discountReason: string, comment: string) => {
    const { id } = await aQuote();
    await server.db.updateTable('quote').set({ status_id: 'Processing' }).where('id', '=', id).execute();
    const { version } = await discount(id, { discountPct: 4, discountReason });
    await server.ok(
      QuoteWorkflow.PerformWorkflowAction,
      { quoteId: id, action: 'RequestApproval', version, comment },
      { as: office.inside },
    );
    return (await server.ok(QuoteEdit.GetApprovalImpact, { id }, { as: office.manager })).asked?.comment;
  };
  expect(await request('Volume', 'By Friday, please')).toBe('By Friday, please; Volume');
  expect(await request('Volume', 'Volume')).toBe('Volume');
  expect(await request('', 'Volume')).toBe('Volume');
});
