// Tests lines over HTTP: input rules, pricing, positions, versions.
import { afterAll, describe, expect, test } from 'vitest';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem, anItemClass } from '#testing/factories/catalog.server.ts';
import { aContract, anAccountPrice } from '#testing/factories/contracts.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { asJustRead } from '#testing/factories/quotes.server.ts';
import type { QuoteItemInput } from './quote-item.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';

const { server, office, aDraft, put, read } = await startOffice();
afterAll(() => server.close());

describe('a save without the version that was read', () => {
  const send = 'Send the version you read.';
  const refusal = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    return [status, (body as { errors?: { path: string; message: string }[] }).errors];
  };

  test('of a line, alone or with others, changed or removed, is refused and changes nothing', async () => {
    const item = await anItem(server.db);
    const { quote, items } = await aDraft([{ itemId: item.id, qty: 1 }]);
    const id = items[0]?.id ?? 0;
    const alone = server.call(QuoteEdit.SaveQuoteItem, { quoteId: quote.id, id, qty: 2 }, { as: office.rep });
    expect(await refusal(alone)).toEqual([422, [{ path: 'version', message: send }]]);
    for (const line of [
      { id, qty: 2 },
      { id, remove: true },
    ]) {
      const bulk = { quote: { id: quote.id }, items: [{ id: 0, type: 'note', description: 'A' }, line] };
      expect(await refusal(server.call(QuoteEdit.SaveSalesRepQuote, bulk, { as: office.rep }))).toEqual([
        422,
        [{ path: 'items.1.version', message: send }],
      ]);
    }
    const now = await read(quote.id);
    expect([now.quote.version, now.items.map(({ qty }) => qty)]).toEqual([1, [1]]);
  });

  test("of a quote's own fields is refused; lines alone carry their own versions", async () => {
    const { quote } = await aDraft();
    const save = (fields: object, items: QuoteItemInput[] = []) =>
      server.call(QuoteEdit.SaveSalesRepQuote, { quote: { id: quote.id, ...fields }, items }, { as: office.rep });
    expect(await refusal(save({ poNumber: 'PO 1' }))).toEqual([422, [{ path: 'quote.version', message: send }]]);
    expect((await save({}, [{ type: 'note', description: 'A' }])).status).toBe(200);
    expect((await save({ poNumber: 'PO 1', version: 2 })).status).toBe(200);
  });
});

describe('a line that says two different things is refused,', () => {
  const refusals = async (quoteId: number, line: Record<string, unknown>) => {
    const { status, body } = await put(quoteId, line);
    return [status, ...((body as { errors?: { path: string; message: string }[] }).errors ?? [])];
  };

  test('when its number is that of another item', async () => {
    const [item, other] = [await anItem(server.db), await anItem(server.db)];
    const { quote } = await aDraft();
    const line = { itemId: item.id, qty: 1 };
    const path = 'itemNumber';
    const message = `The item of this line is ${item.itemNumber}. Send the itemId of ${other.itemNumber} to change it.`;
    expect(await refusals(quote.id, { ...line, itemNumber: other.itemNumber })).toEqual([422, { path, message }]);
    const { item: created } = (await put(quote.id, { ...line, itemNumber: ` ${item.itemNumber.toLowerCase()}` })).body;
    expect(await refusals(quote.id, { id: created.id, itemNumber: other.itemNumber })).toEqual([
      422,
      { path, message },
    ]);
    // The item has since received a new number. The line keeps the number under which it was sold, and may be sent back.
    await server.db
      .updateTable('item')
      .set({ item_number: `N-${item.itemNumber}` })
      .where('id', '=', item.id)
      .execute();
    expect((await put(quote.id, { ...created, qty: 2 })).body.item).toMatchObject({
      itemNumber: item.itemNumber,
      qty: 2,
    });
  });

  test('when it has one of our numbers, no itemId, and does not say that it is custom', async () => {
    const { itemNumber } = await anItem(server.db);
    const { quote } = await aDraft();
    const line = { itemNumber: itemNumber.toLowerCase(), description: 'Custom', qty: 1 };
    expect(await refusals(quote.id, line)).toEqual([
      422,
      {
        path: 'itemId',
        message: `${itemNumber} is an existing item. Send its itemId, or the type 'custom' for a custom item.`,
      },
    ]);
    expect((await put(quote.id, { ...line, type: 'custom' })).body.item).toMatchObject({
      type: 'custom',
      itemId: null,
    });
    expect((await put(quote.id, { ...line, itemNumber: `${itemNumber}-X` })).body.item).toMatchObject({
      type: 'custom',
    });
  });

  test('when its price is not the discount beside it', async () => {
    const item = await anItem(server.db, { price: 10 });
    const { quote } = await aDraft();
    const line = { itemId: item.id, qty: 1, priceReason: 'agreed' };
    expect(await refusals(quote.id, { ...line, unitPrice: 10, discountPct: 20 })).toEqual([
      422,
      { path: 'discountPct', message: expect.stringContaining('is a discount of 0%, not of 20%') },
    ]);
    const { item: created } = (await put(quote.id, { ...line, unitPrice: 8, discountPct: 20 })).body;
    expect(created).toMatchObject({ unitPrice: 8, discountPct: 20 });
    // A caller that changes only the price sends back the discount that it read.
    expect((await put(quote.id, { ...created, unitPrice: 7 })).body.item).toMatchObject({
      unitPrice: 7,
      discountPct: 30,
    });
  });

  test('when a custom item, which has no other price, has a discount', async () => {
    const { quote } = await aDraft();
    const custom = { itemNumber: 'X-1', description: 'Custom', qty: 1, unitPrice: 5 };
    for (const path of ['discountPct', 'discountAmount']) {
      expect(await refusals(quote.id, { ...custom, [path]: 1 })).toEqual([
        422,
        { path, message: 'A custom item has no price to discount. Send the price after the discount.' },
      ]);
    }
  });
});

