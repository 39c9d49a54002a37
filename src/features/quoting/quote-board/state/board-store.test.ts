// Tests the board's store against a real server, without a screen: undo and its order, and two boards on one quote.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint, InputOf, OutputOf } from '#api/endpoint.ts';
import { HttpError, type Problem } from '#api/http-error.ts';
import { Configurator, QuoteConfigurator } from '#features/quoting/configurator/configurator.contract.ts';
import type { QuoteItem } from '#features/quoting/quote-edit/lines/quote-item.ts';
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { add } from '#shared/money.ts';
import { anItem, aPromotion, aQuoteTemplate } from '#testing/factories/catalogue.server.ts';
import { aFacility, aSalesOffice } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { removalWords } from './marks.ts';
import { type BoardCalls, type BoardStore, boardStore } from './board-store.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
let bed: { id: number };
let glove: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  office = await aSalesOffice(server.db);
  bed = await anItem(server.db, { number: 'BED', price: 6900 });
  glove = await anItem(server.db, {
    number: 'GLOVE',
    units: { EA: 1, BX: 100 },
    prices: [{ unit: 'BX', price: 9.84 }],
  });
});
afterAll(() => server.close());

type Who = { id: number };

async function ask<E extends Endpoint>(endpoint: E, input: InputOf<E>, as: Who): Promise<OutputOf<E>> {
  const { status, body } = await server.call(endpoint, input, { as });
  const { detail = '', conflict } = body as Partial<Problem>;
  if (status !== 200) throw new HttpError(status, detail, conflict ? { conflict } : {});
  return body;
}

/** Opens a user's board on a quote. */
async function aBoardOf(
  quoteId: number,
  as: Who,
  change: (calls: BoardCalls) => Partial<BoardCalls> = () => ({}),
  more: Partial<Parameters<typeof boardStore>[0]> = {},
) {
  const calls: BoardCalls = {
    read: () => ask(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quoteId }, as),
    readChanges: (since) => ask(QuoteEdit.GetQuoteChanges, { quoteId, since, internal: true }, as),
    readActivity: () => ask(QuoteEdit.GetQuoteActivity, { quoteId, internal: true }, as),
    saveQuote: (input) => ask(QuoteEdit.SaveSalesRepQuote, input, as),
    saveLine: (input) => ask(QuoteEdit.SaveQuoteItem, input, as),
    applyPromotion: (input) => ask(QuoteEdit.ApplyPromotionToQuoteItem, input, as),
    addTemplate: (input) => ask(QuoteEdit.SaveQuoteTemplateForQuote, input, as),
    takeConfigured: (input) => ask(QuoteConfigurator.SaveDmsItemsToQuote, input, as),
  };
  const store = boardStore({
    quoteId,
    view: 'internal',
    calls: { ...calls, ...change(calls) },
    keep: () => {},
    ...more,
  });
  await store.reload();
  return store;
}

/** Makes a quote of a bed and a box of gloves, and opens the board of an internal user on it. */
async function opened(change?: Parameters<typeof aBoardOf>[2]) {
  const made = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    {
      quote: { facilityId: office.facility.id },
      items: [
        { itemId: bed.id, qty: 1 },
        { itemId: glove.id, qty: 2, unit: 'BX' },
      ],
    },
    { as: office.inside },
  );
  return { quoteId: made.quote.id, store: await aBoardOf(made.quote.id, office.inside, change) };
}

const boardOf = (store: BoardStore) => {
  const { board } = store.snapshot();
  if (!board) throw new Error('the quote is read');
  return board;
};
const line = (store: BoardStore, at: number): QuoteItem => {
  const item = boardOf(store).items[at];
  if (!item) throw new Error(`there is a line ${at}`);
  return item;
};
/** The visible lines and some fields of the quote. */
const seenOn = (store: BoardStore) => {
  const { items, quote } = boardOf(store);
  return {
    lines: items.map(({ itemNumber, description, qty, unit, notes, unitPrice, priceReason, optional, promotionId }) =>
      [itemNumber, description, qty, unit, notes, unitPrice, priceReason, optional, promotionId].join(' | '),
    ),
    quote: [quote.poNumber, quote.discountPct, quote.totalAmount],
  };
};
/** The same fields as stored on the server. */
const storedOf = async (quoteId: number) => seenOn(await aBoardOf(quoteId, office.inside));

