// Tests the workflow over HTTP: who may do what in which status, its effects, and its mails.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionName } from '#core/quoting/quotes/actions.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aWorkflow, DISCOUNTED, type Given, type Office } from '#testing/a-workflow.server.ts';
import { aRegion, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
});
afterAll(() => server.close());

const { office, aQuoteOf, rowOf, lastEvent, act, send, mailsSince } = aWorkflow(() => server);

describe('from writing to processing', () => {
  test('submitted, recalled, submitted again, taken up, asked about, answered', async () => {
    const people = await office();
    const quote = await aQuoteOf(people);
    const submitted = await act(quote.id, 'Submit', people.rep);
    expect(submitted.status).toBe(200);
    expect(submitted.body.quote.statusId).toBe('WaitingForProcess');
    expect(submitted.body.allowedActions.map(({ action }) => action)).toEqual(['Recall', 'Cancel']);
    expect(await lastEvent(quote.id)).toMatchObject({
      actor: people.rep.fullName,
      action: 'Submit',
      from_status: 'Editing',
      to_status: 'WaitingForProcess',
      revision: 1,
    });

    expect((await act(quote.id, 'Recall', people.support)).body.quote.statusId).toBe('Editing');
    await act(quote.id, 'Submit', people.support);
    const taken = await act(quote.id, 'StartProcess', people.cs);
    expect(taken.body.quote).toMatchObject({ statusId: 'Processing', assignee: { id: people.cs.id } });
    expect((await lastEvent(quote.id))?.changes).toEqual([
      { field: 'Assignee', before: '', after: people.cs.fullName },
    ]);

    expect((await act(quote.id, 'RequestInfo', people.cs)).status).toBe(422);
    const before = server.mails.length;
    const request = await act(quote.id, 'RequestInfo', people.cs, { comment: 'Which size?' });
    expect(request.body.quote.statusId).toBe('NeedMoreInfo');
    const mails = await mailsSince(before);
    expect(mails.map(({ to }) => to)).toEqual([[people.rep.userName]]);
    expect(mails[0]?.text).toContain('Which size?');
    expect(mails[0]?.text).toContain(`/pub-quote-board/${quote.id}`);

    const answered = await act(quote.id, 'ProvideInfo', people.rep, { comment: 'Large' });
    expect(answered.body.quote).toMatchObject({ statusId: 'Processing', assignee: { id: people.cs.id } });
  });

  test('quotes written inside skip the queue', async () => {
    const people = await office();
    const quote = await aQuoteOf(people);
    expect((await act(quote.id, 'StartProcess', people.inside)).body.quote.statusId).toBe('Processing');
  });

  test('an answered quote returns to the queue when the assignee has left', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, { statusId: 'NeedMoreInfo', assigneeId: people.cs.id });
    await server.db.updateTable('app_user').set({ active: false }).where('id', '=', people.cs.id).execute();
    const answered = await act(quote.id, 'ProvideInfo', people.rep);
    expect(answered.body.quote).toMatchObject({ statusId: 'WaitingForProcess', assignee: { id: null } });
  });

  test('a refusal lists everything that is missing', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, { contactName: '', lines: [] });
    await server.db.updateTable('quote').set({ facility_id: null }).where('id', '=', quote.id).execute();
    const refused = await act(quote.id, 'Submit', people.rep);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      ExceptionMessage: 'Choose a facility. Enter a contact. Add at least one line.',
      errors: [{ path: 'facilityId' }, { path: 'contactName' }, { path: 'items' }],
    });
    const unpriced = await aQuoteOf(people);
    await server.db.updateTable('quote_item').set({ unit_price: null }).where('quote_id', '=', unpriced.id).execute();
    expect((await act(unpriced.id, 'Submit', people.rep)).status).toBe(422);
    expect((await rowOf(unpriced.id)).status_id).toBe('Editing');
  });

  test('a reason is required and stored', async () => {
    const people = await office();
    const quote = await aQuoteOf(people);
    expect((await act(quote.id, 'Cancel', people.rep)).body).toMatchObject({ status: 422, detail: 'Enter a reason.' });
    const cancelled = await act(quote.id, 'Cancel', people.rep, { reasonCode: 'Typed twice', comment: 'Typed twice' });
    expect(cancelled.body.quote.statusId).toBe('Cancelled');
    expect((await lastEvent(quote.id))?.comment).toBe('Typed twice');
    expect((await act(quote.id, 'Reopen', people.rep, { comment: 'No' })).status).toBe(403);
    expect((await act(quote.id, 'Reopen', people.salesadmin)).status).toBe(422);
    const reopened = await act(quote.id, 'Reopen', people.salesadmin, { comment: 'It was not' });
    expect(reopened.body.quote.statusId).toBe('Editing');
  });

  test('once processing starts the owner side no longer cancels', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, { statusId: 'Processing', assigneeId: people.cs.id });
    const refused = await act(quote.id, 'Cancel', people.rep, { comment: 'Never mind' });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      detail: expect.stringContaining('Another user is already processing this quote.'),
    });
    expect((await act(quote.id, 'Cancel', people.cs, { comment: 'Asked to' })).status).toBe(200);
  });
});

