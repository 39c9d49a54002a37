// Tests that sending another user's quote under one's own limit adds a decision to the approval and to the history.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { aWorkflow, DISCOUNTED } from '#testing/a-workflow.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { BY_OWN_LIMIT } from './approved-by-sender.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
const { office, aQuoteOf, act, send, lastEvent } = aWorkflow(() => server);

const LIMIT = "Discount above the representative's limit";

describe('12% off, within the limit of the quote manager', () => {
  test('sent by the manager for a rep leaves a decision', async () => {
    const people = await office();
    const { id } = await aQuoteOf(people, DISCOUNTED);
    expect((await send(id, people.manager)).status).toBe(200);
    const { approval, events } = await server.ok(
      QuoteEdit.PopulateQuoteEditDataForInternalRep,
      { id },
      { as: people.manager },
    );
    expect(approval).toMatchObject({
      state: 'Approved',
      decidedBy: people.manager.fullName,
      comment: BY_OWN_LIMIT,
      rules: [
        { name: LIMIT, figure: 12, state: 'Approved', decidedBy: people.manager.fullName, comment: BY_OWN_LIMIT },
      ],
    });
    const sent = events.find(({ action }) => action === 'Send');
    expect(sent?.changes).toContainEqual({ field: LIMIT, before: '', after: BY_OWN_LIMIT });
    const stored = await server.db.selectFrom('approval_request').selectAll().where('quote_id', '=', id).execute();
    expect(stored).toMatchObject([{ requested_by: people.manager.id, decided_by: people.manager.id }]);
  });

  test('of the manager themselves leaves none, and neither does a discount within everybody’s limit', async () => {
    const people = await office();
    const own = await aQuoteOf(people, { ...DISCOUNTED, salesRepId: people.manager.id });
    const small = await aQuoteOf(people, {
      statusId: 'Processing',
      lines: [{ qty: 10, systemPrice: 10, unitPrice: 9.6 }],
    });
    for (const { id } of [own, small]) {
      expect((await send(id, people.manager)).status).toBe(200);
      expect(await server.db.selectFrom('approval_request').selectAll().where('quote_id', '=', id).execute()).toEqual(
        [],
      );
      expect(JSON.stringify((await lastEvent(id))?.changes)).not.toContain(BY_OWN_LIMIT);
    }
  });

  test('that somebody approved by the rules is not approved once more', async () => {
    const people = await office();
    const { id } = await aQuoteOf(people, DISCOUNTED);
    expect((await act(id, 'RequestApproval', people.inside)).status).toBe(200);
    expect((await act(id, 'ApproveDiscount', people.manager)).status).toBe(200);
    expect((await send(id, people.manager)).status).toBe(200);
    const [request] = await server.db.selectFrom('approval_request').selectAll().where('quote_id', '=', id).execute();
    expect(request?.decisions).toMatchObject([{ by: people.manager.id, comment: '' }]);
  });
});
