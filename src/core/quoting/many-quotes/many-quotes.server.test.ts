// Tests steps with many quotes over HTTP: the same as the single-quote steps, each quote separately, checked, sent again, undone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NotificationCalls } from '#platform/notifications/notifications.contract.ts';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { STATUSES } from '#core/quoting/quotes/status.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aWorkflow, type Office } from '#testing/a-workflow.server.ts';
import { aRegion, aUser } from '#testing/factories/people.server.ts';
import { anApprovalRequest } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ManyQuotes, PIECE, type QuoteChange, type Was } from './many-quotes.contract.ts';

type Who = { id: number };
type Read = { id: number; version: number };

let server: TestServer;
let people: Office;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
  people = await office();
});
afterAll(() => server.close());

const { office, aQuoteOf, rowOf, act, lastEvent } = aWorkflow(() => server);

const CANCEL: QuoteChange = { kind: 'cancel', reason: 'Asked for twice' };
const EXTEND: QuoteChange = { kind: 'extend', validUntil: '2027-03-01' };
const toInside = (): QuoteChange => ({ kind: 'assign', isRepId: people.inside.id });

const read = async ({ id }: { id: number }): Promise<Read> => ({ id, version: (await rowOf(id)).version });
const change = (what: QuoteChange, quotes: Read[], as: Who, more: { check?: boolean; inAll?: number } = {}) =>
  server.call(ManyQuotes.ChangeQuotes, { change: what, quotes, ...more }, { as });
async function outcomesOf(...input: Parameters<typeof change>) {
  const { status, body } = await change(...input);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.outcomes;
}
const putBack = async (quotes: (Read & { was: Was })[], as: Who) =>
  (await server.ok(ManyQuotes.PutQuotesBack, { quotes }, { as })).outcomes;

/** The same step with one quote, through the call of its board. */
function single(what: QuoteChange, { id, version }: Read, as: Who) {
  if (what.kind === 'cancel') {
    const step = { quoteId: id, version, action: 'Cancel', comment: what.reason } as const;
    return server.call(QuoteWorkflow.PerformWorkflowAction, step, { as });
  }
  const { kind: _kind, ...fields } = what;
  return server.call(QuoteEdit.SaveSalesRepQuote, { quote: { id, version, ...fields } }, { as });
}

describe.each(['assign', 'extend', 'cancel'] as const)('%s', (kind) => {
  const what = () => (kind === 'cancel' ? CANCEL : kind === 'extend' ? EXTEND : toInside());

  it.each(['rep', 'support', 'manager', 'cs', 'inside', 'salesadmin', 'admin', 'stranger'] as const)(
    'does and says for %s in each status what the single step does and says',
    async (role) => {
      const as = people[role];
      const pair = async (input: Parameters<typeof aQuoteOf>[1]) => [
        await aQuoteOf(people, input),
        await aQuoteOf(people, input),
      ];
      const pairs = await Promise.all([
        ...STATUSES.map((statusId) => pair({ statusId })),
        pair({ statusId: 'Processing', assigneeId: people.cs.id }),
        pair({ statusId: 'Processing' }),
      ]);
      for (const { id } of pairs.at(-1) ?? [])
        await anApprovalRequest(server.db, { quoteId: id, requestedBy: people.inside.id, roles: ['salesadmin'] });
      const [ones, others] = [0, 1].map((side) => pairs.map((both) => both[side] ?? { id: 0 }));
      const outcomes = await outcomesOf(what(), await Promise.all((ones ?? []).map(read)), as);
      for (const [at, other] of (others ?? []).entries()) {
        const { status, body } = await single(what(), await read(other), as);
        const expected = { done: status === 200, message: status === 200 ? '' : (body as { detail?: string }).detail };
        expect({ at, ...outcomes[at] }).toMatchObject({ at, ...expected });
        const { status_id, is_rep_id, valid_until, version } = await rowOf(other.id);
        expect(await rowOf(ones?.[at]?.id ?? 0)).toMatchObject({ status_id, is_rep_id, valid_until, version });
        expect((await lastEvent(ones?.[at]?.id ?? 0))?.changes).toEqual((await lastEvent(other.id))?.changes);
      }
      expect(outcomes.some(({ done }) => done)).toBe(
        role !== 'stranger' && (role !== 'salesadmin' || kind !== 'cancel'),
      );
    },
  );

  it('is refused as a whole to whoever only reads quotes, and without a version', async () => {
    const quote = await read(await aQuoteOf(people));
    expect((await change(what(), [quote], people.contracts)).status).toBe(403);
    expect((await change(what(), [{ id: quote.id } as Read], people.inside)).status).toBe(422);
    expect((await rowOf(quote.id)).version).toBe(quote.version);
  });

  it('goes on after a quote that somebody changed since, and one that is not there', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(async () => read(await aQuoteOf(people))));
    if (!first || !second || !third) throw new Error('three quotes');
    await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { ...second, customerReference: 'Ward 3' } },
      { as: people.rep },
    );
    const missing = { id: 2_000_000_000, version: 1 };
    const outcomes = await outcomesOf(what(), [first, second, missing, third], people.inside);
    expect(outcomes.map(({ id, done }) => [id, done])).toEqual([
      [first.id, true],
      [second.id, false],
      [missing.id, false],
      [third.id, true],
    ]);
    expect(outcomes[1]?.message).toContain(people.rep.fullName);
    expect(outcomes[2]?.message).toBe('This quote does not exist.');
    expect((await rowOf(second.id)).version).toBe(second.version + 1);
  });

  it('does nothing when it only checks, and says the same', async () => {
    const quotes = await Promise.all([
      aQuoteOf(people),
      aQuoteOf(people, { statusId: 'Won' }),
      aQuoteOf(people, { statusId: 'SentToCustomer' }),
    ]);
    const reads = await Promise.all(quotes.map(read));
    const before = await Promise.all(quotes.map(({ id }) => rowOf(id)));
    const checked = await outcomesOf(what(), reads, people.inside, { check: true });
    expect(await Promise.all(quotes.map(({ id }) => rowOf(id)))).toEqual(before);
    expect(await lastEvent(quotes[0]?.id ?? 0)).toBeUndefined();
    await server.drain();
    const taken = await outcomesOf(what(), reads, people.inside);
    const resultOf = ({ done, message, was }: (typeof taken)[number]) => ({ done, message, was });
    expect(checked.map(resultOf)).toEqual(taken.map(resultOf));
    expect(checked.map(({ version }) => version)).toEqual([null, null, null]);
  });

  it('is done once when its answer was lost and it is sent again', async () => {
    const quote = await read(await aQuoteOf(people));
    const [first] = await outcomesOf(what(), [quote], people.inside);
    const after = await rowOf(quote.id);
    const [again] = await outcomesOf(what(), [quote], people.inside);
    expect(again).toMatchObject({ done: true, version: first?.version, message: 'Already done.' });
    expect(await rowOf(quote.id)).toEqual(after);
    // For another user, it is a quote that has changed.
    const [other] = await outcomesOf(what(), [quote], people.cs);
    expect(other).toMatchObject({ done: false, message: expect.stringContaining(people.inside.fullName) });
  });
});

