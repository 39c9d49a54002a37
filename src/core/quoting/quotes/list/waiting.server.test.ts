// Tests what is waiting for a user: the counts above Home are the totals of the lists they link to, limited to what the user can see.
import { afterAll, expect, it } from 'vitest';
import { startOffice } from '#testing/an-office.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { QuoteSearch, WAITS_FOR } from '../quotes.contract.ts';

// November 21, 2026.
const { server } = await startOffice();
const { db } = server;
afterAll(() => server.close());

async function waiting(as: { id: number }) {
  const counts = await server.ok(QuoteSearch.CountWaiting, {}, { as });
  for (const waitsFor of WAITS_FOR) {
    const { total } = await server.ok(QuoteSearch.SearchQuotesForSalesRep, { waitsFor, remember: 'none' }, { as });
    expect(total).toBe(counts[waitsFor]);
  }
  return counts;
}

it('counts open questions, and sent quotes with at most a week left, within sight', async () => {
  const [rep, stranger] = [await aUser(db, { roles: ['salesrep'] }), await aUser(db, { roles: ['salesrep'] })];
  for (const validUntil of ['2026-11-20', '2026-11-21', '2026-11-28', '2026-11-29'])
    await aQuote(db, { ownerId: rep.id, statusId: 'SentToCustomer', validUntil });
  await aQuote(db, { ownerId: rep.id, validUntil: '2026-11-22' });
  const request = await aQuote(db, { ownerId: rep.id });
  const question = { quote_id: request.id, revision: 1, asked_by: 'Pat', email: 'pat@example.org', question: '?' };
  for (const answered_at of [null, null, new Date()])
    await db
      .insertInto('quote_question')
      .values({ ...question, asked_at: new Date(), answered_at })
      .execute();
  expect(await waiting(rep)).toEqual({ question: 1, expiry: 2 });
  expect(await waiting(stranger)).toEqual({ question: 0, expiry: 0 });
});

it('counts for who sees all quotes only those with a part of theirs', async () => {
  const cs = await aUser(db, { roles: ['csrep'] });
  await aQuote(db, { csRepId: cs.id, statusId: 'SentToCustomer', validUntil: '2026-11-24' });
  await aQuote(db, { statusId: 'SentToCustomer', validUntil: '2026-11-24' });
  expect(await waiting(cs)).toEqual({ question: 0, expiry: 1 });
});
