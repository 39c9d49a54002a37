// Tests the approval of a discount over HTTP: request, decision, recall, voiding; who decides; changes while it is pending.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aWorkflow, DISCOUNTED, type Given } from '#testing/a-workflow.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
});
afterAll(() => server.close());

const { office, aQuoteOf, act, send, mailsSince } = aWorkflow(() => server);

/** 30% off: over the manager's limit. */
const DEEPLY: Given = { statusId: 'Processing', lines: [{ qty: 10, systemPrice: 10, unitPrice: 7 }] };
const requestOf = (id: number) =>
  server.db
    .selectFrom('approval_request')
    .selectAll()
    .where('quote_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirst();

describe('approval of a discount', () => {
  test('is requested, decided by another user, and lets the quote go on', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, { ...DISCOUNTED, assigneeId: people.cs.id });
    expect((await send(quote.id, people.cs)).body).toMatchObject({
      status: 409,
      detail: expect.stringContaining('This quote needs approval before it is sent.'),
    });
    const before = server.mails.length;
    const requested = await act(quote.id, 'RequestApproval', people.cs, { comment: 'Large order' });
    expect(requested.status).toBe(200);
    expect(requested.body.quote.statusId).toBe('Processing');
    expect(requested.body.approval).toMatchObject({ state: 'Pending', requestedBy: people.cs.fullName });
    expect(requested.body.allowedActions.map(({ action }) => action)).toEqual(['RecallApproval', 'Cancel']);
    const mails = await mailsSince(before);
    expect(mails.map(({ to }) => to)).toEqual([[people.manager.userName]]);
    expect(mails[0]?.subject).not.toMatch(/\d+\.\d\d/);
    expect(mails[0]?.text).toContain('Large order');
    expect(mails[0]?.text).toContain(`/int-quote-board/${quote.id}`);

    expect((await act(quote.id, 'RequestApproval', people.inside)).status).toBe(409);
    expect((await send(quote.id, people.cs)).status).toBe(409);
    expect((await act(quote.id, 'ApproveDiscount', people.cs)).status).toBe(403);
    expect((await act(quote.id, 'ApproveDiscount', people.rep)).status).toBe(403);
    expect((await act(quote.id, 'ApproveDiscount', people.contracts)).status).toBe(403);

    const approved = await act(quote.id, 'ApproveDiscount', people.manager);
    expect(approved.body.quote.statusId).toBe('DiscountApproved');
    expect(await requestOf(quote.id)).toMatchObject({
      state: 'Approved',
      requested_by: people.cs.id,
      decided_by: people.manager.id,
      comment: 'Large order',
    });
    expect((await mailsSince(before + 1)).map(({ to }) => to)).toEqual([[people.cs.userName]]);
    expect((await send(quote.id, people.rep)).body.quote.statusId).toBe('SentToCustomer');
  });

  test('the requester never approves, whatever their roles', async () => {
    const people = await office();
    const both = await aUser(server.db, { roles: ['csrep', 'salesadmin'] });
    const quote = await aQuoteOf(people, DEEPLY);
    await act(quote.id, 'RequestApproval', both);
    expect((await act(quote.id, 'ApproveDiscount', both)).status).toBe(403);
    expect((await act(quote.id, 'ApproveDiscount', people.salesadmin)).status).toBe(200);
  });

  test('above the manager’s limit the sales administrator must decide', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, DEEPLY);
    const before = server.mails.length;
    await act(quote.id, 'RequestApproval', people.manager);
    const recipients = (await mailsSince(before)).flatMap(({ to }) => to);
    expect(recipients).toContain(people.salesadmin.userName);
    expect(recipients).not.toContain(people.manager.userName);
    const other = await aUser(server.db, { roles: ['salesQuoteManager'], regionIds: [people.region.id] });
    expect((await act(quote.id, 'ApproveDiscount', other)).status).toBe(403);
    expect((await act(quote.id, 'ApproveDiscount', people.salesadmin)).status).toBe(200);
  });

  test('rejecting needs a comment and informs the requester; only the requester recalls', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, DISCOUNTED);
    await act(quote.id, 'RequestApproval', people.cs);
    expect((await act(quote.id, 'RecallApproval', people.inside)).status).toBe(403);
    expect((await act(quote.id, 'RecallApproval', people.cs)).body.approval?.state).toBe('Recalled');
    await act(quote.id, 'RequestApproval', people.cs);
    expect((await act(quote.id, 'RejectDiscount', people.manager)).status).toBe(422);
    await server.drain();
    const before = server.mails.length;
    const rejected = await act(quote.id, 'RejectDiscount', people.manager, { comment: 'Too deep' });
    expect(rejected.body).toMatchObject({
      quote: { statusId: 'Processing' },
      approval: { state: 'Rejected', comment: 'Too deep' },
    });
    expect((await mailsSince(before)).map(({ to }) => to)).toEqual([[people.cs.userName]]);
    expect((await act(quote.id, 'RejectDiscount', people.manager, { comment: 'Again' })).status).toBe(409);
  });

  test('no approval can be requested when no rule requires one', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, { statusId: 'Processing' });
    const refused = await act(quote.id, 'RequestApproval', people.cs);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ detail: expect.stringContaining('Nothing on this quote needs approval.') });
  });

  test('a just deactivated approver decides nothing', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, DISCOUNTED);
    await act(quote.id, 'RequestApproval', people.cs);
    await server.tokenOf(people.manager);
    expect((await server.call(QuoteWorkflow.GenerateQuotePdf, { id: quote.id }, { as: people.manager })).status).toBe(
      200,
    );
    await server.db.updateTable('app_user').set({ active: false }).where('id', '=', people.manager.id).execute();
    expect((await act(quote.id, 'ApproveDiscount', people.manager)).status).toBe(401);
    expect((await requestOf(quote.id))?.state).toBe('Pending');
  });

  test('content changed behind the lock is not approved', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, DISCOUNTED);
    await act(quote.id, 'RequestApproval', people.cs);
    await server.db.updateTable('quote_item').set({ qty: 11 }).where('quote_id', '=', quote.id).execute();
    expect((await act(quote.id, 'ApproveDiscount', people.manager)).status).toBe(409);
  });

  test('an approved quote changed afterwards is not sent', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, DISCOUNTED);
    await act(quote.id, 'RequestApproval', people.cs);
    await act(quote.id, 'ApproveDiscount', people.manager);
    await server.db.updateTable('quote_item').set({ unit_price: 5 }).where('quote_id', '=', quote.id).execute();
    expect((await send(quote.id, people.cs)).body).toMatchObject({
      status: 409,
      detail: expect.stringContaining('The quote has changed since it was approved.'),
    });
  });

  test('cancelling voids the request', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, DISCOUNTED);
    await act(quote.id, 'RequestApproval', people.cs);
    expect((await act(quote.id, 'Cancel', people.cs, { comment: 'Gone' })).status).toBe(200);
    expect((await requestOf(quote.id))?.state).toBe('Void');
  });
});