describe('words and limits', () => {
  it('says where nothing would change, and changes nothing', async () => {
    const quote = await read(await aQuoteOf(people, { isRepId: people.inside.id, validUntil: '2027-04-01' }));
    const [assigned] = await outcomesOf(toInside(), [quote], people.cs);
    expect(assigned).toMatchObject({ done: false, message: 'The quote already has these representatives.' });
    const [extended] = await outcomesOf(EXTEND, [quote], people.cs);
    expect(extended).toMatchObject({ done: false, message: 'The quote is already valid until 04/01/2027.' });
    expect((await rowOf(quote.id)).version).toBe(quote.version);
  });

  it('says where a price in use ends first', async () => {
    const quotes = await Promise.all([aQuoteOf(people), aQuoteOf(people)]);
    for (const [at, ends] of ['2027-02-01', '2027-01-01'].entries())
      await server.db
        .updateTable('quote_item')
        .set({ price_ends: ends })
        .where('quote_id', '=', quotes[at]?.id ?? 0)
        .execute();
    const outcomes = await outcomesOf(EXTEND, await Promise.all(quotes.map(read)), people.cs);
    expect(outcomes.map(({ done, message }) => [done, message])).toEqual([
      [true, 'Valid until 02/01/2027: a price it uses ends then.'],
      [false, 'The quote stays valid until 01/01/2027: a price it uses ends then.'],
    ]);
  });

  it('takes a piece at most, and a reason to cancel', async () => {
    const quote = await read(await aQuoteOf(people));
    const many = Array.from({ length: PIECE + 1 }, () => quote);
    expect((await change(CANCEL, many, people.cs)).status).toBe(422);
    expect((await change({ kind: 'cancel', reason: ' ' }, [quote], people.cs)).status).toBe(422);
  });

  it('refuses a person without the role, and a rep of others, for each quote', async () => {
    const quote = await read(await aQuoteOf(people));
    const [wrongRole] = await outcomesOf({ kind: 'assign', csRepId: people.inside.id }, [quote], people.cs);
    expect(wrongRole?.message).toBe('This person does not have that role or is no longer active.');
    const [notOwn] = await outcomesOf({ kind: 'assign', salesRepId: people.stranger.id }, [quote], people.rep);
    expect(notOwn?.message).toBe('Choose yourself or a representative you support.');
  });
});