describe('a new line', () => {
  test('is priced, totalled and proven', async () => {
    const item = await anItem(server.db, { price: 10, units: { EA: 1, BX: 50 }, cost: 6 });
    const { quote } = await aDraft();
    const { status, body } = await put(quote.id, { itemId: item.id, qty: 3, unit: 'bx', notes: 'sterile' });
    expect(status).toBe(200);
    expect(body.item).toMatchObject({
      type: 'item',
      itemNumber: item.itemNumber,
      description: item.description,
      qty: 3,
      unit: 'BX',
      units: ['EA', 'BX'],
      unitPrice: 500,
      listPrice: 500,
      lineTotal: 1500,
      priceSource: 'List',
      notes: 'sterile',
      active: true,
      version: 1,
    });
    expect(body.item.priceProof.map(({ step }) => step)).toEqual(['List', 'Resolved', 'Net']);
    expect(body.item).not.toHaveProperty('cost');
    expect(body.quote).toMatchObject({ totalAmount: 1500, subtotal: 1500, version: quote.version + 1 });
    expect(body.quote).not.toHaveProperty('marginPct');
    const inside = await put(quote.id, { id: body.item.id, qty: 2 }, office.inside);
    expect(inside.body.item).toMatchObject({ cost: 300, marginPct: 40, underFloor: false, version: 2 });
    expect(inside.body.quote.marginPct).toBe(40);
  });

  test('prefers contract to account to list, and says when the contract is dearer', async () => {
    const item = await anItem(server.db, { price: 10 });
    await anAccountPrice(server.db, { facilityId: office.facility.id, itemId: item.id, price: 8 });
    const { body } = await put((await aDraft()).quote.id, { itemId: item.id, qty: 1 });
    expect(body.item).toMatchObject({ unitPrice: 8, priceSource: 'Account' });
    await aContract(server.db, {
      gpoId: null,
      to: '2026-12-31',
      facilityIds: [office.facility.id],
      lines: [{ itemId: item.id, price: 9 }],
    });
    const next = await put((await aDraft()).quote.id, { itemId: item.id, qty: 1 });
    expect(next.body.item).toMatchObject({ unitPrice: 9, listPrice: 10, priceSource: 'Contract' });
    expect(next.body.quote).toMatchObject({ validUntil: '2026-12-31', endsWithPrice: true });
    expect((await read(next.body.quote.id)).warnings).toEqual(
      expect.arrayContaining([
        expect.stringContaining('The contract price is higher than the account price'),
        expect.stringContaining('Valid until 12/31/2026'),
      ]),
    );
  });

  test("is refused for a unit that is not the item's, hidden or discontinued items, and without a quantity", async () => {
    const { quote } = await aDraft();
    const item = await anItem(server.db, { units: { EA: 1, CS: 10 } });
    const gone = await anItem(server.db, { status: 'Discontinued' });
    const hidden = await anItem(server.db, { classId: (await anItemClass(server.db, { hidden: true })).id });
    const refused = async (line: Record<string, unknown>, path: string) => {
      const { status, body } = await put(quote.id, line);
      expect([status, (body as unknown as { errors: { path: string }[] }).errors?.[0]?.path]).toEqual([422, path]);
    };
    await refused({ itemId: item.id, qty: 1, unit: 'BX' }, 'unit');
    await refused({ itemId: gone.id, qty: 1 }, 'itemId');
    await refused({ itemId: hidden.id, qty: 1 }, 'itemId');
    await refused({ itemId: 2_000_000_000, qty: 1 }, 'itemId');
    await refused({ itemId: item.id }, 'qty');
    await refused({ itemId: item.id, qty: 0 }, 'qty');
    await refused({ itemId: item.id, qty: -1 }, 'qty');
    await refused({ type: 'item', qty: 1 }, 'itemNumber');
    await refused({ type: 'free', itemId: item.id, qty: 1 }, 'type');
    await refused({ type: 'section' }, 'description');
    await refused({ itemId: item.id, qty: 1, unitPrice: 5 }, 'priceReason');
    await refused({ itemId: item.id, qty: 1, discountAmount: 11, priceReason: 'x' }, 'discountAmount');
    expect((await read(quote.id)).items).toEqual([]);
  });

  test('may be a custom item with a typed price', async () => {
    const { quote } = await aDraft();
    const { body } = await put(quote.id, { itemNumber: 'SPECIAL', description: 'Made to measure', qty: 2, unit: 'ST' });
    expect(body.item).toMatchObject({
      type: 'custom',
      itemId: null,
      unitPrice: null,
      priceProblem: 'Enter a price for this custom item.',
    });
    const priced = await put(quote.id, { id: body.item.id, unitPrice: 19.99 });
    expect(priced.body.item).toMatchObject({
      unitPrice: 19.99,
      lineTotal: 39.98,
      priceSource: 'Manual',
      priceProblem: '',
    });
    expect(priced.body.quote.totalAmount).toBe(39.98);
  });

  test('may become a custom item and back', async () => {
    const item = await anItem(server.db, { price: 10 });
    const { quote, items } = await aDraft([{ itemId: item.id, qty: 2 }]);
    const custom = await put(quote.id, { id: items[0]?.id, itemId: null, itemNumber: 'MINE', description: 'Mine' });
    expect(custom.body.item).toMatchObject({
      type: 'custom',
      itemNumber: 'MINE',
      unitPrice: 10,
      priceSource: 'Manual',
    });
    const back = await put(quote.id, { id: items[0]?.id, itemId: item.id });
    expect(back.body.item).toMatchObject({
      type: 'item',
      itemNumber: item.itemNumber,
      unitPrice: 10,
      priceSource: 'List',
    });
  });

  test('a line without a price stays and says why in a sentence', async () => {
    const item = await anItem(server.db, { prices: [] });
    const { body } = await put((await aDraft()).quote.id, { itemId: item.id, qty: 1 });
    expect(body.item).toMatchObject({ unitPrice: null, lineTotal: 0, priceSource: '' });
    expect(body.item.priceProblem).toMatch(/^There is no price/);
  });

  test('an amount too large to store is refused in words', async () => {
    const item = await anItem(server.db, { price: 9_000_000 });
    const { status, body } = await put((await aDraft()).quote.id, { itemId: item.id, qty: 9_999_999 });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      errors: [{ path: 'qty', message: expect.stringMatching(/^The amount of a line is at most/) }],
    });
  });
});

