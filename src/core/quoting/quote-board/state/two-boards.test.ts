// Tests two boards on one quote against a real server: what one saves reaches the other, marked, and no typed input is lost.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionName } from '#core/quoting/quotes/actions.ts';
import { clashes } from '#core/quoting/quote-edit/settle/quote-merge.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { conflictOf } from '#platform/shared/conflict.ts';
import { add } from '#platform/shared/money.ts';
import { type BoardStores, boardOf, boardStores, line, seenOn } from '#testing/board-stores.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import type { BoardStore } from './board-store.ts';
import { removalWords } from './marks.ts';

let server: TestServer;
let boards: BoardStores;
beforeAll(async () => {
  server = await startTestServer();
  boards = await boardStores(server);
});
afterAll(() => server.close());

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
  const { quoteId, store: mine } = await boards.opened();
  const theirs = await boards.aBoardOf(quoteId, boards.office.cs);
  theirs.changeLine(line(theirs, 0), { qty: 3 });
  await theirs.saved();
  mine.changeLine(line(mine, 1), { qty: 20 });
  await mine.saved();
  expect(boardOf(mine).items.map(({ qty }) => qty)).toEqual([3, 20]);
  expect(marksOn(mine)).toEqual([['BED', boards.office.cs.fullName]]);
  addsUp(mine);
  // The user's next change means that they have seen it.
  mine.changeQuote({ poNumber: 'PO-1' });
  await mine.saved();
  expect(marksOn(mine)).toEqual([]);
  await theirs.catchUp();
  expect(boardOf(theirs).items.map(({ qty }) => qty)).toEqual([3, 20]);
  expect(boardOf(theirs).quote.poNumber).toBe('PO-1');
  expect(marksOn(theirs)).toEqual([['GLOVE', boards.office.inside.fullName]]);
  addsUp(theirs);
  theirs.look(line(theirs, 1).id);
  expect(marksOn(theirs)).toEqual([]);
  await theirs.catchUp();
  expect(marksOn(theirs)).toEqual([]);
});

test.each<[string, (store: BoardStore) => Promise<unknown>]>([
  ['a new line', (store) => store.addLine({ itemId: boards.glove.id, qty: 1 })],
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
  const { quoteId, store } = await boards.opened();
  const theirs = await boards.aBoardOf(quoteId, boards.office.cs);
  theirs.changeLine(line(theirs, 0), { qty: 3 });
  await theirs.saved();
  await change(store);
  expect(line(store, 0).qty).toBe(3);
  expect(marksOn(store)).toEqual([['BED', boards.office.cs.fullName]]);
  expect(seenOn(store)).toEqual(await boards.storedOf(quoteId));
});

test('a line that somebody removed is named, and one that they added is marked', async () => {
  const gone: string[] = [];
  const { quoteId } = await boards.opened();
  const mine = await boards.aBoardOf(quoteId, boards.office.inside, undefined, {
    onRemoved: (removed) => gone.push(...removed.map(removalWords)),
  });
  const theirs = await boards.aBoardOf(quoteId, boards.office.cs);
  const bedLine = line(theirs, 0).id;
  await theirs.saveLines([{ id: bedLine, remove: true }], '1 removed');
  await theirs.addLine({ itemId: boards.bed.id, qty: 2 });
  await mine.catchUp();
  expect(gone).toEqual([`${boards.office.cs.fullName} removed line 1 (BED).`]);
  expect(marksOn(mine)).toEqual([['BED', boards.office.cs.fullName]]);
  addsUp(mine);
  // A change to the removed line is refused, and a removal of several lines skips it.
  for (const wish of [{ qty: 9 }, { remove: true }])
    await expect(mine.saveLines([{ id: bedLine, ...wish }], 'Lines')).rejects.toThrow('no longer on the quote');
  const both = [bedLine, line(mine, 0).id].map((id) => ({ id, remove: true }));
  await mine.saveLines(both, '2 removed');
  expect(boardOf(mine).items.map(({ itemNumber }) => itemNumber)).toEqual(['BED']);
});

test('both change the same field of a line: both values are offered, and neither is lost', async () => {
  const { quoteId, store: mine } = await boards.opened();
  const theirs = await boards.aBoardOf(quoteId, boards.office.cs);
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
  expect((await boards.storedOf(quoteId)).lines[0]).toContain(' | 5 | EA');
});