describe('undo', () => {
  test('reverses the newest change, wherever the user made it', async () => {
    const { quoteId, store } = await opened();
    const start = line(store, 0);
    store.changeLine(start, { qty: 7 });
    await store.saveForm({ id: start.id, patch: { notes: 'Ward 3' }, start });
    expect(line(store, 0)).toMatchObject({ qty: 7, notes: 'Ward 3' });
    expect(await store.undo()).toBe('Line 1');
    await store.saved();
    expect(line(store, 0)).toMatchObject({ qty: 7, notes: '' });
    await store.undo();
    await store.saved();
    expect(line(store, 0)).toMatchObject({ qty: 1, notes: '' });
    expect(boardOf(store)).toMatchObject({ canUndo: false, canRedo: true });
    await store.redo();
    await store.redo();
    await store.saved();
    expect(line(store, 0)).toMatchObject({ qty: 7, notes: 'Ward 3' });
    expect(boardOf(store).canRedo).toBe(false);
    expect(await storedOf(quoteId)).toEqual(seenOn(store));
  });

  test('a new change clears redo', async () => {
    const { store } = await opened();
    store.changeLine(line(store, 0), { qty: 7 });
    await store.undo();
    expect(boardOf(store).canRedo).toBe(true);
    store.changeQuote({ poNumber: 'PO-1' });
    expect(boardOf(store).canRedo).toBe(false);
    expect(await store.redo()).toBeNull();
  });

  test('older steps still find a line that was removed and came back', async () => {
    const { quoteId, store } = await opened();
    const before = seenOn(store);
    store.changeLine(line(store, 0), { qty: 7 });
    await store.saveLines([{ id: line(store, 0).id, remove: true }], '1 removed');
    expect(boardOf(store).items).toHaveLength(1);
    await Promise.all([store.undo(), store.undo()]);
    await store.saved();
    expect(seenOn(store)).toEqual(before);
    await store.redo();
    await store.redo();
    await store.saved();
    expect(seenOn(store).lines).toHaveLength(1);
    expect(await storedOf(quoteId)).toEqual(seenOn(store));
  });

  test('waits for a change in progress; if that fails, undo reverses neither it nor an older one', async () => {
    let held = Promise.withResolvers<null>();
    const { store } = await opened((calls) => ({
      saveQuote: async (input) => {
        await held.promise;
        return calls.saveQuote(input);
      },
    }));
    const before = seenOn(store);
    store.changeLine(line(store, 0), { qty: 7 });
    const changed = seenOn(store);
    const removal = () => store.saveLines([{ id: line(store, 1).id, remove: true }], '1 removed');
    const removing = removal();
    const undone = store.undo();
    held.resolve(null);
    await removing;
    expect(await undone).toBe('1 removed');
    expect(seenOn(store).lines).toEqual(changed.lines);

    held = Promise.withResolvers();
    const failing = removal();
    const nothing = store.undo();
    held.reject(new HttpError(0, 'The server cannot be reached.'));
    await expect(failing).rejects.toThrow('cannot be reached');
    expect(await nothing).toBeNull();
    expect(seenOn(store).lines).toEqual(changed.lines);
    held.promise.catch(() => {});
    await store.undo();
    await store.saved();
    expect(seenOn(store).lines).toEqual(before.lines);
  });

  test('can be tried again after a network failure', async () => {
    let isDown = false;
    const { store } = await opened((calls) => ({
      saveQuote: (input) =>
        isDown ? Promise.reject(new HttpError(0, 'The server cannot be reached.')) : calls.saveQuote(input),
    }));
    await store.saveLines([{ id: 0, type: 'note', description: 'Deliver in May' }], 'Note added');
    isDown = true;
    await expect(store.undo()).rejects.toThrow('cannot be reached');
    expect(boardOf(store)).toMatchObject({ canUndo: true, canRedo: false });
    isDown = false;
    expect(await store.undo()).toBe('Note added');
    expect(boardOf(store).items).toHaveLength(2);
  });

  test('skips a refused change that the user gave up', async () => {
    const { store } = await opened();
    store.changeLine(line(store, 0), { qty: 7 });
    await store.saved();
    store.changeLine(line(store, 0), { unit: 'PALLET' });
    await expect(store.saved()).rejects.toThrow('not sold by PALLET');
    store.queue.drop(line(store, 0).id);
    await store.undo();
    await store.saved();
    expect(line(store, 0)).toMatchObject({ qty: 1, unit: 'EA' });
  });

  test('leaves the changes of others', async () => {
    const { quoteId, store } = await opened();
    await store.saveLines([{ id: 0, type: 'note', description: 'Mine' }], 'Note added');
    const theirs = { id: 0, quoteId, type: 'note' as const, description: 'Theirs' };
    await server.ok(QuoteEdit.SaveQuoteItem, theirs, { as: office.cs });
    await store.undo();
    expect(boardOf(store).items.map(({ description }) => description)).toContain('Theirs');
    expect(boardOf(store).items.map(({ description }) => description)).not.toContain('Mine');
  });

  test.each([1.99, 0.0049])('restores a typed price of %d after another unit', async (unitPrice) => {
    const { quoteId, store } = await opened();
    store.changeLine(line(store, 1), { unitPrice, priceReason: 'Match' });
    await store.saved();
    const states = { undo: seenOn(store), redo: {} };
    store.changeLine(line(store, 1), { unit: 'EA' });
    await store.saved();
    states.redo = seenOn(store);
    for (const step of ['undo', 'redo', 'undo'] as const) {
      await store[step]();
      await store.saved();
      expect(await storedOf(quoteId)).toEqual(states[step]);
    }
    // Before the server has converted the price, nobody knows it.
    store.changeLine(line(store, 1), { unit: 'EA' });
    await store.undo();
    await store.redo();
    await store.saved();
    expect(await storedOf(quoteId)).toEqual(states.redo);
  });

  test('restores a typed price or discount after another item or unit', async () => {
    const { quoteId, store } = await opened();
    store.changeLine(line(store, 0), { unitPrice: 7.77, priceReason: 'Match' });
    store.changeLine(line(store, 1), { discountPct: 5, priceReason: 'Volume' });
    await store.saved();
    const start = seenOn(store);
    const [other, gloves] = [line(store, 0), line(store, 1)];
    await store.saveForm({ id: other.id, patch: { itemId: glove.id, unit: 'BX' }, start: other });
    await store.saveForm({ id: gloves.id, patch: { itemId: bed.id, unit: 'EA' }, start: gloves });
    await store.undo();
    await store.undo();
    await store.saved();
    expect(await storedOf(quoteId)).toEqual(start);
    expect(boardOf(store).items.map(({ typedPct }) => typedPct)).toEqual([null, 5]);
  });

  test('restores typed prices, freight and reps after a facility with another currency', async () => {
    const abroad = await aFacility(server.db, { currnIdx: 1009 });
    const { store } = await opened();
    store.changeLine(line(store, 0), { unitPrice: 7.77, priceReason: 'Match' });
    store.changeQuote({ freightAmount: 12.5, csRepId: office.cs.id });
    await store.saved();
    const terms = () => {
      const { quote } = boardOf(store);
      return [quote.currnIdx, quote.freightAmount, quote.csRepId, quote.facilityId, seenOn(store)];
    };
    const start = terms();
    store.changeQuote({ facilityId: abroad.id });
    await store.saved();
    const there = terms();
    expect(there.slice(0, 3)).toEqual([1009, 0, null]);
    await store.undo();
    expect(terms()).toEqual(start);
    await store.redo();
    expect(terms()).toEqual(there);
  });

  test('reverses everything step by step, and redo repeats it: prices, promotions, sections, order, templates, terms', async () => {
    const promoted = await anItem(server.db, { price: 50 });
    const promotion = await aPromotion(server.db, { itemId: promoted.id, amount: 10 });
    const template = await aQuoteTemplate(server.db, { lines: [{ itemId: glove.id, qty: 3 }] });
    const some = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
    type Try = (store: BoardStore, at: number) => Promise<unknown> | void;
    const tries: Record<string, Try> = {
      qty: (store, at) => {
        const item = some(
          boardOf(store).items.filter(({ type }) => type === 'item'),
          at,
        );
        if (item) store.changeLine(item, { qty: at + 2 });
      },
      price: (store, at) => {
        const item = some(
          boardOf(store).items.filter(({ type }) => type === 'item'),
          at,
        );
        const unitPrice = Number(((item?.systemPrice ?? 1) * (0.5 + at / 20)).toFixed(4));
        if (item) store.changeLine(item, { unitPrice, priceReason: 'Match' });
      },
      note: async (store, at) => {
        const item = some(boardOf(store).items, at);
        if (item) await store.saveForm({ id: item.id, patch: { notes: `note ${at}` }, start: item });
      },
      add: (store) => store.addLine({ itemId: promoted.id, qty: 1 }),
      promote: async (store) => {
        const item = boardOf(store).items.find(
          ({ itemId, priceSource }) => itemId === promoted.id && priceSource === 'List',
        );
        if (item) await store.applyPromotion(item, promotion.id);
      },
      discount: (store) =>
        store.saveLines(
          boardOf(store)
            .items.filter(({ type }) => type === 'item')
            .map(({ id }) => ({ id, discountPct: 5, priceReason: 'Volume' })),
          'discount',
        ),
      section: (store, at) =>
        store.saveLines([{ id: 0, type: 'section', description: 'S', lineNo: 1 + at }], 'section'),
      order: (store) =>
        store.saveLines(
          [],
          'order',
          boardOf(store)
            .items.map(({ id }) => id)
            .toReversed(),
        ),
      remove: async (store, at) => {
        const item = some(boardOf(store).items, at);
        if (item) await store.saveLines([{ id: item.id, remove: true }], 'removed');
      },
      template: (store) => store.addTemplate({ templateId: template.id, name: 'T', count: 1 }),
      terms: (store, at) => store.changeQuote({ poNumber: `PO-${at}`, discountPct: at }),
    };
    const step = fc.tuple(fc.constantFrom(...Object.keys(tries)), fc.nat(9));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
        const { quoteId, store } = await opened();
        const start = seenOn(store);
        for (const [name, at] of steps) await tries[name]?.(store, at);
        await store.saved();
        const end = seenOn(store);
        while (boardOf(store).canUndo) await store.undo();
        await store.saved();
        expect(seenOn(store)).toEqual(start);
        expect(await storedOf(quoteId)).toEqual(start);
        while (boardOf(store).canRedo) await store.redo();
        await store.saved();
        expect(seenOn(store)).toEqual(end);
        expect(await storedOf(quoteId)).toEqual(end);
      }),
      { numRuns: 8 },
    );
  });
});

