// Tests that cached lines make no visible difference: quotes saved line by line, by two servers, equal those saved by servers without a cache.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QuoteEdit, type QuoteEditData } from '../quote-edit.contract.ts';
import { rememberedLines } from './line-cache.server.ts';
import type { QuoteItemInput } from './quote-item.ts';

const { server, office, aDraft, read } = await startOffice();
// The cache belongs to the database object that a server has opened, so a server on a copy has its own cache.
const other = await startTestServer({ database: { ...server.services.database, close: async () => {} } });
afterAll(async () => {
  await other.close();
  await server.close();
});

const LINES = 60;
let items: { id: number }[] = [];
beforeAll(async () => {
  items = await Promise.all(
    Array.from({ length: 6 }, (_, index) => anItem(server.db, { price: 7.77 * (index + 1), cost: 5 * (index + 1) })),
  );
});

const itemAt = (index: number) => items[index % items.length]?.id ?? 0;
const aLongDraft = async () =>
  (await aDraft(Array.from({ length: LINES }, (_, index) => ({ itemId: itemAt(index), qty: (index % 5) + 1 })))).quote
    .id;
const asInside = { as: office.inside };

/** What a board shows of a quote, without the parts that differ between two quotes with the same content. */
function comparable({ quote, items: lines, allowedActions, approvalNeeded }: QuoteEditData) {
  const {
    id: _id,
    num: _num,
    number: _number,
    createdAt: _made,
    updatedAt: _changed,
    ...content
  } = quote as QuoteEditData['quote'] & Record<string, unknown>;
  const place = new Map(lines.map((line) => [line.id, line.lineNo]));
  return {
    content,
    lines: lines.map(({ id, quoteId: _quoteId, parentId, ...line }) => ({
      ...line,
      id: place.get(id),
      parentId: place.get(parentId ?? 0),
    })),
    allowedActions,
    approvalNeeded,
  };
}

type Saved = OutputOf<typeof QuoteEdit.SaveQuoteItem>;
const aboutQuote = ({ status, body }: { status: number; body: Saved }) =>
  status === 200
    ? { quote: body.quote, approvalNeeded: body.approvalNeeded, allowedActions: body.allowedActions }
    : null;
/** What a save must have returned about the quote that is read after it. */
const answered = (saved: Saved, { quote, approvalNeeded, allowedActions }: QuoteEditData) => ({
  quote: Object.fromEntries(Object.keys(saved.quote).map((name) => [name, quote[name as keyof typeof quote]])),
  approvalNeeded,
  allowedActions,
});

type Deed =
  | { kind: 'add'; item: number; qty: number; optional: boolean }
  | { kind: 'change'; at: number; qty: number }
  | { kind: 'price'; at: number; discountPct: number }
  | { kind: 'remove'; at: number }
  | { kind: 'wrong'; at: number }
  | { kind: 'discount'; pct: number }
  | { kind: 'behind'; at: number; qty: number };

const at = fc.nat(LINES - 20);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      item: fc.nat(5),
      qty: fc.integer({ min: 1, max: 9 }),
      optional: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('change' as const), at, qty: fc.integer({ min: 1, max: 99 }) }),
  },
  fc.record({ kind: fc.constant('price' as const), at, discountPct: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ kind: fc.constant('remove' as const), at }),
  fc.record({ kind: fc.constant('wrong' as const), at }),
  fc.record({ kind: fc.constant('discount' as const), pct: fc.nat(9) }),
  fc.record({ kind: fc.constant('behind' as const), at, qty: fc.integer({ min: 1, max: 99 }) }),
);

/** The line that an action sends for a quote in this state. Null when the action is not a line. */
function lineOf(input: Deed, { items: lines }: QuoteEditData): QuoteItemInput | null {
  if (input.kind === 'add') return { id: 0, itemId: itemAt(input.item), qty: input.qty, optional: input.optional };
  if (input.kind === 'discount' || input.kind === 'behind') return null;
  const line = lines[input.at];
  const which = { id: line?.id ?? 0, version: line?.version ?? 0 };
  if (input.kind === 'remove') return { ...which, remove: true };
  if (input.kind === 'wrong') return { ...which, qty: 0 };
  if (input.kind === 'change') return { ...which, qty: input.qty };
  return { ...which, discountPct: input.discountPct, priceReason: 'Asked for' };
}

let proven = 0;