test('changes of two people to different fields merge; only the same field of the quote asks, and theirs can be taken', async () => {
  const { quoteId, store: mine } = await boards.opened();
  const theirs = await boards.aBoardOf(quoteId, boards.office.cs);
  const bed = line(theirs, 0);
  await theirs.saveForm({ id: bed.id, patch: { notes: 'Rush' }, start: bed });
  mine.changeLine(line(mine, 0), { qty: 3 });
  await mine.saved();
  expect(line(mine, 0)).toMatchObject({ qty: 3, notes: 'Rush' });

  theirs.changeQuote({ poNumber: 'PO-theirs' });
  await theirs.saved();
  mine.changeQuote({ customerReference: 'REF-mine' });
  await mine.saved();
  expect(boardOf(mine).quote).toMatchObject({ poNumber: 'PO-theirs', customerReference: 'REF-mine' });

  await theirs.catchUp();
  theirs.changeQuote({ poNumber: 'PO-2', customerReference: 'REF-theirs' });
  await theirs.saved();
  mine.changeQuote({ poNumber: 'PO-mine', phone: '555-0100' });
  await expect(mine.saved()).rejects.toThrow('in the meantime');
  const entry = boardOf(mine).pending.find(({ state }) => state === 'conflict');
  const conflict = conflictOf(entry?.error);
  if (!entry || !conflict) throw new Error('the board asks');
  expect(conflict.changedBy).toBe(boards.office.cs.fullName);
  expect(clashes(entry, conflict.current)).toEqual(['poNumber']);
  await mine.reload();
  mine.queue.resolve('quote', ['phone'], conflict.current);
  await mine.saved();
  const stored = { poNumber: 'PO-2', phone: '555-0100', customerReference: 'REF-theirs' };
  expect(boardOf(mine).quote).toMatchObject(stored);
  await theirs.catchUp();
  expect(boardOf(theirs).quote).toMatchObject(stored);
});

test('a change after somebody moved the quote is refused with who did and where to, stays typed, and can be dropped', async () => {
  const { quoteId, store } = await boards.opened();
  const { version } = (await store.saved()).quote;
  const { rep } = boards.office;
  await server.ok(QuoteWorkflow.PerformWorkflowAction, { quoteId, action: 'Submit', version }, { as: rep });
  const { id } = line(store, 0);
  store.changeLine(line(store, 0), { qty: 7 });
  const refusal = `${rep.fullName} submitted the quote. This quote is waiting to be processed`;
  await expect(store.saved()).rejects.toThrow(refusal);
  expect(boardOf(store).pending).toMatchObject([{ target: id, state: 'failed', patch: { qty: 7 } }]);
  expect(line(store, 0).qty).toBe(7);
  await store.reload();
  expect(boardOf(store).quote.statusId).toBe('WaitingForProcess');
  store.queue.drop(id);
  expect(boardOf(store).pending).toEqual([]);
  expect(line(store, 0).qty).toBe(1);
});

test('undo takes back no change of somebody else, whether it was read or came with a save', async () => {
  const { quoteId, store: mine } = await boards.opened();
  const theirs = await boards.aBoardOf(quoteId, boards.office.cs);
  const change = async (store: BoardStore, at: number, qty: number) => {
    store.changeLine(line(store, at), { qty });
    await store.saved();
  };
  const step = async (which: 'undo' | 'redo') => {
    const done = await mine[which]();
    await mine.saved();
    return done;
  };
  const quantities = () => boardOf(mine).items.map(({ qty }) => qty);
  await change(mine, 0, 5);
  await change(mine, 1, 20);
  await theirs.catchUp();
  await change(theirs, 0, 7);
  await mine.catchUp();
  await step('undo');
  expect(quantities()).toEqual([7, 2]);
  expect(boardOf(mine).canUndo).toBe(false);
  expect(await step('undo')).toBeNull();
  // What was undone can still be redone, because no other user changed that line.
  await step('redo');
  expect(quantities()).toEqual([7, 20]);
  await theirs.catchUp();
  await change(theirs, 1, 30);
  await change(mine, 0, 8);
  expect(quantities()).toEqual([8, 30]);
  await step('undo');
  expect(quantities()).toEqual([7, 30]);
  expect(boardOf(mine).canUndo).toBe(false);
});

test('each step of another user is announced, and what it locks and allows follows', async () => {
  const messages: string[] = [];
  const { quoteId, store: theirs } = await boards.opened();
  const mine = await boards.aBoardOf(quoteId, boards.office.cs, undefined, {
    onMoved: (words) => messages.push(words),
  });
  const { fullName } = boards.office.inside;
  const step = async (action: ActionName, comment: string | null = null) => {
    const { version } = (await theirs.saved()).quote;
    const input = { quoteId, action, version, comment };
    theirs.receive(await server.ok(QuoteWorkflow.PerformWorkflowAction, input, { as: boards.office.inside }));
    await mine.catchUp();
    return boardOf(mine).data;
  };
  const { allowedActions } = await step('StartProcess');
  expect(messages).toEqual([`${fullName} moved this quote to Processing.`]);
  expect(allowedActions.map(({ action }) => action)).toContain('Send');
  // A change without a status move is not a step.
  theirs.changeLine(line(theirs, 0), { discountPct: 60, priceReason: 'Match' });
  await theirs.saved();
  await mine.catchUp();
  const request = await step('RequestApproval', 'Please');
  expect(messages.slice(1)).toEqual([
    `${fullName} requested approval. Lines and prices are locked until the request is decided.`,
  ]);
  expect(request.editable.commercial).toBe(false);
  expect(request.allowedActions.map(({ action }) => action)).not.toContain('Send');
  const recalled = await step('RecallApproval');
  expect(messages.slice(2)).toEqual([`${fullName} recalled the request for approval.`]);
  expect(recalled.editable.commercial).toBe(true);
});
