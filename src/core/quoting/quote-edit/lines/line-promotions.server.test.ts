// Tests promotions on lines over HTTP: permissions, free goods, and a restored line that regains its promotion.
import { afterAll, describe, expect, test } from 'vitest';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem, aPromotion } from '#testing/factories/catalog.server.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';

const { server, office, aDraft, put, read } = await startOffice();
afterAll(() => server.close());

type Who = { id: number };

describe('promotions', () => {
  test('only internal users apply them; everybody sees the message', async () => {
    const item = await anItem(server.db, { price: 10 });
    const promotion = await aPromotion(server.db, {
      itemId: item.id,
      type: 'DiscountPct',
      amount: 10,
      minQty: 5,
      to: '2026-12-05',
    });
    const { quote, items } = await aDraft([{ itemId: item.id, qty: 4 }]);
    const [line] = items;
    expect(line?.promotions).toEqual([
      expect.objectContaining({ id: promotion.id, applied: false, message: expect.stringContaining('10%') }),
    ]);
    const apply = (promotionId: number | null, version: number, as: Who) =>
      server.call(QuoteEdit.ApplyPromotionToQuoteItem, { quoteItemId: line?.id ?? 0, promotionId, version }, { as });
    expect((await apply(promotion.id, 1, office.rep)).status).toBe(403);
    const tooFew = await apply(promotion.id, 1, office.inside);
    expect(tooFew.body).toMatchObject({ status: 422, errors: [{ path: 'promotionId' }] });
    expect((await put(quote.id, { id: line?.id, qty: 5 })).status).toBe(200);
    expect((await apply(promotion.id, 1, office.inside)).status).toBe(409);
    const applied = await apply(promotion.id, 2, office.inside);
    expect(applied.status).toBe(200);
    expect(applied.body.items[0]).toMatchObject({
      unitPrice: 9,
      systemPrice: 9,
      priceSource: 'Promotion',
      promotionId: promotion.id,
    });
    expect(applied.body.quote).toMatchObject({ validUntil: '2026-12-05', endsWithPrice: true });
    expect(applied.body.events[0]?.action).toBe('ApplyPromotion');
    const off = await apply(null, 3, office.inside);
    expect(off.body.items[0]).toMatchObject({ unitPrice: 10, promotionId: null });
    expect(off.body.quote).toMatchObject({ validUntil: '2027-01-20', endsWithPrice: false });
    const other = await aPromotion(server.db, {
      itemId: (await anItem(server.db)).id,
      type: 'DiscountPct',
      amount: 10,
    });
    expect((await apply(other.id, 4, office.inside)).status).toBe(422);
  });

  test('free goods come as a linked line, recomputed on every change and never edited', async () => {
    const item = await anItem(server.db, { price: 10, cost: 4 });
    const promotion = await aPromotion(server.db, { itemId: item.id, type: 'BuyXGetYFree', buy: 10, get: 2 });
    const other = await anItem(server.db, { price: 1 });
    const { quote, items } = await aDraft(
      [
        { itemId: item.id, qty: 25 },
        { itemId: other.id, qty: 1 },
      ],
      office.inside,
    );
    const [line] = items;
    const input = await server.ok(
      QuoteEdit.ApplyPromotionToQuoteItem,
      { quoteItemId: line?.id ?? 0, promotionId: promotion.id, version: 1 },
      { as: office.inside },
    );
    expect(
      input.items.map(({ lineNo, type, qty, unitPrice, parentId }) => [lineNo, type, qty, unitPrice, parentId]),
    ).toEqual([
      [1, 'item', 25, 10, null],
      [2, 'free', 4, 0, line?.id],
      [3, 'item', 1, 1, null],
    ]);
    expect(input.quote).toMatchObject({ totalAmount: 251, listTotal: 291, savings: 40 });
    const free = input.items[1];
    expect(free).toMatchObject({ listPrice: 10, systemPrice: 0, priceSource: 'Promotion' });
    const fewer = await put(quote.id, { id: line?.id, qty: 19 }, office.inside);
    expect(fewer.body.changedItems).toEqual([expect.objectContaining({ id: free?.id, qty: 2 })]);
    expect((await put(quote.id, { id: free?.id, qty: 9 }, office.inside)).status).toBe(422);
    expect((await put(quote.id, { id: free?.id, remove: true }, office.inside)).status).toBe(422);
    const none = await put(quote.id, { id: line?.id, qty: 9 }, office.inside);
    expect(none.body.removedIds).toEqual([free?.id]);
    await put(quote.id, { id: line?.id, qty: 10 }, office.inside);
    expect((await read(quote.id)).items).toHaveLength(3);
    const removed = await put(quote.id, { id: line?.id, remove: true }, office.inside);
    expect(removed.body.removedIds).toHaveLength(2);
    expect((await read(quote.id)).items.map(({ lineNo, itemId }) => [lineNo, itemId])).toEqual([[1, other.id]]);
  });
});

test('a removed line comes back with its promotion, and nobody gets another one that way', async () => {
  const item = await anItem(server.db, { price: 10 });
  const other = await anItem(server.db, { price: 10 });
  const promotion = await aPromotion(server.db, { itemId: item.id, amount: 2 });
  const { quote } = await aDraft();
  const { body: added } = await put(quote.id, { itemId: item.id, qty: 3 });
  const again = { itemId: item.id, qty: 3, promotionId: promotion.id };
  // A promotion that was never on this quote requires permission.
  expect((await put(quote.id, again)).body.item).toMatchObject({ promotionId: null, unitPrice: 10 });
  const applied = { quoteItemId: added.item.id, promotionId: promotion.id, version: added.item.version };
  await server.ok(QuoteEdit.ApplyPromotionToQuoteItem, applied, { as: office.inside });
  await put(quote.id, { id: added.item.id, remove: true });
  const { body: back } = await put(quote.id, again);
  expect(back.item).toMatchObject({ promotionId: promotion.id, priceSource: 'Promotion', unitPrice: 9.8 });
  expect((await put(quote.id, { ...again, itemId: other.id })).body.item.promotionId).toBeNull();
  expect((await put(quote.id, { ...again, promotionId: 2_000_000 })).body.item.promotionId).toBeNull();
  const elsewhere = await aDraft();
  expect((await put(elsewhere.quote.id, again)).body.item.promotionId).toBeNull();
  // The stored promotion is not revealed.
  const { events } = await server.ok(QuoteEdit.GetQuoteActivity, { quoteId: quote.id }, { as: office.rep });
  expect(events.flatMap(({ changes }) => changes).every((change) => !('promotion' in change))).toBe(true);
});