describe('who may not', () => {
  test('a quote out of sight does not exist', async () => {
    const people = await office();
    const quote = await aQuoteOf(people);
    expect((await act(quote.id, 'Submit', people.stranger)).status).toBe(404);
    const elsewhere = await aUser(server.db, {
      roles: ['salesQuoteManager'],
      regionIds: [(await aRegion(server.db)).id],
    });
    expect((await act(quote.id, 'Submit', elsewhere)).status).toBe(404);
    for (const endpoint of [QuoteWorkflow.GenerateQuotePdf, QuoteWorkflow.GetInitQuoteSendingEmailData]) {
      expect((await server.call(endpoint, { id: quote.id }, { as: people.stranger })).status).toBe(404);
    }
  });

  test.each<[ActionName, keyof Office, Given]>([
    ['Submit', 'cs', {}],
    ['Submit', 'salesadmin', {}],
    ['Submit', 'contracts', {}],
    ['StartProcess', 'rep', { statusId: 'WaitingForProcess' }],
    ['StartProcess', 'manager', { statusId: 'WaitingForProcess' }],
    ['RequestInfo', 'rep', { statusId: 'Processing' }],
    ['RequestApproval', 'rep', DISCOUNTED],
    ['Send', 'rep', { statusId: 'Processing' }],
    ['Send', 'contracts', { statusId: 'Processing' }],
    ['MarkWon', 'salesadmin', { statusId: 'SentToCustomer' }],
    ['Revise', 'contracts', { statusId: 'SentToCustomer' }],
    ['Reopen', 'cs', { statusId: 'Won' }],
  ])('%s is not for %s', async (action, who, input) => {
    const people = await office();
    const quote = await aQuoteOf(people, input);
    const person = people[who];
    if (!('userName' in person)) throw new Error('a person acts');
    const refused = await act(quote.id, action, person, { comment: 'Please', poNumber: 'PO-1' });
    expect(refused.status).toBe(403);
    expect((await rowOf(quote.id)).version).toBe(1);
  });

  test('a call without a token is refused', async () => {
    const refused = await server.call(QuoteWorkflow.PerformWorkflowAction, {
      quoteId: 1,
      action: 'Submit',
      version: 1,
    });
    expect(refused.status).toBe(401);
  });
});

