// Tests over HTTP how items of configurators become lines: matched, compared, saved, refused, forbidden.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { QuoteEdit, type QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Configurator, QuoteConfigurator } from './configurator.contract.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
beforeAll(async () => {
  server = await startTestServer();
  office = await aSalesOffice(server.db);
});
afterAll(() => server.close());

type Who = { id: number };
const draft = (items: object[] = []): Promise<QuoteEditData> =>
  server.ok(QuoteEdit.SaveSalesRepQuote, { quote: { facilityId: office.facility.id }, items }, { as: office.rep });
const post = (quoteId: number, items: object[], configId = 'bed', name = 'Bed') =>
  server.ok(Configurator.PostConfiguratorItems, { quoteId, configId, name, items } as never, { as: office.rep });
const get = (quoteId: number, as: Who = office.rep) =>
  server.ok(QuoteConfigurator.GetDmsConfiguratorItems, { quoteId }, { as });
type Wish = { position: string; action?: string; configId?: string; [more: string]: unknown };
async function call(quoteId: number, items: Wish[], more: object = {}, as: Who = office.rep) {
  const { version } = await server.db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quoteId)
    .executeTakeFirstOrThrow();
  const wishes = items.map((item) => ({ configId: 'bed', action: 'add', ...item }));
  return server.call(QuoteConfigurator.SaveDmsItemsToQuote, { quoteId, version, items: wishes, ...more }, { as });
}
async function save(quoteId: number, items: Wish[], more: object = {}): Promise<QuoteEditData> {
  const { status, body } = await call(quoteId, items, more);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}
async function refused(answer: ReturnType<typeof call>) {
  const { status, body } = await answer;
  const { errors = [], detail } = body as unknown as { detail: string; errors?: { path: string; message: string }[] };
  return [status, errors.length > 0 ? errors.map(({ path, message }) => `${path}: ${message}`) : detail];
}
const put = async (quoteId: number, line: { id: number; [field: string]: unknown }) => {
  const { version } = await server.db
    .selectFrom('quote_item')
    .select('version')
    .where('id', '=', line.id)
    .executeTakeFirstOrThrow();
  return server.call(QuoteEdit.SaveQuoteItem, { quoteId, version, ...line }, { as: office.rep });
};

/** A quote with a bed of three items, all of them ours. */
async function aBed() {
  const items = [
    await anItem(server.db, { price: 100, units: { EA: 1, BX: 10 } }),
    await anItem(server.db, { price: 20 }),
    await anItem(server.db, { price: 5 }),
    await anItem(server.db, { price: 7 }),
  ];
  const numbers = items.map(({ itemNumber }) => itemNumber);
  const posted = (position: number, more: object = {}) => ({
    position: String(position),
    itemNumber: numbers[position - 1],
    qty: position,
    ...more,
  });
  const { quote } = await draft();
  await post(quote.id, [posted(1, { unit: 'each', optionText: 'Oak', price: 90 }), posted(2), posted(3)]);
  return { id: quote.id, items, numbers, posted };
}
const ALL = [{ position: '1' }, { position: '2' }, { position: '3' }];
const linesOf = ({ items }: QuoteEditData) =>
  items.map(({ type, itemNumber, qty }) => (type === 'section' ? 'section' : `${itemNumber} ${qty}`));

