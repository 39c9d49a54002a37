// Tests the history of a quote: what public users do not see, and that it cannot be changed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { recordEvent, type StoredEvent, shownEvents } from './events.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('only internal readers see internal changes, and events that have no others', async () => {
  const { db } = server;
  const user = await aUser(db);
  const { id: quoteId } = await aQuote(db, { ownerId: user.id });
  const base = { quoteId, userId: user.id, actor: user.fullName, action: 'Edit', revision: 1 };
  const price = { field: 'Price', before: '9.00', after: '8.00' };
  const notes = { field: 'Internal notes', before: '', after: 'cost is 5', internal: true };
  await recordEvent(db, { ...base, action: 'Create', to: 'Editing' });
  await recordEvent(db, { ...base, changes: [price, notes] });
  await recordEvent(db, { ...base, changes: [notes] });
  await recordEvent(db, { ...base, changes: [notes], comment: 'see above' });
  const rows = await db
    .selectFrom('quote_event')
    .select(['id', 'at', 'actor', 'action', 'from_status as from', 'to_status as to', 'revision', 'comment', 'changes'])
    .where('quote_id', '=', quoteId)
    .orderBy('id', 'desc')
    .execute();
  const stored = rows as StoredEvent[];
  const internal = shownEvents(stored, true);
  expect(internal.map((event) => event.changes.map(({ field }) => field))).toEqual([
    ['Internal notes'],
    ['Internal notes'],
    ['Price', 'Internal notes'],
    [],
  ]);
  const visible = shownEvents(stored, false);
  expect(visible.map((event) => [event.action, event.comment, event.changes])).toEqual([
    ['Edit', 'see above', []],
    ['Edit', '', [price]],
    ['Create', '', []],
  ]);
  expect(JSON.stringify(visible)).not.toContain('cost is 5');
});

test('an event is never changed or deleted', async () => {
  const { db } = server;
  const { id: quoteId } = await aQuote(db);
  await recordEvent(db, { quoteId, userId: null, actor: 'A customer', action: 'Question', revision: 1 });
  await expect(
    db.updateTable('quote_event').set({ comment: 'x' }).where('quote_id', '=', quoteId).execute(),
  ).rejects.toThrow(/never changed/);
  await expect(db.deleteFrom('quote_event').where('quote_id', '=', quoteId).execute()).rejects.toThrow(/never changed/);
});