describe('answers', () => {
  test('older than the shown state change nothing, and equal lines stay the same objects', async () => {
    const { store } = await opened();
    const old = boardOf(store).data;
    store.changeLine(line(store, 0), { qty: 7 });
    await store.saved();
    const [first, second] = boardOf(store).items;
    expect(second).toBe(old.items[1]);
    store.receive(old);
    expect(boardOf(store).items[0]).toBe(first);
    await store.reload();
    expect(boardOf(store).items[0]).toBe(first);
    expect(boardOf(store).items[1]).toBe(second);
  });
});

describe('two boards on one quote', () => {
  const addsUp = (store: BoardStore) => {
    const { items, quote } = boardOf(store);
    expect(add(...items.map(({ lineTotal }) => lineTotal))).toBe(quote.subtotal);
  };
  const marksOn = (store: BoardStore) =>
    [...boardOf(store).marks].map(([id, { actor }]) => [
      boardOf(store).items.find((item) => item.id === id)?.itemNumber,
      actor,
    ]);

  test('a save brings and marks what the other changed, and lines and total agree', async () => {
    const { quoteId, store: mine } = await opened();
    const theirs = await aBoardOf(quoteId, office.cs);
    theirs.changeLine(line(theirs, 0), { qty: 3 });
    await theirs.saved();
    mine.changeLine(line(mine, 1), { qty: 20 });
    await mine.saved();
    expect(boardOf(mine).items.map(({ qty }) => qty)).toEqual([3, 20]);
    expect(marksOn(mine)).toEqual([['BED', office.cs.fullName]]);
    addsUp(mine);
    // The user's next change means that they have seen it.
    mine.changeQuote({ poNumber: 'PO-1' });
    await mine.saved();
    expect(marksOn(mine)).toEqual([]);
    await theirs.catchUp();
    expect(boardOf(theirs).items.map(({ qty }) => qty)).toEqual([3, 20]);
    expect(boardOf(theirs).quote.poNumber).toBe('PO-1');
    expect(marksOn(theirs)).toEqual([['GLOVE', office.inside.fullName]]);
    addsUp(theirs);
    theirs.look(line(theirs, 1).id);
    expect(marksOn(theirs)).toEqual([]);
    await theirs.catchUp();
    expect(marksOn(theirs)).toEqual([]);
  });

  test.each<[string, (store: BoardStore) => Promise<unknown>]>([
    ['a new line', (store) => store.addLine({ itemId: glove.id, qty: 1 })],
    ['many lines', (store) => store.saveLines([{ id: 0, type: 'note', description: 'Mine' }], 'Note added')],
    ['a form', (store) => store.saveForm({ id: line(store, 1).id, patch: { notes: 'Mine' }, start: line(store, 1) })],
    [
      'the discount of the quote',
      async (store) => {
        store.changeQuote({ discountPct: 5 });
        await store.saved();
      },
    ],
  ])('so does %s, which gets no mark itself', async (_name, change) => {
    const { quoteId, store } = await opened();
    const theirs = await aBoardOf(quoteId, office.cs);
    theirs.changeLine(line(theirs, 0), { qty: 3 });
    await theirs.saved();
    await change(store);
    expect(line(store, 0).qty).toBe(3);
    expect(marksOn(store)).toEqual([['BED', office.cs.fullName]]);
    expect(seenOn(store)).toEqual(await storedOf(quoteId));
  });

  test('a line that somebody removed is named, and one that they added is marked', async () => {
    const gone: string[] = [];
    const { quoteId } = await opened();
    const mine = await aBoardOf(quoteId, office.inside, undefined, {
      onRemoved: (removed) => gone.push(...removed.map(removalWords)),
    });
    const theirs = await aBoardOf(quoteId, office.cs);
    const bedLine = line(theirs, 0).id;
    await theirs.saveLines([{ id: bedLine, remove: true }], '1 removed');
    await theirs.addLine({ itemId: bed.id, qty: 2 });
    await mine.catchUp();
    expect(gone).toEqual([`${office.cs.fullName} removed line 1 (BED).`]);
    expect(marksOn(mine)).toEqual([['BED', office.cs.fullName]]);
    addsUp(mine);
    // Whoever still has it selected is told, and a removal of several lines leaves out what is gone.
    for (const wish of [{ qty: 9 }, { remove: true }])
      await expect(mine.saveLines([{ id: bedLine, ...wish }], 'Lines')).rejects.toThrow('no longer on the quote');
    const both = [bedLine, line(mine, 0).id].map((id) => ({ id, remove: true }));
    await mine.saveLines(both, '2 removed');
    expect(boardOf(mine).items.map(({ itemNumber }) => itemNumber)).toEqual(['BED']);
  });

  test('both change the same field of a line: both values are offered, and neither is lost', async () => {
    const { quoteId, store: mine } = await opened();
    const theirs = await aBoardOf(quoteId, office.cs);
    const seen = line(mine, 0);
    theirs.changeLine(line(theirs, 0), { qty: 3 });
    await theirs.saved();
    // Changes that arrive during typing are not what the user saw when they began.
    await mine.catchUp();
    mine.changeLine(seen, { qty: 5 });
    await expect(mine.saved()).rejects.toThrow('changed this in the meantime');
    const [entry] = boardOf(mine).pending;
    expect(entry).toMatchObject({ state: 'conflict', patch: { qty: 5 } });
    mine.queue.resolve(seen.id, ['qty'], { ...boardOf(mine).data.items[0] });
    await mine.saved();
    expect((await storedOf(quoteId)).lines[0]).toContain(' | 5 | EA');
  });
});

test('configurator items are taken over, undone and redone', async () => {
  const { quoteId, store } = await opened();
  const numbers = [(await anItem(server.db)).itemNumber, (await anItem(server.db)).itemNumber];
  const post = (qty: number) =>
    server.ok(
      Configurator.PostConfiguratorItems,
      {
        quoteId,
        configId: 'bed',
        items: numbers.map((itemNumber, index) => ({ position: `${index}`, itemNumber, qty })),
      },
      { as: office.rep },
    );
  const take = (action: 'add' | 'update' | 'remove', position: string) => ({ configId: 'bed', position, action });
  const states = [await storedOf(quoteId)];
  const step = async (items: ReturnType<typeof take>[]) => {
    await store.takeConfigured({ items });
    states.push(await storedOf(quoteId));
  };
  await post(1);
  await step([take('add', '0'), take('add', '1')]);
  await post(4);
  await step([take('update', '0'), take('remove', '1')]);
  for (const state of states.slice(0, -1).toReversed()) {
    await store.undo();
    expect(await storedOf(quoteId)).toEqual(state);
  }
  for (const state of states.slice(1)) {
    await store.redo();
    expect(await storedOf(quoteId)).toEqual(state);
  }
});
