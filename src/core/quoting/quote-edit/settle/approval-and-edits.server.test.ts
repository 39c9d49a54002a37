// Tests an approval and the edits around it, on a quote that the calls of real users build, price and move.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionName } from '#core/quoting/quotes/actions.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aRegion, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const versionOf = async (table: 'quote' | 'quote_item', id: number) =>
  (await server.db.selectFrom(table).select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;

/**
 * Creates a quote of ten pieces at $10.00 that a sales representative typed and submitted, and that internal users processed and reduced to $8.80: 12
 * % off.
 */
async function aDiscountedQuote() {
  const { db } = server;
  const region = await aRegion(db);
  const [rep, cs] = [await aUser(db), await aUser(db, { roles: ['csrep'] })];
  const manager = await aUser(db, { roles: ['salesQuoteManager'], regionIds: [region.id] });
  const [facility, item] = [await aFacility(db), await anItem(db, { price: 10 })];
  const created = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { facilityId: facility.id, contactName: 'Pat Buyer', contactEmail: 'pat@example.org', salesRepId: rep.id },
      items: [{ itemId: item.id, qty: 10, unit: 'EA' }],
    },
    { as: rep },
  );
  const { id } = created.quote;
  const itemId = created.items[0]?.id ?? 0;
  await db.updateTable('quote').set({ region_id: region.id }).where('id', '=', id).execute();
  const act = async (action: ActionName, as: { id: number }, more: Record<string, unknown> = {}) =>
    server.call(
      QuoteWorkflow.PerformWorkflowAction,
      { quoteId: id, action, version: await versionOf('quote', id), ...more },
      { as },
    );
  const price = async (unitPrice: number, as: { id: number } = cs) =>
    server.call(
      QuoteEdit.SaveQuoteItem,
      { id: itemId, quoteId: id, version: await versionOf('quote_item', itemId), unitPrice, priceReason: 'Volume' },
      { as },
    );
  const send = async () =>
    server.call(
      QuoteWorkflow.SendEmail,
      {
        quoteId: id,
        version: await versionOf('quote', id),
        to: ['pat@example.org'],
        subject: 'Quote',
        body: 'Hello',
      },
      { as: cs },
    );
  expect((await act('Submit', rep)).status).toBe(200);
  expect((await act('StartProcess', cs)).status).toBe(200);
  const lowered = await price(8.8);
  expect(lowered.body).toMatchObject({
    item: { unitPrice: 8.8, discountPct: 12 },
    approvalNeeded: [{ role: 'salesQuoteManager' }],
  });
  return { id, rep, cs, manager, act, price, send };
}

test('while a request is pending nobody changes a price', async () => {
  const { cs, act, price } = await aDiscountedQuote();
  await act('RequestApproval', cs);
  expect((await price(9)).status).toBe(409);
  await act('RecallApproval', cs);
  expect((await price(9)).status).toBe(200);
});

test('a lower price after the approval voids it: it cannot be sent until it is approved again', async () => {
  const { id, cs, manager, act, price, send } = await aDiscountedQuote();
  await act('RequestApproval', cs);
  expect((await act('ApproveDiscount', manager)).body.quote.statusId).toBe('DiscountApproved');
  const edited = await price(8.7);
  expect(edited.body).toMatchObject({ quote: { statusId: 'Processing' }, approval: { state: 'Void' } });
  expect(edited.body.allowedActions.find(({ primary }) => primary)?.action).toBe('RequestApproval');
  expect((await send()).status).toBe(409);

  expect((await act('RequestApproval', cs)).status).toBe(200);
  expect((await act('ApproveDiscount', manager)).status).toBe(200);
  expect((await send()).body.quote.statusId).toBe('SentToCustomer');
  const requests = await server.db
    .selectFrom('approval_request')
    .select('state')
    .where('quote_id', '=', id)
    .orderBy('id')
    .execute();
  expect(requests.map(({ state }) => state)).toEqual(['Void', 'Approved']);
});

test('a higher price after the approval keeps it', async () => {
  const { cs, manager, act, price, send } = await aDiscountedQuote();
  await act('RequestApproval', cs);
  await act('ApproveDiscount', manager);
  const edited = await price(8.9);
  expect(edited.body.approval?.state).toBe('Approved');
  expect((await send()).body.quote.statusId).toBe('SentToCustomer');
});

test('an approval belongs to its revision', async () => {
  const { cs, rep, manager, act, send } = await aDiscountedQuote();
  await act('RequestApproval', cs);
  await act('ApproveDiscount', manager);
  await send();
  await act('Revise', rep);
  await act('StartProcess', cs);
  expect((await send()).status).toBe(409);
  expect((await act('RequestApproval', cs)).status).toBe(200);
});

test('a stale version after an edit names who edited', async () => {
  const { id, rep, cs, act, price } = await aDiscountedQuote();
  const version = await versionOf('quote', id);
  await price(9.9);
  const late = await act('RequestInfo', cs, { version, comment: 'Which?' });
  expect(late.status).toBe(409);
  expect(late.body).toMatchObject({
    detail: expect.stringContaining(`${cs.fullName} edited the quote in the meantime`),
  });
  const wrong = await act('Submit', rep);
  expect(wrong.body).toMatchObject({
    status: 409,
    detail: `This quote is being processed. Last step: ${cs.fullName} started processing.`,
  });
});

test('a stale version after a template says so in words, even if somebody added a file since', async () => {
  const { id, rep, cs, act } = await aDiscountedQuote();
  const version = await versionOf('quote', id);
  const { db } = server;
  await recordEvent(db, { quoteId: id, userId: rep.id, actor: rep.fullName, action: 'AddTemplate', revision: 1 });
  await recordEvent(db, { quoteId: id, userId: cs.id, actor: cs.fullName, action: 'Upload', revision: 1 });
  const late = await act('RequestInfo', cs, { version: version - 1, comment: 'Which?' });
  expect(late.body).toMatchObject({
    detail: expect.stringContaining(
      `${rep.fullName} added lines from a template in the meantime. This quote is being processed.`,
    ),
  });
});

test('an edit of a moved quote says who moved it; a decided request can no longer be recalled', async () => {
  const { cs, manager, act, price } = await aDiscountedQuote();
  await act('RequestApproval', cs);
  expect((await price(8)).body).toMatchObject({
    status: 409,
    detail: `${cs.fullName} requested approval. A discount approval is pending. Prices and lines are locked until it is decided or recalled.`,
  });
  await act('RejectDiscount', manager, { comment: 'No' });
  expect((await act('RecallApproval', cs)).body).toMatchObject({
    status: 409,
    detail: `This quote is being processed. Last step: ${manager.fullName} rejected the discount.`,
  });
});

test('discarding a revision restores every price and its proof', async () => {
  const { id, cs, manager, act, price, send } = await aDiscountedQuote();
  await act('RequestApproval', cs);
  await act('ApproveDiscount', manager);
  await send();
  const sent = await server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id }, { as: cs });
  await act('Revise', cs);
  const edited = await price(5);
  expect(edited.status).toBe(200);
  const discarded = await act('DiscardRevision', cs);
  expect(discarded.body.items).toEqual(sent.items.map((item) => ({ ...item, version: expect.any(Number) })));
  expect(discarded.body.items[0]?.version).toBeGreaterThan(edited.body.item.version);
  expect({ ...discarded.body.quote, version: 0 }).toEqual({ ...sent.quote, version: 0 });
  expect(discarded.body.approval?.state).toBe('Approved');
});