describe('two at once', () => {
  test('a stale version names the state and who moved it', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, { statusId: 'WaitingForProcess' });
    await act(quote.id, 'StartProcess', people.cs);
    const late = await act(quote.id, 'StartProcess', people.inside, { version: 1 });
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      ExceptionMessage: `${people.cs.fullName} started processing in the meantime. This quote is being processed. Review it before you continue.`,
      conflict: { changedBy: people.cs.fullName, current: { statusId: 'Processing', version: 2 } },
    });
  });

  test('a wrong state names them too', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, { statusId: 'WaitingForProcess' });
    await act(quote.id, 'StartProcess', people.cs);
    const late = await act(quote.id, 'StartProcess', people.inside);
    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      detail: `This quote is being processed. Last step: ${people.cs.fullName} started processing.`,
    });
  });

  test('of two users who claim a quote at once one gets it', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, { statusId: 'WaitingForProcess' });
    const claims = [people.cs, people.inside].map((as) =>
      server.call(
        QuoteWorkflow.PerformWorkflowAction,
        { quoteId: quote.id, action: 'StartProcess', version: 1 },
        { as },
      ),
    );
    expect((await Promise.all(claims)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const events = await server.db.selectFrom('quote_event').select('id').where('quote_id', '=', quote.id).execute();
    expect(events).toHaveLength(1);
  });
});

