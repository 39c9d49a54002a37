// Tests announcements to webhooks: one per event, with few fields, in the transaction of the change, and none without a subscriber.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { aWorkflow, DISCOUNTED, type Office } from '#testing/a-workflow.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { announce } from './announce.server.ts';
import { WEBHOOK_EVENT_NAMES } from './webhook-events.ts';

let server: TestServer;
let people: Office;
const { office, aQuoteOf, act, send, rowOf } = aWorkflow(() => server);

beforeAll(async () => {
  server = await startTestServer();
  people = await office();
});
afterEach(async () => {
  await server.db.deleteFrom('webhook_message').execute();
  await server.db.deleteFrom('webhook_endpoint').execute();
});
afterAll(() => server.close());

const anEndpoint = async (events: string[] = WEBHOOK_EVENT_NAMES, active = true) =>
  (
    await server.db
      .insertInto('webhook_endpoint')
      .values({ address: 'https://example.com/', events, active })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const messages = async () => {
  const rows = await server.db.selectFrom('webhook_message').selectAll().orderBy('id').execute();
  return rows.map(({ type, body }) => ({ type, body: JSON.parse(body) as { data: Record<string, unknown> } }));
};
const types = async () => (await messages()).map(({ type }) => type);
const ok = (answer: { status: number; body: unknown }) => expect(answer).toMatchObject({ status: 200 });

async function aSentQuote() {
  const quote = await aQuoteOf(people, { statusId: 'Processing' });
  ok(await send(quote.id, people.cs));
  const { doc_id: docId } = await server.db
    .selectFrom('quote_revision')
    .select('doc_id')
    .where('quote_id', '=', quote.id)
    .executeTakeFirstOrThrow();
  return { quote, docId };
}

describe('events of quotes', () => {
  it('are announced from the draft to the customer’s acceptance', async () => {
    await anEndpoint();
    const quote = await aQuoteOf(people, { statusId: 'Editing' });
    ok(await act(quote.id, 'Submit', people.rep));
    ok(await act(quote.id, 'StartProcess', people.cs));
    ok(await send(quote.id, people.cs));
    const { doc_id: docId } = await server.db
      .selectFrom('quote_revision')
      .select('doc_id')
      .where('quote_id', '=', quote.id)
      .executeTakeFirstOrThrow();
    for (const _ of [1, 2]) ok(await server.call(QuoteDoc.GetQuoteDoc, { id: docId }));
    const answer = { docId, name: 'Pat Buyer', title: 'Buyer', poNumber: 'PO-1', acceptTerms: true };
    ok(await server.call(QuoteDoc.AcceptQuote, answer));
    expect(await types()).toEqual([
      'quote.submitted',
      'quote.sent',
      'quote.viewed',
      'quote.accepted',
      'quote.won',
      'order_request.created',
    ]);
    const { num } = await rowOf(quote.id);
    const [submitted, , , , won] = await messages();
    expect(submitted?.body).toEqual({
      type: 'quote.submitted',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { id: quote.id, number: num, revision: 1, status: 'WaitingForProcess' },
    });
    expect(won?.body.data).toEqual({ id: quote.id, number: num, revision: 1, status: 'Won' });
  });

  it('distinguish a decline by the customer from a loss that a colleague records', async () => {
    await anEndpoint();
    const { docId } = await aSentQuote();
    ok(await server.call(QuoteDoc.DeclineQuote, { docId, name: 'Pat', reasonCode: 'price', comment: '' }));
    const { quote } = await aSentQuote();
    ok(await act(quote.id, 'MarkLost', people.cs, { reasonCode: 'price' }));
    expect((await types()).filter((type) => type !== 'quote.sent')).toEqual([
      'quote.declined',
      'quote.lost',
      'quote.lost',
    ]);
  });

  it('include the approval, but not the request for it', async () => {
    await anEndpoint();
    const quote = await aQuoteOf(people, DISCOUNTED);
    ok(await act(quote.id, 'RequestApproval', people.inside));
    expect(await types()).toEqual([]);
    ok(await act(quote.id, 'ApproveDiscount', people.manager));
    expect(await types()).toEqual(['quote.approved']);
  });

  it('go to each active endpoint that subscribes to them, and to no other', async () => {
    const wants = await anEndpoint(['quote.submitted']);
    const too = await anEndpoint(['quote.submitted', 'quote.won']);
    await anEndpoint(['quote.won']);
    await anEndpoint(['quote.submitted'], false);
    const quote = await aQuoteOf(people, { statusId: 'Editing' });
    ok(await act(quote.id, 'Submit', people.rep));
    const deliveries = await server.db.selectFrom('webhook_delivery').selectAll().orderBy('id').execute();
    expect(deliveries.map(({ endpoint_id }) => endpoint_id)).toEqual([wants, too]);
    expect(new Set(deliveries.map(({ message_id }) => message_id)).size).toBe(1);
  });

  it('are not stored while no endpoint exists', async () => {
    const { docId } = await aSentQuote();
    ok(await server.call(QuoteDoc.GetQuoteDoc, { id: docId }));
    expect(await messages()).toEqual([]);
  });
});

describe('announce', () => {
  it('is part of the transaction', async () => {
    await anEndpoint();
    const about = { id: 7, number: 4711, revision: 2, status: 'Waiting' };
    const undone = inTransaction(server.db, async (trx) => {
      await announce(trx, 'order_request.created', about);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await messages()).toEqual([]);
    await inTransaction(server.db, (trx) => announce(trx, 'order_request.created', about));
    expect(await messages()).toMatchObject([{ body: { type: 'order_request.created', data: about } }]);
  });
});

it('announces how an import ended', async () => {
  await anEndpoint();
  const { id: file_id } = await server.db
    .insertInto('file')
    .values({ storage_key: 'import-1', name: 'a.csv', media_type: 'text/csv', size: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const values = { kind: 'items', file_id, file_name: 'a.csv', mapping: '{}', created_by: people.admin.id };
  const { id } = await server.db.insertInto('data_import').values(values).returning('id').executeTakeFirstOrThrow();
  for (const state of ['Checking', 'Failed', 'Checking', 'Checked', 'Applying', 'Applied'])
    await server.db.updateTable('data_import').set({ state }).where('id', '=', id).execute();
  expect(await messages()).toMatchObject([
    { type: 'import.finished', body: { data: { id, kind: 'items', status: 'Applied' } } },
  ]);
});