describe('what waits', () => {
  test('is matched with our items, and asks a person when the match is unclear', async () => {
    const [known, twin] = [await anItem(server.db, { units: { EA: 1, BX: 10 } }), await anItem(server.db)];
    const beginning = twin.itemNumber.slice(0, -1);
    const { quote } = await draft();
    await post(quote.id, [
      { position: 'a', itemNumber: known.itemNumber.toLowerCase(), qty: 1, unit: 'box' },
      { position: 'b', itemNumber: known.itemNumber, qty: 1, unit: 'crate' },
      { position: 'c', itemNumber: beginning, qty: 1 },
      { position: 'd', itemNumber: '<script>alert(1)</script>', qty: 1 },
    ]);
    const { items } = await get(quote.id);
    expect(items.map(({ match, change, problem }) => [match, change, problem])).toEqual([
      ['found', 'new', ''],
      ['found', 'new', `${known.itemNumber} is not sold by crate. Its units: EA, BX (10 EA).`],
      ['several', 'new', expect.any(String)],
      ['unknown', 'new', 'Item <script>alert(1)</script> does not exist.'],
    ]);
    expect(items[0]?.candidates[0]).toMatchObject({ itemId: known.id, unit: 'BX' });
    expect(await refused(call(quote.id, [{ position: 'b' }]))).toEqual([
      422,
      [`items.0.unit: ${known.itemNumber} is not sold by crate. Its units: EA, BX (10 EA).`],
    ]);
    expect((await call(quote.id, [{ position: 'c' }])).status).toBe(422);
    expect((await call(quote.id, [{ position: 'd' }])).status).toBe(422);
    const saved = await save(quote.id, [
      { position: 'b', unit: 'BX' },
      { position: 'c', itemId: twin.id },
      { position: 'd', custom: true },
    ]);
    expect(saved.items.map(({ type, itemNumber, unit }) => [type, itemNumber, unit])).toEqual([
      ['section', '', ''],
      ['item', known.itemNumber, 'BX'],
      ['item', twin.itemNumber, 'EA'],
      ['custom', '<script>alert(1)</script>', 'EA'],
    ]);
    const again = await get(quote.id);
    expect(again.items.map(({ match, change, problem }) => `${match} ${change} ${problem}`)).toEqual([
      'found new ',
      'found same ',
      'found same ',
      'found same ',
    ]);
  });

  test('can be read by everybody who sees the quote, and by nobody else', async () => {
    const bed = await aBed();
    const reader = await aUser(server.db, { roles: ['contractdept'] });
    expect(await get(bed.id, reader)).toMatchObject({ editable: false, reason: expect.stringContaining('read') });
    const stranger = await aUser(server.db, { roles: ['salesrep'] });
    const { GetDmsConfiguratorItems } = QuoteConfigurator;
    expect((await server.call(GetDmsConfiguratorItems, { quoteId: bed.id }, { as: stranger })).status).toBe(404);
    expect((await server.call(GetDmsConfiguratorItems, { quoteId: 'x' }, { as: reader })).status).toBe(422);
    expect((await call(bed.id, ALL, {}, stranger)).status).toBe(404);
    expect((await call(bed.id, ALL, {}, reader)).status).toBe(403);
  });
});

