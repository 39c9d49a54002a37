// Tests the board's store against a real server, without a screen: undo and its order, responses, items of configurators.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpError } from '#platform/api/http-error.ts';
import { Configurator, QuoteConfigurator } from '#addons/configurators/configurator.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { boardOf, type BoardStores, boardStores, line, seenOn } from '#testing/board-stores.server.ts';
import { anItem, aPromotion, aQuoteTemplate } from '#testing/factories/catalog.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import type { BoardStore } from './board-store.ts';

let server: TestServer;
let boards: BoardStores;
beforeAll(async () => {
  server = await startTestServer();
  boards = await boardStores(server);
});
afterAll(() => server.close());

describe('undo', () => {
  test('reverses the newest change, wherever the user made it', async () => {
    const { quoteId, store } = await boards.opened();
    const start = line(store, 0);
    store.changeLine(start, { qty: 7 });
    await store.saveForm({ id: start.id, patch: { notes: 'Ward 3' }, start });
    expect(line(store, 0)).toMatchObject({ qty: 7, notes: 'Ward 3' });
    expect(await store.undo()).toBe('change to line 1');
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
    expect(await boards.storedOf(quoteId)).toEqual(seenOn(store));
  });

  test('a new change clears redo', async () => {
    const { store } = await boards.opened();
    store.changeLine(line(store, 0), { qty: 7 });
    await store.undo();
    expect(boardOf(store).canRedo).toBe(true);
    store.changeQuote({ poNumber: 'PO-1' });
    expect(boardOf(store).canRedo).toBe(false);
    expect(await store.redo()).toBeNull();
  });

  test('older steps still find a line that was removed and came back', async () => {
    const { quoteId, store } = await boards.opened();
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
    expect(await boards.storedOf(quoteId)).toEqual(seenOn(store));
  });

  test('waits for a change in progress; if that fails, undo reverses neither it nor an older one', async () => {
    let held = Promise.withResolvers<null>();
    const { store } = await boards.opened((calls) => ({
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
    const { store } = await boards.opened((calls) => ({
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
    const { store } = await boards.opened();
    store.changeLine(line(store, 0), { qty: 7 });
    await store.saved();
    store.changeLine(line(store, 0), { unit: 'PALLET' });
    await expect(store.saved()).rejects.toThrow('not sold by PALLET');
    store.queue.drop(line(store, 0).id);
    await store.undo();
    await store.saved();
    expect(line(store, 0)).toMatchObject({ qty: 1, unit: 'EA' });
  });

  test('reverses a discount on many lines, a move and a duplicate, and leaves what somebody else added since', async () => {
    const { quoteId, store } = await boards.opened();
    const before = seenOn(store);
    const sources = () => boardOf(store).items.map(({ priceSource }) => priceSource);
    const ids = boardOf(store).items.map(({ id }) => id);
    await store.saveLines(
      ids.map((id) => ({ id, discountPct: 3, priceReason: 'Volume' })),
      'Discount',
    );
    expect(sources()).toEqual(['Manual', 'Manual']);
    expect(await store.undo()).toBe('Discount');
    expect(sources()).toEqual(['List', 'List']);
    expect(await boards.storedOf(quoteId)).toEqual(before);

    await store.saveLines([], 'Order', ids.toReversed());
    expect(boardOf(store).items.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(await store.undo()).toBe('Order');
    expect(await boards.storedOf(quoteId)).toEqual(before);

    await store.saveLines([{ id: 0, itemId: boards.glove.id, qty: 2, unit: 'BX' }], 'Duplicate');
    const custom = {
      type: 'custom',
      itemNumber: 'THEIRS',
      description: 'Of somebody else',
      qty: 1,
      unit: 'EA',
    } as const;
    await server.ok(QuoteEdit.SaveQuoteItem, { id: 0, quoteId, ...custom }, { as: boards.office.cs });
    expect(await store.undo()).toBe('Duplicate');
    expect(boardOf(store).items.map(({ itemNumber }) => itemNumber)).toEqual(['BED', 'GLOVE', 'THEIRS']);
  });

  test('brings a removed line back with its promotion', async () => {
    const promoted = await anItem(server.db, { price: 50 });
    const promotion = await aPromotion(server.db, { itemId: promoted.id, amount: 10 });
    const { quoteId, store } = await boards.opened();
    const added = await store.addLine({ itemId: promoted.id, qty: 1 });
    await store.applyPromotion(added, promotion.id);
    const before = seenOn(store);
    const last = () => boardOf(store).items.at(-1);
    expect(last()).toMatchObject({ priceSource: 'Promotion', promotionId: promotion.id });
    await store.saveLines([{ id: added.id, remove: true }], '1 removed');
    expect(boardOf(store).items).toHaveLength(2);
    expect(await store.undo()).toBe('1 removed');
    expect(last()).toMatchObject({ priceSource: 'Promotion', promotionId: promotion.id });
    expect(await boards.storedOf(quoteId)).toEqual(before);
  });

  test('leaves the changes of others', async () => {
    const { quoteId, store } = await boards.opened();
    await store.saveLines([{ id: 0, type: 'note', description: 'Mine' }], 'Note added');
    const theirs = { id: 0, quoteId, type: 'note' as const, description: 'Theirs' };
    await server.ok(QuoteEdit.SaveQuoteItem, theirs, { as: boards.office.cs });
    await store.undo();
    expect(boardOf(store).items.map(({ description }) => description)).toContain('Theirs');
    expect(boardOf(store).items.map(({ description }) => description)).not.toContain('Mine');
  });

  test.each([1.99, 0.0049])('restores a typed price of %d after another unit', async (unitPrice) => {
    const { quoteId, store } = await boards.opened();
    store.changeLine(line(store, 1), { unitPrice, priceReason: 'Match' });
    await store.saved();
    const states = { undo: seenOn(store), redo: {} };
    store.changeLine(line(store, 1), { unit: 'EA' });
    await store.saved();
    states.redo = seenOn(store);
    for (const step of ['undo', 'redo', 'undo'] as const) {
      await store[step]();
      await store.saved();
      expect(await boards.storedOf(quoteId)).toEqual(states[step]);
    }
    // Until the server has converted the price, it is unknown.
    store.changeLine(line(store, 1), { unit: 'EA' });
    await store.undo();
    await store.redo();
    await store.saved();
    expect(await boards.storedOf(quoteId)).toEqual(states.redo);
  });

  test('restores a price as it was typed, after other units and after the line was removed', async () => {
    const { quoteId, store } = await boards.opened();
    store.changeLine(line(store, 1), { unitPrice: 40.1, priceReason: 'Match' });
    await store.saved();
    for (const unit of ['EA', 'BX', 'EA']) {
      store.changeLine(line(store, 1), { unit });
      await store.saved();
    }
    const typedAs = { price: 40.1, unit: 'BX' };
    expect(line(store, 1)).toMatchObject({ unitPrice: 0.401, typedAs });
    await store.undo();
    await store.undo();
    await store.saved();
    expect(line(store, 1)).toMatchObject({ unit: 'EA', unitPrice: 0.401, typedAs });
    await store.saveLines([{ id: line(store, 1).id, remove: true }], 'Removed');
    await store.undo();
    expect(line(store, 1)).toMatchObject({ unit: 'EA', unitPrice: 0.401, typedAs });
    store.changeLine(line(store, 1), { unit: 'BX' });
    await store.saved();
    expect(line(store, 1)).toMatchObject({ unit: 'BX', unitPrice: 40.1, typedAs: null });
    expect(await boards.storedOf(quoteId)).toEqual(seenOn(store));
  });

  test('restores a typed price or discount after another item or unit', async () => {
    const { quoteId, store } = await boards.opened();
    store.changeLine(line(store, 0), { unitPrice: 7.77, priceReason: 'Match' });
    store.changeLine(line(store, 1), { discountPct: 5, priceReason: 'Volume' });
    await store.saved();
    const start = seenOn(store);
    const [other, gloves] = [line(store, 0), line(store, 1)];
    await store.saveForm({ id: other.id, patch: { itemId: boards.glove.id, unit: 'BX' }, start: other });
    await store.saveForm({ id: gloves.id, patch: { itemId: boards.bed.id, unit: 'EA' }, start: gloves });
    await store.undo();
    await store.undo();
    await store.saved();
    expect(await boards.storedOf(quoteId)).toEqual(start);
    expect(boardOf(store).items.map(({ typedPct }) => typedPct)).toEqual([null, 5]);
  });

  test('restores typed prices, freight and reps after a facility with another currency', async () => {
    const abroad = await aFacility(server.db, { currnIdx: 1009 });
    const { store } = await boards.opened();
    store.changeLine(line(store, 0), { unitPrice: 7.77, priceReason: 'Match' });
    store.changeQuote({ freightAmount: 12.5, csRepId: boards.office.cs.id });
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
    const template = await aQuoteTemplate(server.db, { lines: [{ itemId: boards.glove.id, qty: 3 }] });
    const pickFrom = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];
    type Try = (store: BoardStore, at: number) => Promise<unknown> | void;
    const tries: Record<string, Try> = {
      qty: (store, at) => {
        const item = pickFrom(
          boardOf(store).items.filter(({ type }) => type === 'item'),
          at,
        );
        if (item) store.changeLine(item, { qty: at + 2 });
      },
      price: (store, at) => {
        const item = pickFrom(
          boardOf(store).items.filter(({ type }) => type === 'item'),
          at,
        );
        const unitPrice = Number(((item?.systemPrice ?? 1) * (0.5 + at / 20)).toFixed(4));
        if (item) store.changeLine(item, { unitPrice, priceReason: 'Match' });
      },
      note: async (store, at) => {
        const item = pickFrom(boardOf(store).items, at);
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
        const item = pickFrom(boardOf(store).items, at);
        if (item) await store.saveLines([{ id: item.id, remove: true }], 'removed');
      },
      template: (store) => store.addTemplate({ templateId: template.id, name: 'T', count: 1 }),
      terms: (store, at) => store.changeQuote({ poNumber: `PO-${at}`, discountPct: at }),
    };
    const step = fc.tuple(fc.constantFrom(...Object.keys(tries)), fc.nat(9));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
        const { quoteId, store } = await boards.opened();
        const start = seenOn(store);
        for (const [name, at] of steps) await tries[name]?.(store, at);
        await store.saved();
        const end = seenOn(store);
        while (boardOf(store).canUndo) await store.undo();
        await store.saved();
        expect(seenOn(store)).toEqual(start);
        expect(await boards.storedOf(quoteId)).toEqual(start);
        while (boardOf(store).canRedo) await store.redo();
        await store.saved();
        expect(seenOn(store)).toEqual(end);
        expect(await boards.storedOf(quoteId)).toEqual(end);
      }),
      { numRuns: 8 },
    );
  });
});

describe('answers', () => {
  test('older than the shown state change nothing, and equal lines stay the same objects', async () => {
    const { store } = await boards.opened();
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

test('configurator items are taken over, undone and redone', async () => {
  const { quoteId, store } = await boards.opened();
  const numbers = [(await anItem(server.db)).itemNumber, (await anItem(server.db)).itemNumber];
  const post = (qty: number) =>
    server.ok(
      Configurator.PostConfiguratorItems,
      {
        quoteId,
        configId: 'bed',
        items: numbers.map((itemNumber, index) => ({ position: `${index}`, itemNumber, qty })),
      },
      { as: boards.office.rep },
    );
  const take = (action: 'add' | 'update' | 'remove', position: string) => ({ configId: 'bed', position, action });
  const states = [await boards.storedOf(quoteId)];
  const step = async (items: ReturnType<typeof take>[]) => {
    await store.runStep('2 items', (at) =>
      boards.ask(QuoteConfigurator.SaveDmsItemsToQuote, { items, ...at }, boards.office.rep),
    );
    states.push(await boards.storedOf(quoteId));
  };
  await post(1);
  await step([take('add', '0'), take('add', '1')]);
  await post(4);
  await step([take('update', '0'), take('remove', '1')]);
  for (const state of states.slice(0, -1).toReversed()) {
    await store.undo();
    expect(await boards.storedOf(quoteId)).toEqual(state);
  }
  for (const state of states.slice(1)) {
    await store.redo();
    expect(await boards.storedOf(quoteId)).toEqual(state);
  }
});