describe('putting back', () => {
  it('restores what assigning and extending changed', async () => {
    const quotes = await Promise.all([aQuoteOf(people), aQuoteOf(people, { isRepId: people.inside.id })]);
    const others = await aUser(server.db, { roles: ['insiderep'] });
    const before = await Promise.all(quotes.map(({ id }) => rowOf(id)));
    const assigned = await outcomesOf(
      { kind: 'assign', isRepId: others.id },
      await Promise.all(quotes.map(read)),
      people.cs,
    );
    const extended = await outcomesOf(EXTEND, await Promise.all(quotes.map(read)), people.cs);
    const undo = (outcomes: typeof assigned) =>
      putBack(
        outcomes.map(({ id, version, was }) => ({ id, version: version ?? 0, was: was ?? {} })),
        people.cs,
      );
    const undone = await undo(extended);
    expect(undone.every(({ done }) => done)).toBe(true);
    const late = await undo(assigned);
    expect(late.map(({ done }) => done)).toEqual([false, false]);
    await undo(assigned.map((entry, at) => ({ ...entry, version: undone[at]?.version ?? 0 })));
    for (const { id, is_rep_id, valid_until } of before)
      expect(await rowOf(id)).toMatchObject({ is_rep_id, valid_until });
  });

  it('leaves a quote alone that somebody changed since, and one that is closed', async () => {
    const quotes = await Promise.all([aQuoteOf(people), aQuoteOf(people), aQuoteOf(people)]);
    const outcomes = await outcomesOf(EXTEND, await Promise.all(quotes.map(read)), people.inside);
    await act(quotes[1]?.id ?? 0, 'Cancel', people.admin, { comment: 'No longer needed' });
    const back = outcomes.map(({ id, version, was }) => ({ id, version: version ?? 0, was: was ?? {} }));
    const closed = { ...(back[1] ?? { id: 0, was: {} }), version: (await rowOf(quotes[1]?.id ?? 0)).version };
    const undone = await putBack([back[0] ?? closed, back[1] ?? closed, closed], people.inside);
    expect(undone.map(({ done }) => done)).toEqual([true, false, false]);
    expect(undone[1]?.message).toContain(people.admin.fullName);
    expect(undone[2]?.message).toContain('This quote is canceled.');
    const [again] = await putBack(back.slice(0, 1), people.inside);
    expect(again).toMatchObject({ done: true, message: 'Already done.' });
  });
});

it('names the program that took the step', async () => {
  const scopes = ['ManyQuotes:write'];
  const key = await server.ok(
    ApiKey.SaveApiKey,
    { name: 'Tidier', ownerId: people.inside.id, scopes },
    { as: people.admin },
  );
  const quotes = [await read(await aQuoteOf(people))];
  const headers = { authorization: `Bearer ${key.key}` };
  expect((await server.call(ManyQuotes.ChangeQuotes, { change: CANCEL, quotes }, { headers })).status).toBe(200);
  expect((await lastEvent(quotes[0]?.id ?? 0))?.actor).toBe(`${people.inside.fullName} (Tidier)`);
});

it('exports the chosen quotes of those in sight, and no others', async () => {
  const ours = [await aQuoteOf(people), await aQuoteOf(people)];
  const theirs = await aQuoteOf(people, { salesRepId: people.stranger.id, regionId: (await aRegion(server.db)).id });
  const ids = [ours[0]?.id ?? 0, theirs.id];
  const response = await server.call(QuoteSearch.ExportQuotes, { ids }, { as: people.rep });
  const lines = response.bytes.toString().trim().split('\r\n').slice(1);
  expect(lines.map((line) => line.split(',')[0])).toEqual([String(ours[0]?.num)]);
});

it('tells the new rep of a few quotes each, and of many as one, by one email', async () => {
  const inside = await aUser(server.db, { roles: ['insiderep'] });
  await server.ok(NotificationCalls.SaveWay, { kind: 'assigned', way: 'mail' }, { as: inside });
  const notices = async () => (await server.ok(NotificationCalls.SearchNotifications, {}, { as: inside })).records;
  const assign = async (count: number, inAll: number) => {
    const quotes = await Promise.all(Array.from({ length: count }, async () => read(await aQuoteOf(people))));
    return outcomesOf({ kind: 'assign', isRepId: inside.id }, quotes, people.cs, { inAll });
  };
  await assign(2, 2);
  const each = `${people.cs.fullName} assigned the quote to you`;
  expect((await notices()).map(({ title }) => title)).toEqual([each, each]);
  const before = server.mails.length;
  await assign(2, 40);
  await assign(2, 40);
  await server.drain();
  const many = `${people.cs.fullName} assigned many quotes to you`;
  expect((await notices()).filter(({ title }) => title === many)).toHaveLength(1);
  expect(server.mails.slice(before).filter(({ subject }) => subject === many)).toHaveLength(1);
});