/** Does the same to a quote line by line and to its twin as a whole. Returns the actual and the expected response of the save. */
async function step(by: TestServer, nextDeed: Deed, [quoteId, twinId]: [number, number]): Promise<[unknown, unknown]> {
  const [now, twin] = [await read(quoteId), await read(twinId)];
  const [line, twinLine] = [lineOf(nextDeed, now), lineOf(nextDeed, twin)];
  if (line && twinLine) {
    if (rememberedLines(by.services, quoteId)) proven++;
    const saved = await by.call(QuoteEdit.SaveQuoteItem, { quoteId, ...line }, asInside);
    const whole = await server.call(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: twinId }, items: [twinLine] },
      asInside,
    );
    const right = whole.status === 200 ? answered(saved.body, await read(quoteId)) : null;
    return [aboutQuote(saved), right];
  }
  for (const { quote, items: lines } of [now, twin]) {
    if (nextDeed.kind === 'discount') {
      const header = { id: quote.id, version: quote.version, discountPct: nextDeed.pct, discountReason: 'Asked for' };
      await by.ok(QuoteEdit.SaveSalesRepQuote, { quote: header, items: [] }, asInside);
    } else if (nextDeed.kind === 'behind') {
      await sql`update quote_item set qty = ${nextDeed.qty}, line_total = unit_price * ${nextDeed.qty}, quote_discount = 0
        where id = ${lines[nextDeed.at]?.id ?? 0}`.execute(server.db);
    }
  }
  return [null, null];
}

test('any saves by two servers, and writes behind their backs, leave what whole saves without a memory leave', async () => {
  const steps = fc.array(fc.tuple(deed, fc.boolean()), { minLength: 4, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(steps, async (input) => {
      const twins: [number, number] = [await aLongDraft(), await aLongDraft()];
      for (const [first, elsewhere] of input) {
        const [got, right] = await step(elsewhere ? other : server, first, twins);
        expect(got).toEqual(right);
        expect(comparable(await read(twins[0]))).toEqual(comparable(await read(twins[1])));
      }
    }),
    { numRuns: Number(process.env['LINE_MEMORY_RUNS'] ?? 6) },
  );
  expect(proven).toBeGreaterThan(0);
}, 600_000);

test('lines that two servers add at once are all there, and add up', async () => {
  const quoteId = await aLongDraft();
  const before = await read(quoteId);
  const saves = Array.from({ length: 24 }, (_, index) =>
    (index % 2 ? other : server).call(QuoteEdit.SaveQuoteItem, { quoteId, id: 0, itemId: itemAt(0), qty: 1 }, asInside),
  );
  const answers = await Promise.all(saves);
  expect(answers.map(({ status }) => status)).toEqual(saves.map(() => 200));
  const after = await read(quoteId);
  expect(after.items.map(({ lineNo }) => lineNo)).toEqual(Array.from({ length: LINES + 24 }, (_, index) => index + 1));
  expect(after.quote.totalAmount).toBeCloseTo(before.quote.totalAmount + 24 * 7.77, 4);
  expect(after.quote.version).toBe(before.quote.version + 24);
});

test('a save that fails leaves nothing in memory of what it wanted', async () => {
  const quoteId = await aLongDraft();
  const add = () => server.call(QuoteEdit.SaveQuoteItem, { quoteId, id: 0, itemId: itemAt(1), qty: 1 }, asInside);
  expect((await add()).status).toBe(200);
  await sql`create function refuse_test() returns trigger language plpgsql as 'begin raise exception ''no''; end'`.execute(
    server.db,
  );
  await sql`create trigger refuse_test before insert on quote_event for each row execute function refuse_test()`.execute(
    server.db,
  );
  expect((await add()).status).toBe(500);
  await sql`drop trigger refuse_test on quote_event`.execute(server.db);
  expect((await add()).status).toBe(200);
  const after = await read(quoteId);
  expect(after.items).toHaveLength(LINES + 2);
  expect(rememberedLines(server.services, quoteId)?.lines.map(({ id }) => id)).toEqual(after.items.map(({ id }) => id));
});

test('lines that nobody has written since are not read again, whatever the saves before did', async () => {
  const quoteId = await aLongDraft();
  const last = () => rememberedLines(server.services, quoteId)?.lines.at(-1);
  const save = async (line: QuoteItemInput) => {
    const { status } = await server.call(QuoteEdit.SaveQuoteItem, { quoteId, ...line }, asInside);
    expect(status).toBe(200);
  };
  await save({ id: 0, itemId: itemAt(2), qty: 1, lineNo: 1 });
  const first = last();
  expect(first).toBeDefined();
  const [topLine, two] = (await read(quoteId)).items;
  await save({ id: topLine?.id, version: topLine?.version, qty: 7 });
  expect(last()).toBe(first);
  await save({ id: two?.id, version: two?.version, optional: true });
  expect(last()).toBe(first);
});

test('short quotes are not remembered', async () => {
  const { quote } = await aDraft([{ itemId: itemAt(0), qty: 1 }]);
  await server.ok(QuoteEdit.SaveQuoteItem, { quoteId: quote.id, id: 0, itemId: itemAt(1), qty: 1 }, asInside);
  expect(rememberedLines(server.services, quote.id)).toBeUndefined();
});
