// Tests what a caller with an older version gets over HTTP: the whole quote with a save or on request, and who changed what.
import { afterAll, describe, expect, test } from 'vitest';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { QuoteEdit, type QuoteEditData } from '../quote-edit.contract.ts';

const { server, office } = await startOffice();
afterAll(() => server.close());

type Who = { id: number };

/** Creates a quote of three lines that its sales representative has open. */
async function opened() {
  const item = await anItem(server.db, { price: 10, cost: 4 });
  const { quote, items } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id }, items: [1, 2, 3].map((qty) => ({ itemId: item.id, qty })) },
    { as: office.rep },
  );
  const [first, second, third] = items;
  if (!first || !second || !third) throw new Error('three lines were saved');
  return { quote, lines: [first, second, third] as const };
}
type Opened = Awaited<ReturnType<typeof opened>>;

const setQty = ({ quote, lines }: Opened, nth: 0 | 1 | 2, qty: number, as: Who, sinceVersion?: number) =>
  server.ok(
    QuoteEdit.SaveQuoteItem,
    {
      quoteId: quote.id,
      id: lines[nth].id,
      version: lines[nth].version,
      qty,
      ...(sinceVersion === undefined ? {} : { sinceVersion }),
    },
    { as },
  );
const changes = (quoteId: number, since: number, internal: boolean, as: Who) =>
  server.call(QuoteEdit.GetQuoteChanges, { quoteId, since, internal }, { as });
const sumOf = ({ items }: QuoteEditData) => items.reduce((sum, { lineTotal }) => sum + lineTotal, 0);

describe('a save by somebody whose screen is older than the quote', () => {
  test('returns the whole quote, whose lines add up to its total, and who changed what', async () => {
    const board = await opened();
    await setQty(board, 0, 10, office.inside);
    const saved = await setQty(board, 2, 30, office.rep, board.quote.version);
    expect(saved.whole?.items.map(({ qty }) => qty)).toEqual([10, 2, 30]);
    expect(saved.whole?.quote).toMatchObject({ version: saved.quote.version, totalAmount: 420 });
    expect(sumOf(saved.whole as QuoteEditData)).toBe(saved.quote.totalAmount);
    expect(saved.whole?.changedSince).toMatchObject([{ actor: office.inside.fullName, action: 'Edit' }]);
    expect(saved.whole?.changedSince?.[0]?.changes).toContainEqual(
      expect.objectContaining({ before: '1', after: '10' }),
    );
    expect(JSON.stringify(saved.whole)).not.toContain('"cost"');
  });

  test('returns only the changes when nobody else changed anything, or the caller names no version', async () => {
    const board = await opened();
    const saved = await setQty(board, 0, 10, office.rep, board.quote.version);
    expect(saved).not.toHaveProperty('whole');
    await setQty(board, 2, 7, office.inside);
    expect(await setQty(board, 1, 5, office.rep)).not.toHaveProperty('whole');
    expect(saved.item.qty).toBe(10);
  });

  test('returns it with a new line, too, and when the save itself changes nothing', async () => {
    const board = await opened();
    await setQty(board, 0, 10, office.inside);
    const added = await server.ok(
      QuoteEdit.SaveQuoteItem,
      { quoteId: board.quote.id, type: 'note', description: 'Deliver in May', sinceVersion: board.quote.version },
      { as: office.rep },
    );
    expect(added.whole?.items).toHaveLength(4);
    const same = await setQty(board, 1, 2, office.rep, board.quote.version);
    expect(same.whole?.quote.version).toBe(added.quote.version);
    expect(same.whole?.changedSince?.map(({ actor }) => actor)).toEqual([office.rep.fullName, office.inside.fullName]);
  });

  test("returns it after a save of the quote's own fields and of many lines", async () => {
    const board = await opened();
    await setQty(board, 0, 10, office.inside);
    const save = (sinceVersion?: number) =>
      server.ok(
        QuoteEdit.SaveSalesRepQuote,
        { quote: { id: board.quote.id }, items: [{ id: 0, type: 'note', description: 'A' }], sinceVersion },
        { as: office.rep },
      );
    expect((await save(board.quote.version)).changedSince).toMatchObject([{ actor: office.inside.fullName }]);
    expect(await save()).not.toHaveProperty('changedSince');
  });
});

describe('asking for changes', () => {
  test('returns that there are none, or everything with who changed it', async () => {
    const board = await opened();
    const { id, version } = board.quote;
    expect((await changes(id, version, true, office.inside)).body).toEqual({
      unchanged: true,
      version,
      itemsWait: false,
    });
    await setQty(board, 1, 8, office.rep);
    await setQty(board, 2, 9, office.inside);
    const { body } = await changes(id, version, true, office.inside);
    expect(body).toMatchObject({ unchanged: false, version: version + 2 });
    const { changedSince, ...whole } = body.whole as QuoteEditData;
    expect(changedSince?.map(({ actor }) => actor)).toEqual([office.inside.fullName, office.rep.fullName]);
    const read = await server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id }, { as: office.inside });
    expect(whole).toEqual(read);
    const last = await changes(id, version + 1, true, office.inside);
    expect(last.body.whole?.changedSince?.map(({ actor }) => actor)).toEqual([office.inside.fullName]);
  });

  test('does not count changes that keep the version', async () => {
    const board = await opened();
    await setQty(board, 1, 8, office.inside);
    await server.db
      .insertInto('quote_event')
      .values({ quote_id: board.quote.id, actor: 'Customer', action: 'Question', revision: 1, comment: 'When?' })
      .execute();
    const { body } = await changes(board.quote.id, board.quote.version, false, office.rep);
    expect(body.whole?.changedSince?.map(({ action }) => action)).toEqual(['Edit']);
  });

  test('shows nobody more than opening the quote does', async () => {
    const board = await opened();
    const { id, version } = board.quote;
    await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id, version, internalNotes: 'Their last offer was lower' } },
      { as: office.inside },
    );
    const stranger = await aUser(server.db, { roles: ['salesrep'] });
    expect((await changes(id, version, true, stranger)).status).toBe(404);
    expect((await changes(id, version + 1, true, stranger)).status).toBe(404);
    for (const [who, internal] of [
      [office.rep, true],
      [office.inside, false],
    ] as const) {
      const { body } = await changes(id, version, internal, who);
      expect(body.unchanged).toBe(false);
      expect(JSON.stringify(body)).not.toMatch(/"cost"|nternal notes|last offer/);
    }
    expect(JSON.stringify((await changes(id, version, true, office.inside)).body)).toMatch(/"cost".*last offer/);
  });
});