describe('a manual price', () => {
  const draftAt = async (price: number) => {
    const item = await anItem(server.db, {
      prices: [
        { unit: 'EA', price },
        { unit: 'EA', price: price / 2, minQty: 100 },
      ],
      units: { EA: 1, BX: 10 },
    });
    const data = await aDraft([{ itemId: item.id, qty: 4 }], office.inside);
    return { quoteId: data.quote.id, id: data.items[0]?.id ?? 0 };
  };

  test('needs a reason, names who typed it, and survives another quantity', async () => {
    const { quoteId, id } = await draftAt(10);
    expect((await put(quoteId, { id, unitPrice: 9.35 }, office.inside)).body).toMatchObject({
      errors: [{ path: 'priceReason' }],
    });
    const { body } = await put(quoteId, { id, unitPrice: 9.35, priceReason: 'Match' }, office.inside);
    expect(body.item).toMatchObject({
      unitPrice: 9.35,
      systemPrice: 10,
      discountPct: 6.5,
      priceSource: 'Manual',
      lineTotal: 37.4,
    });
    expect(body.item.priceProof.find(({ step }) => step === 'Manual')).toMatchObject({
      source: office.inside.fullName,
      amount: 9.35,
    });
    const more = await put(quoteId, { id, qty: 100, unitPrice: 9.35, discountPct: 6.5 }, office.cs);
    expect(more.body.item).toMatchObject({ unitPrice: 9.35, systemPrice: 5, priceReason: 'Match' });
    expect(more.body.item.priceProof.find(({ step }) => step === 'Manual')).toMatchObject({
      source: office.inside.fullName,
    });
    const history = (await read(quoteId)).events[1];
    expect(history?.changes).toContainEqual({
      field: expect.stringMatching(/^Line 1 .*: Price$/),
      before: '$10.00 per EA',
      after: '$9.35 per EA (Match)',
    });
  });

  test('as a percentage follows the system price; zero and null restore it', async () => {
    const { quoteId, id } = await draftAt(10);
    await put(quoteId, { id, discountPct: 10, priceReason: 'Volume' }, office.inside);
    const more = await put(quoteId, { id, qty: 100 }, office.inside);
    expect(more.body.item).toMatchObject({ unitPrice: 4.5, discountPct: 10 });
    const back = await put(quoteId, { id, discountPct: 0 }, office.inside);
    expect(back.body.item).toMatchObject({ unitPrice: 5, priceSource: 'List', priceReason: '' });
    await put(quoteId, { id, discountAmount: 1, priceReason: 'Volume' }, office.inside);
    const cleared = await put(quoteId, { id, unitPrice: null }, office.inside);
    expect(cleared.body.item).toMatchObject({ unitPrice: 5, priceSource: 'List' });
  });

  test('equal to the system price restores the system price', async () => {
    const { quoteId, id } = await draftAt(10);
    await put(quoteId, { id, unitPrice: 7, priceReason: 'Match' }, office.inside);
    const { body } = await put(quoteId, { id, unitPrice: 10 }, office.inside);
    expect(body.item).toMatchObject({ unitPrice: 10, priceSource: 'List', priceReason: '' });
    expect(body.item.priceProof.map(({ step }) => step)).not.toContain('Manual');
  });

  test('converts when the unit of its line changes', async () => {
    const { quoteId, id } = await draftAt(10);
    await put(quoteId, { id, unitPrice: 9, priceReason: 'Match' }, office.inside);
    const { body } = await put(quoteId, { id, unit: 'BX' }, office.inside);
    expect(body.item).toMatchObject({ unit: 'BX', unitPrice: 90, systemPrice: 100, lineTotal: 360 });
  });

  test('disappears when another item is picked', async () => {
    const { quoteId, id } = await draftAt(10);
    await put(quoteId, { id, unitPrice: 9, priceReason: 'Match' }, office.inside);
    const other = await anItem(server.db, { price: 20 });
    const { body } = await put(quoteId, { id, itemId: other.id }, office.inside);
    expect(body.item).toMatchObject({ itemNumber: other.itemNumber, unitPrice: 20, priceSource: 'List', unit: 'EA' });
  });

  test('may come from a rep too, who sees the approval it would need', async () => {
    const { quoteId, id } = await draftAt(10);
    const { body } = await put(quoteId, { id, discountPct: 12, priceReason: 'Competitor' });
    expect(body.item.unitPrice).toBe(8.8);
    expect(body.approvalNeeded.map(({ text }) => text)).toEqual(['Discount 12% > 5%']);
  });
});