describe('after sending', () => {
  async function sent(people: Office, overrides: Given = {}) {
    const quote = await aQuoteOf(people, { statusId: 'Processing', assigneeId: people.cs.id, ...overrides });
    expect((await send(quote.id, people.cs)).status).toBe(200);
    return quote;
  }

  test('staff marks it won with a PO number or a name', async () => {
    const people = await office();
    const quote = await sent(people);
    expect((await act(quote.id, 'MarkWon', people.rep)).status).toBe(422);
    const won = await act(quote.id, 'MarkWon', people.rep, { poNumber: 'PO-77' });
    expect(won.body.quote).toMatchObject({ statusId: 'Won', poNumber: 'PO-77' });
    expect(won.body.revisions[0]?.state).toBe('Accepted');
    expect((await lastEvent(quote.id))?.changes).toEqual([{ field: 'PO number', before: '', after: 'PO-77' }]);
  });

  test('winning it late needs a reason', async () => {
    const people = await office();
    const quote = await sent(people, { validUntil: '2026-11-12' });
    server.setNow('2026-11-14T15:00:00Z');
    try {
      expect((await act(quote.id, 'MarkWon', people.rep, { signedName: 'Pat Buyer' })).status).toBe(422);
      const won = await act(quote.id, 'MarkWon', people.rep, {
        signedName: 'Pat Buyer',
        comment: 'Order was in the email',
      });
      expect(won.body.quote.statusId).toBe('Won');
    } finally {
      server.setNow('2026-11-10T15:00:00Z');
    }
  });

  test('losing it needs one of the reasons', async () => {
    const people = await office();
    const quote = await sent(people);
    expect((await act(quote.id, 'MarkLost', people.cs)).status).toBe(422);
    expect((await act(quote.id, 'MarkLost', people.cs, { reasonCode: 'moon' })).status).toBe(422);
    expect((await act(quote.id, 'MarkLost', people.cs, { reasonCode: 'other' })).status).toBe(422);
    const lost = await act(quote.id, 'MarkLost', people.cs, { reasonCode: 'price', comment: '4% too dear' });
    expect(lost.body.quote.statusId).toBe('Lost');
    expect(await rowOf(quote.id)).toMatchObject({ lost_reason: 'price' });
    expect((await lastEvent(quote.id))?.comment).toBe('Price: 4% too dear');
  });

  test('losing it may name the competitor and their price, which a revision clears and its discard brings back', async () => {
    const people = await office();
    const quote = await sent(people);
    const lose = (more: object) => act(quote.id, 'MarkLost', people.cs, { reasonCode: 'competitor', ...more });
    expect((await lose({ lostCompetitorPrice: -1 })).status).toBe(422);
    expect((await lose({ lostCompetitor: 'x'.repeat(101) })).status).toBe(422);
    const name = `Acme Medical ${quote.num}`;
    await lose({ lostCompetitor: ` ${name} `, lostCompetitorPrice: 1234.5 });
    const input = { lost_reason: 'competitor', lost_competitor: name, lost_competitor_price: 1234.5 };
    expect(await rowOf(quote.id)).toMatchObject(input);
    expect((await lastEvent(quote.id))?.changes).toEqual([
      { field: 'Competitor', before: '', after: name },
      { field: 'Competitor’s price', before: '', after: '$1,234.50' },
    ]);

    await act(quote.id, 'Revise', people.cs);
    expect(await rowOf(quote.id)).toMatchObject({ lost_reason: '', lost_competitor: '', lost_competitor_price: null });
    await act(quote.id, 'DiscardRevision', people.inside);
    expect(await rowOf(quote.id)).toMatchObject(input);

    // Another loss to the same competitor keeps the spelling, and it is suggested to all users who quote.
    const next = await sent(people);
    await act(next.id, 'MarkLost', people.cs, { reasonCode: 'price', lostCompetitor: name.toUpperCase() });
    expect(await rowOf(next.id)).toMatchObject({ lost_competitor: name, lost_competitor_price: null });
    const { names } = await server.ok(QuoteWorkflow.GetCompetitors, {}, { as: people.rep });
    expect(names.filter((candidate) => candidate.toLowerCase() === name.toLowerCase())).toEqual([name]);
  });

  test('a discarded revision leaves no trace in the quote', async () => {
    const people = await office();
    const quote = await sent(people, { lines: [{ qty: 2 }, { qty: 3, systemPrice: 12.5 }] });
    const before = await rowOf(quote.id);
    const lines = () =>
      server.db.selectFrom('quote_item').selectAll().where('quote_id', '=', quote.id).orderBy('line_no').execute();
    const linesBefore = await lines();

    const revised = await act(quote.id, 'Revise', people.rep);
    expect(revised.body.quote).toMatchObject({ statusId: 'Revising', revision: 2 });
    expect(revised.body.revisions[0]?.state).toBe('Superseded');
    await server.db
      .updateTable('quote')
      .set({ payment_terms: 'Net 90', total_amount: 1 })
      .where('id', '=', quote.id)
      .execute();
    await server.db
      .updateTable('quote_item')
      .set({ qty: 99 })
      .where('id', '=', linesBefore[0]?.id ?? 0)
      .execute();
    await server.db
      .deleteFrom('quote_item')
      .where('id', '=', linesBefore[1]?.id ?? 0)
      .execute();

    expect((await act(quote.id, 'DiscardRevision', people.support)).status).toBe(403);
    const discarded = await act(quote.id, 'DiscardRevision', people.rep);
    expect(discarded.body.quote).toMatchObject({ statusId: 'SentToCustomer', revision: 1 });
    expect(discarded.body.revisions[0]?.state).toBe('Current');
    const { version: _v, updated_at: _u, ...rest } = await rowOf(quote.id);
    const { version: _w, updated_at: _x, ...restBefore } = before;
    expect(rest).toEqual(restBefore);
    expect(await lines()).toEqual(linesBefore.map((line) => ({ ...line, version: expect.any(Number) })));
    expect((await lastEvent(quote.id))?.changes).toContainEqual({
      field: 'Payment terms',
      before: 'Net 90',
      after: before.payment_terms,
    });
  });

  test('a new revision has no assignee: its owner side recalls and cancels it until somebody inside starts it', async () => {
    const people = await office();
    const quote = await sent(people, { assigneeId: people.cs.id });
    const revised = await act(quote.id, 'Revise', people.rep);
    expect(revised.body.quote).toMatchObject({ statusId: 'Revising', assignee: { id: null } });
    expect(revised.body.allowedActions.map(({ action }) => action)).toContain('Cancel');
    expect((await lastEvent(quote.id))?.changes).toContainEqual({
      field: 'Assignee',
      before: people.cs.fullName,
      after: '',
    });
    const submitted = await act(quote.id, 'Submit', people.rep);
    expect(submitted.body.allowedActions.map(({ action }) => action)).toEqual(['Recall', 'Cancel']);
    expect((await act(quote.id, 'Recall', people.rep)).body.quote.statusId).toBe('Editing');
    await act(quote.id, 'Submit', people.rep);
    await act(quote.id, 'StartProcess', people.inside);
    expect((await act(quote.id, 'Cancel', people.rep, { comment: 'Gone' })).status).toBe(409);
  });

  test('submitting a revision releases it from an earlier assignee', async () => {
    const people = await office();
    const quote = await aQuoteOf(people, { statusId: 'Revising', assigneeId: people.cs.id });
    expect((await act(quote.id, 'Submit', people.rep)).body.quote).toMatchObject({ assignee: { id: null } });
    expect((await act(quote.id, 'Cancel', people.rep, { comment: 'Gone' })).status).toBe(200);
  });

  test('a discarded revision gives the quote back to its assignee', async () => {
    const people = await office();
    const quote = await sent(people, { assigneeId: people.cs.id });
    await act(quote.id, 'Revise', people.rep);
    expect((await act(quote.id, 'DiscardRevision', people.rep)).body.quote).toMatchObject({
      assignee: { id: people.cs.id },
    });
  });

  test('a lost quote is revised and goes back to lost', async () => {
    const people = await office();
    const quote = await sent(people);
    await act(quote.id, 'MarkLost', people.cs, { reasonCode: 'budget' });
    expect((await act(quote.id, 'Revise', people.cs)).body.quote).toMatchObject({ statusId: 'Revising', revision: 2 });
    expect((await rowOf(quote.id)).lost_reason).toBe('');
    await act(quote.id, 'DiscardRevision', people.inside);
    expect(await rowOf(quote.id)).toMatchObject({ status_id: 'Lost', lost_reason: 'budget', revision: 1 });
  });

  test('a won quote is reopened as its next revision, and sent again', async () => {
    const people = await office();
    const quote = await sent(people);
    await act(quote.id, 'MarkWon', people.rep, { poNumber: 'PO-1' });
    expect((await act(quote.id, 'Reopen', people.salesadmin)).status).toBe(422);
    const reopened = await act(quote.id, 'Reopen', people.salesadmin, { comment: 'Wrong quantity' });
    expect(reopened.body.quote).toMatchObject({ statusId: 'Processing', revision: 2 });
    expect((await send(quote.id, people.cs)).body.revisions.map(({ revision }) => revision)).toEqual([2, 1]);
  });

  test('two revisions are compared line by line', async () => {
    const people = await office();
    const quote = await sent(people, { lines: [{ itemNumber: 'IT-1', qty: 4 }] });
    await act(quote.id, 'Revise', people.cs);
    await server.db
      .updateTable('quote_item')
      .set({ qty: 6, unit_price: 9.5, price_source: 'Manual' })
      .where('quote_id', '=', quote.id)
      .execute();
    await server.db.updateTable('quote').set({ total_amount: 57 }).where('id', '=', quote.id).execute();
    const now = await server.ok(
      QuoteWorkflow.CompareRevisions,
      { quoteId: quote.id, from: 1, to: null },
      { as: people.rep },
    );
    expect(now).toMatchObject({
      lines: [{ change: 'changed', itemNumber: 'IT-1', causes: ['Quantity 4 → 6', 'Price $10.00 → $9.50 (manual)'] }],
      totalBefore: 40,
      totalAfter: 57,
    });
    await act(quote.id, 'StartProcess', people.cs);
    await send(quote.id, people.cs);
    const frozen = await server.ok(
      QuoteWorkflow.CompareRevisions,
      { quoteId: quote.id, from: 1, to: 2 },
      { as: people.rep },
    );
    expect(frozen.lines).toEqual(now.lines);
    const missing = { quoteId: quote.id, from: 1, to: 9 };
    expect((await server.call(QuoteWorkflow.CompareRevisions, missing, { as: people.rep })).status).toBe(404);
    expect((await server.call(QuoteWorkflow.CompareRevisions, missing, { as: people.stranger })).status).toBe(404);
  });
});