describe('taking over', () => {
  test('makes a section with lines at our prices and with the configuration’s quantities', async () => {
    const bed = await aBed();
    const saved = await save(bed.id, ALL);
    expect(linesOf(saved)).toEqual([
      'section',
      ...bed.numbers.slice(0, 3).map((number, index) => `${number} ${index + 1}`),
    ]);
    const [section, first] = saved.items;
    expect(section).toMatchObject({ description: 'Bed', configured: { configId: 'bed', position: '', taken: null } });
    expect(first).toMatchObject({ unitPrice: 100, priceSource: 'List', notes: 'Oak', unit: 'EA' });
    expect(first?.configured).toMatchObject({ configId: 'bed', position: '1', linked: true, taken: { price: 90 } });
    expect(saved.events[0]).toMatchObject({ action: 'TakeConfigured', comment: 'Bed: 3 added' });
  });

  test('takes the configurator’s price when asked, as a typed price with the reason', async () => {
    const bed = await aBed();
    const wish = [{ position: '1', price: 'configurator' }];
    expect(await refused(call(bed.id, wish))).toEqual([
      422,
      ['items.0.price: Enter a reason for using the configurator price (priceReason).'],
    ]);
    const saved = await save(bed.id, wish, { priceReason: 'Agreed' });
    expect(saved.items[1]).toMatchObject({ unitPrice: 90, priceSource: 'Manual', priceReason: 'Agreed' });
    expect(await refused(call(bed.id, [{ position: '2', price: 'configurator' }], { priceReason: 'x' }))).toEqual([
      422,
      ['items.0.price: The configurator has no price for position 2.'],
    ]);
    await post(bed.id, [bed.posted(1, { unit: 'each', optionText: 'Oak', price: 80 }), bed.posted(2), bed.posted(3)]);
    expect((await get(bed.id)).items[0]).toMatchObject({ change: 'changed', fields: ['price'] });
    const stored = await save(bed.id, [{ position: '1', action: 'update' }]);
    expect(stored.items[1]).toMatchObject({ unitPrice: 80, priceSource: 'Manual', priceReason: 'Agreed' });
    await post(bed.id, [bed.posted(1, { unit: 'each', optionText: 'Oak', price: 70 }), bed.posted(2), bed.posted(3)]);
    const ours = await save(bed.id, [{ position: '1', action: 'update', price: 'ours' }]);
    expect(ours.items[1]).toMatchObject({ unitPrice: 100, priceSource: 'List' });
  });

  test('finds exactly one changed, one gone and one new item, and updates the quote with them', async () => {
    const bed = await aBed();
    await save(bed.id, ALL);
    await post(bed.id, [
      bed.posted(1, { unit: 'each', optionText: 'Oak', price: 90 }),
      bed.posted(2, { qty: 9 }),
      bed.posted(4),
    ]);
    const { items } = await get(bed.id);
    expect(
      items.filter(({ change }) => change !== 'same').map(({ position, change, fields }) => [position, change, fields]),
    ).toEqual([
      ['2', 'changed', ['qty']],
      ['4', 'new', []],
      ['3', 'gone', []],
    ]);
    expect(items.find(({ position }) => position === '2')).toMatchObject({ before: { qty: 2 }, after: { qty: 9 } });
    const saved = await save(bed.id, [
      { position: '2', action: 'update' },
      { position: '3', action: 'remove' },
      { position: '4' },
    ]);
    expect(linesOf(saved)).toEqual(['section', `${bed.numbers[0]} 1`, `${bed.numbers[1]} 9`, `${bed.numbers[3]} 4`]);
    expect((await get(bed.id)).items.map(({ change }) => change)).toEqual(['same', 'same', 'same']);
  });

  test('adds new items at the end of their section; removes the section with its last line', async () => {
    const bed = await aBed();
    await save(bed.id, [{ position: '1' }]);
    const other = await anItem(server.db);
    const { body } = await server.call(
      QuoteEdit.SaveQuoteItem,
      { id: 0, quoteId: bed.id, type: 'section', description: 'Other' },
      { as: office.rep },
    );
    expect(body.item.type).toBe('section');
    await server.ok(QuoteEdit.SaveQuoteItem, { id: 0, quoteId: bed.id, itemId: other.id, qty: 1 }, { as: office.rep });
    const saved = await save(bed.id, [{ position: '2' }, { position: '3' }]);
    expect(linesOf(saved)).toEqual([
      'section',
      ...bed.numbers.slice(0, 3).map((number, index) => `${number} ${index + 1}`),
      'section',
      `${other.itemNumber} 1`,
    ]);
    const empty = await save(
      bed.id,
      ALL.map((wish) => ({ ...wish, action: 'remove' })),
    );
    expect(linesOf(empty)).toEqual(['section', `${other.itemNumber} 1`]);
  });

  test('refuses a wish that does not match the item or line, and saves nothing', async () => {
    const bed = await aBed();
    await save(bed.id, [{ position: '1' }]);
    expect(
      await refused(
        call(bed.id, [
          { position: '1' },
          { position: '2', action: 'update' },
          { position: '3' },
          { position: '3' },
          { position: '9' },
          { position: '1', configId: 'no' },
        ]),
      ),
    ).toEqual([
      422,
      [
        'items.0.action: Position 1 is already on the quote. Update it instead.',
        'items.1.action: Position 2 is not on the quote.',
        'items.3.position: Position 3 appears twice.',
        'items.4.position: Configuration bed has no position 9.',
        'items.5.configId: No configuration no is waiting for this quote.',
      ],
    ]);
    expect((await call(bed.id, [])).status).toBe(422);
    expect((await call(bed.id, [{ position: '2', action: 'steal' }])).status).toBe(422);
    expect((await get(bed.id)).items.map(({ change }) => change)).toEqual(['same', 'new', 'new']);
  });

  test('answers 409 for a stale version or a configuration changed since', async () => {
    const bed = await aBed();
    const seen = await get(bed.id);
    const configurations = seen.configurations.map(({ configId, version }) => ({ configId, version }));
    expect((await call(bed.id, ALL, { version: seen.version - 1 })).status).toBe(409);
    expect((await call(bed.id, ALL, { version: undefined })).status).toBe(422);
    await post(bed.id, [bed.posted(1)]);
    expect(await refused(call(bed.id, [{ position: '1' }], { configurations }))).toEqual([
      409,
      expect.stringMatching(/has changed configuration bed in the meantime/),
    ]);
    await server.db.updateTable('quote').set({ status_id: 'Won' }).where('id', '=', bed.id).execute();
    expect((await call(bed.id, [{ position: '1' }])).status).toBe(409);
  });

  test('when two people take over at once, one succeeds and the other gets a conflict', async () => {
    const bed = await aBed();
    const { version } = await get(bed.id);
    const answers = await Promise.all([call(bed.id, ALL, { version }), call(bed.id, ALL, { version })]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { items } = await server.ok(QuoteEdit.PopulateQuoteEditDataForSalesRep, { id: bed.id }, { as: office.rep });
    expect(items).toHaveLength(4);
  });

  test('compares 10,000 items, although a quote has at most 5,000 lines', async () => {
    const bed = await aBed();
    const many = Array.from({ length: 9_990 }, (_, index) => ({
      position: `p${index}`,
      itemNumber: bed.numbers[index % 4],
      qty: 1,
    }));
    await post(bed.id, many, 'ward', 'Ward');
    expect((await get(bed.id)).items).toHaveLength(9_993);
    const wishes = many.map(({ position }) => ({ position, configId: 'ward' }));
    expect(await refused(call(bed.id, wishes))).toEqual([422, 'A quote has at most 5,000 lines.']);
    expect((await save(bed.id, wishes.slice(0, 1_900))).items).toHaveLength(1_901);
  });
});

describe('a linked line', () => {
  test('keeps its quantity, unit and item until it is unlinked', async () => {
    const bed = await aBed();
    const [, line] = (await save(bed.id, ALL)).items;
    const id = line?.id ?? 0;
    const words = (what: string) => `The ${what} comes from the configuration bed. Unlink the line to change it.`;
    expect(await refused(put(bed.id, { id, qty: 5 }) as never)).toEqual([422, [`qty: ${words('quantity')}`]]);
    expect(await refused(put(bed.id, { id, unit: 'BX' }) as never)).toEqual([422, [`unit: ${words('unit')}`]]);
    expect(await refused(put(bed.id, { id, itemId: bed.items[3]?.id }) as never)).toEqual([
      422,
      [`itemId: ${words('item')}`],
    ]);
    expect((await put(bed.id, { id, notes: 'Mine', description: 'Frame' })).status).toBe(200);
    expect((await put(bed.id, { id, configured: { ...line?.configured, linked: false } })).status).toBe(200);
    expect((await put(bed.id, { id, qty: 5 })).body.item).toMatchObject({ qty: 5, configured: { linked: false } });
    expect(await refused(put(bed.id, { id, configured: { ...line?.configured, linked: true } }) as never)).toEqual([
      422,
      [`qty: ${words('quantity')}`],
    ]);
    await post(bed.id, [
      bed.posted(1, { qty: 3, unit: 'each', optionText: 'Ash', description: 'Bed' }),
      bed.posted(2),
      bed.posted(3),
    ]);
    const updated = await save(bed.id, [{ position: '1', action: 'update' }]);
    expect(updated.items[1]).toMatchObject({
      qty: 5,
      notes: 'Mine',
      description: 'Frame',
      configured: { taken: { qty: 3 } },
    });
  });

  test('stays linked in a revision, and becomes a plain line in a copy', async () => {
    const bed = await aBed();
    await save(bed.id, ALL);
    const copy = await server.ok(QuoteEdit.CloneQuote, { id: bed.id, prices: 'keep' }, { as: office.rep });
    expect(copy.items.map(({ configured }) => configured)).toEqual([null, null, null, null]);
    expect((await get(copy.quote.id)).items).toEqual([]);
  });

  test('comes back unchanged when its removal is undone', async () => {
    const bed = await aBed();
    const [, line] = (await save(bed.id, ALL)).items;
    expect((await put(bed.id, { id: line?.id ?? 0, remove: true })).status).toBe(200);
    expect((await get(bed.id)).items[0]?.change).toBe('new');
    const back = {
      id: 0,
      quoteId: bed.id,
      itemId: line?.itemId,
      qty: line?.qty,
      unit: line?.unit,
      configured: line?.configured,
    };
    await server.ok(QuoteEdit.SaveQuoteItem, back, { as: office.rep });
    expect((await get(bed.id)).items[0]?.change).toBe('same');
  });
});