describe('the lines of a quote', () => {
  test('keep their places unless somebody moves them', async () => {
    const item = await anItem(server.db);
    const { quote, items } = await aDraft(
      ['A', 'B', 'C', 'D'].map((description) => ({ itemId: item.id, qty: 1, description })),
    );
    const order = async () => (await read(quote.id)).items.map(({ description }) => description).join('');
    const [a, , , d] = items;
    await put(quote.id, { id: d?.id, lineNo: 2 });
    expect(await order()).toBe('ADBC');
    await put(quote.id, { id: 0, itemId: item.id, qty: 1, description: 'N', lineNo: 1 });
    expect(await order()).toBe('NADBC');
    await put(quote.id, { id: 0, itemId: item.id, qty: 1, description: 'Z', lineNo: 0 });
    expect(await order()).toBe('NADBCZ');
    const all = (await read(quote.id)).items.toReversed().map(({ id }, index) => ({ id, lineNo: index + 1 }));
    const reversed = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      await asJustRead(server.db, { quote: { id: quote.id }, items: all }),
      { as: office.rep },
    );
    expect(reversed.items.map(({ description }) => description).join('')).toBe('ZCBDAN');
    expect(reversed.items.find(({ id }) => id === a?.id)?.version).toBe(1);
    expect(reversed.events[0]?.changes).toEqual([{ field: 'Order of lines', before: '', after: 'changed' }]);
  });

  test('share a quote discount to the cent; the save writes only the lines that change', async () => {
    const item = await anItem(server.db, { price: 3.33 });
    const { quote } = await aDraft(
      [
        { itemId: item.id, qty: 1 },
        { itemId: item.id, qty: 1 },
        { itemId: item.id, qty: 1, optional: true },
      ],
      office.inside,
    );
    const { quote: after, items } = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: quote.id, version: quote.version, discountPct: 10 } },
      { as: office.inside },
    );
    expect(items.map(({ quoteDiscount, lineTotal }) => [quoteDiscount, lineTotal])).toEqual([
      [0.33, 3],
      [0.34, 2.99],
      [0, 3.33],
    ]);
    expect(after.subtotal).toBe(5.99);
    expect(items[0]?.priceProof.at(-2)).toMatchObject({ step: 'Quote discount', amount: 3 });
    expect(items[2]?.priceProof.map(({ step }) => step)).not.toContain('Quote discount');
    expect(items.map(({ version }) => version)).toEqual([1, 1, 1]);
  });

  test('an inactive line stays but does not count', async () => {
    const item = await anItem(server.db, { price: 10 });
    const { quote, items } = await aDraft([
      { itemId: item.id, qty: 2 },
      { itemId: item.id, qty: 1 },
    ]);
    const { body } = await put(quote.id, { id: items[0]?.id, active: false });
    expect(body.quote.totalAmount).toBe(10);
    expect(body.item).toMatchObject({ active: false, lineTotal: 20 });
  });

  test('two people on two lines do not disturb each other; on one line the second gets a conflict', async () => {
    const item = await anItem(server.db);
    const { quote, items } = await aDraft([
      { itemId: item.id, qty: 1 },
      { itemId: item.id, qty: 1 },
    ]);
    const [first, two] = items;
    expect((await put(quote.id, { id: first?.id, version: 1, qty: 2 })).status).toBe(200);
    expect((await put(quote.id, { id: two?.id, version: 1, qty: 2 }, office.inside)).status).toBe(200);
    const stale = await put(quote.id, { id: first?.id, version: 1, qty: 3 }, office.inside);
    expect(stale.status).toBe(409);
    // Names the user who changed this line, not the one who has changed another line since.
    expect(stale.body).toMatchObject({
      conflict: { changedBy: office.rep.fullName, current: { id: first?.id, qty: 2, version: 2 } },
    });
    await put(quote.id, { id: first?.id, remove: true });
    const gone = await put(quote.id, { id: first?.id, version: 2, qty: 3 }, office.inside);
    expect(gone.body).toMatchObject({ status: 409, conflict: { current: null } });
    const concurrent = await Promise.all([4, 5, 6].map((qty) => put(quote.id, { id: two?.id, version: 2, qty })));
    expect(concurrent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
  });

  test('of another quote are not on this one, in every call that names a line', async () => {
    const item = await anItem(server.db);
    const { quote } = await aDraft([{ itemId: item.id, qty: 1 }]);
    const other = await aDraft([{ itemId: item.id, qty: 1 }]);
    const foreign = { id: other.items[0]?.id ?? 0, version: 1, qty: 5 };
    const bulk = { quote: { id: quote.id }, items: [foreign] };
    for (const answer of [
      await put(quote.id, foreign),
      await server.call(QuoteEdit.SaveSalesRepQuote, bulk, { as: office.rep }),
    ])
      expect(answer).toMatchObject({ status: 404, body: { detail: 'This line is not on the quote.' } });
    expect((await read(other.quote.id)).items.map(({ qty }) => qty)).toEqual([1]);
    expect((await read(quote.id)).quote.version).toBe(1);
  });

  test('added by many users at once are all stored, and all in the total', async () => {
    const item = await anItem(server.db, { price: 10 });
    const { quote } = await aDraft([{ itemId: item.id, qty: 1 }]);
    const added = await Promise.all(
      [2, 3, 4, 5, 6, 7].map((qty) => put(quote.id, { itemId: item.id, qty }, qty % 2 ? office.rep : office.inside)),
    );
    expect(added.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const now = await read(quote.id);
    expect(now.items.map(({ lineNo }) => lineNo)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(now.items.map(({ qty }) => qty).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(now.quote).toMatchObject({ totalAmount: 280, version: quote.version + 6 });
  });

  test('are saved only when the quote is in sight and this user may edit it', async () => {
    const item = await anItem(server.db);
    const { quote, items } = await aDraft([{ itemId: item.id, qty: 1 }]);
    const stranger = await aUser(server.db, { roles: ['salesrep'] });
    expect((await put(quote.id, { itemId: item.id, qty: 1 }, stranger)).status).toBe(404);
    const promote = { quoteItemId: items[0]?.id ?? 0, promotionId: null, version: 1 };
    expect(
      (
        await server.call(
          QuoteEdit.ApplyPromotionToQuoteItem,
          { ...promote, quoteItemId: 2_000_000_000 },
          { as: office.inside },
        )
      ).status,
    ).toBe(404);
    await server.db.updateTable('quote').set({ status_id: 'Processing' }).where('id', '=', quote.id).execute();
    expect((await put(quote.id, { id: items[0]?.id, qty: 2 })).status).toBe(403);
    expect((await put(quote.id, { id: items[0]?.id, qty: 2 }, office.manager)).status).toBe(200);
    await server.db.updateTable('quote').set({ status_id: 'Won' }).where('id', '=', quote.id).execute();
    expect((await put(quote.id, { id: items[0]?.id, qty: 3 }, office.inside)).status).toBe(409);
    expect((await server.call(QuoteEdit.ApplyPromotionToQuoteItem, promote, { as: office.inside })).status).toBe(409);
  });
});

test('a new line sent again, because its answer was lost, is one line and one event', async () => {
  const { quote } = await aDraft();
  const line = { clientKey: 'a-key-of-the-screen', itemNumber: 'C-1', description: 'Made to measure', qty: 2 };
  const { body: first } = await put(quote.id, line);
  const { body: again } = await put(quote.id, line);
  expect(again.item.id).toBe(first.item.id);
  const { body: changed } = await put(quote.id, { ...line, qty: 3 });
  expect(changed.item).toMatchObject({ id: first.item.id, qty: 3 });
  const { body: other } = await put(quote.id, { ...line, clientKey: 'another-key' });
  expect(other.item.id).not.toBe(first.item.id);
  const events = await server.db.selectFrom('quote_event').select('action').where('quote_id', '=', quote.id).execute();
  // Created, added, changed, added.
  expect(events).toHaveLength(4);
});
