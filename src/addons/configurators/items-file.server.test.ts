// Tests files of configurators over HTTP: readable rows, unreadable rows, refused files, and discarding.
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { EURO_INDEX } from '#platform/shared/money.ts';
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

const { UploadConfiguratorItems, PostConfiguratorItems, DiscardConfiguration } = Configurator;
const draft = async () =>
  (await server.ok(QuoteEdit.SaveSalesRepQuote, { quote: { facilityId: office.facility.id } }, { as: office.rep }))
    .quote;
async function upload(quoteId: number, content: string | Buffer, name = 'bed-7.csv', as: { id: number } = office.rep) {
  const file = { name, bytes: Buffer.from(content as string) };
  const { status, body } = await server.call(UploadConfiguratorItems, { quoteId }, { as, file });
  return { status, body, detail: (body as { detail?: string }).detail };
}
const get = (quoteId: number) => server.ok(QuoteConfigurator.GetDmsConfiguratorItems, { quoteId }, { as: office.rep });
/** The waiting items as the user sees them: change, position, item, quantity, and why a row could not be read. */
const waiting = async (quoteId: number) =>
  (await get(quoteId)).items.map(({ change, position, after, isUnderstood, problem }) =>
    [change, position, after?.itemNumber, after?.qty, isUnderstood ? '' : problem].join('|'),
  );
async function save(quoteId: number, positions: string[], configId = 'bed-7') {
  const { version } = await get(quoteId);
  const items = positions.map((position) => ({ configId, position, action: 'add' as const }));
  return server.ok(QuoteConfigurator.SaveDmsItemsToQuote, { quoteId, version, items }, { as: office.rep });
}

describe('a file', () => {
  test('of separated text waits as posted items do, and is taken over', async () => {
    const { id } = await draft();
    const item = await anItem(server.db, { price: 100 });
    const csv = `Pos.;Item #;Qty;UOM;Options;Price;Color\n1;${item.itemNumber};1,250;each;"Oak; matt";$1,090.50;x\n2;0012;0.5;;;;\n\n`;
    expect((await upload(id, csv)).body).toEqual({
      quoteId: id,
      configurations: [{ configId: 'bed-7', name: '', items: 2, problems: 0 }],
      ignored: ['Color'],
    });
    const { items, configurations } = await get(id);
    expect(configurations).toMatchObject([{ configId: 'bed-7', source: 'File', version: 1 }]);
    expect(items.map(({ position, after }) => ({ position, ...after }))).toEqual([
      {
        position: '1',
        itemNumber: item.itemNumber,
        description: '',
        qty: 1250,
        unit: 'each',
        optionText: 'Oak; matt',
        price: 1090.5,
      },
      { position: '2', itemNumber: '0012', description: '', qty: 0.5, unit: '', optionText: '', price: null },
    ]);
    const saved = await save(id, ['1']);
    expect(saved.items[1]).toMatchObject({ itemNumber: item.itemNumber, qty: 1250, unitPrice: 100 });
    await upload(id, csv);
    expect((await get(id)).configurations).toMatchObject([{ version: 1 }]);
    await upload(id, csv.replace('1,250', '3'));
    expect(await waiting(id)).toEqual([`changed|1|${item.itemNumber}|3|`, 'new|2|0012|0.5|']);
  });

  test('shows each row that is not understood with its line and reason; people can take over the others', async () => {
    const { id } = await draft();
    const item = await anItem(server.db);
    const rows = [
      `1,${item.itemNumber},2,EA,`,
      '2,A-2,0,EA,',
      '3,,1,EA,',
      '4,A-4,one,EA,',
      '5,A-5,1.23456,EA,',
      '6,A-6,10000000,EA,',
      '7,1.23E+12,1,EA,',
      '8,A-8,1,"a unit that nobody would ever write",',
      '9,A-9,1,EA,€ 5',
      '10,A-10,1,EA,5,more',
      '11,A-11,1,EA,',
      '11,A-12,1,EA,',
      ',A-13,1,EA,',
      '14,A-14,-1,EA,',
    ];
    const { body } = await upload(id, `Position,Item number,Quantity,Unit,Price\n${rows.join('\n')}\n`);
    expect(body).toMatchObject({ configurations: [{ items: 14, problems: 13 }] });
    const [first, ...others] = await waiting(id);
    expect(first).toBe(`new|1|${item.itemNumber}|2|`);
    expect(others).toEqual([
      "new|2|A-2||Line 3, Quantity: '0' must be above zero.",
      'new|3|||Line 4, Item number: is empty.',
      "new|4|A-4||Line 5, Quantity: 'one' is not an amount.",
      "new|5|A-5||Line 6, Quantity: '1.23456' has more than four decimals.",
      'new|6|A-6||Line 7, qty: The quantity is at most 9,999,999.',
      "new|7|1.23E+12||Line 8, Item number: '1.23E+12' was shortened by a spreadsheet (1.23E+12): its digits are lost.",
      "new|8|A-8||Line 9, Unit: 'a unit that nobody would ever write' has 35 characters, but at most 20 fit.",
      "new|9|A-9||Line 10, Price: '€ 5' is in euros, and the quote is in dollars.",
      'new|10|A-10||Line 11: The row has 6 cells, the header 5.',
      'new|11|A-11||Line 12: Position 11 appears 2 times in the file.',
      'new|11|A-12||Line 13: Position 11 appears 2 times in the file.',
      'new||A-13||Line 14, Position: is empty.',
      "new|14|A-14||Line 15, Quantity: '-1' is negative.",
    ]);
    expect((await save(id, ['1'])).items).toHaveLength(2);
    const { version } = await get(id);
    const items = [{ configId: 'bed-7', position: '2', action: 'add' as const }];
    const refused = await server.call(
      QuoteConfigurator.SaveDmsItemsToQuote,
      { quoteId: id, version, items },
      { as: office.rep },
    );
    expect(refused).toMatchObject({ status: 422, body: { detail: "Line 3, Quantity: '0' must be above zero." } });
  });

  test('says that a missing item may be in a row that is not understood', async () => {
    const { id } = await draft();
    const item = await anItem(server.db);
    await upload(id, `Position,Item,Qty\n1,${item.itemNumber},2\n2,${item.itemNumber},1\n`);
    await save(id, ['1', '2']);
    await upload(id, `Position,Item,Qty\n1,${item.itemNumber},2\n,${item.itemNumber},1\n`);
    expect((await get(id)).items.map(({ change, problem }) => [change, problem])).toEqual([
      ['same', ''],
      ['new', 'Line 3, Position: is empty.'],
      ['gone', 'It may be in a row of the file that could not be read.'],
    ]);
  });

  test('may contain several configurations by name, and lines for another quote are refused', async () => {
    const { id, num } = await draft();
    const { body } = await upload(
      id,
      [
        'Quote,Config ID,Configuration name,Position,Item,Qty',
        `${num},bed-7,Bed 7,1,A,1`,
        `${num}-R2,bed-8,Bed 8,1,B,1`,
        `${num},,,2,C,1`,
        `${num + 1},bed-8,Bed 8,2,D,1`,
      ].join('\n'),
    );
    expect(body).toMatchObject({
      configurations: [
        { configId: 'bed-7', name: 'Bed 7', items: 2, problems: 1 },
        { configId: 'bed-8', name: 'Bed 8', items: 2, problems: 1 },
      ],
    });
    expect(await waiting(id)).toEqual([
      'new|1|A|1|',
      'new|2|C||Line 4: This row has no configuration.',
      'new|1|B|1|',
      `new|2|D||Line 5: This row is for quote ${num + 1}, not for this quote.`,
    ]);
  });

  test('of JSON says the same as a call', async () => {
    const { id, num } = await draft();
    const bed = {
      quoteNumber: String(num),
      configId: 'bed-9',
      name: 'Bed 9',
      items: [
        { position: '1', itemNumber: 'A', qty: 1, optionText: 'Oak\nmatt', price: 5 },
        { position: '2', itemNumber: 'B', qty: '2' },
        { position: '3', qty: 1 },
        'four',
      ],
    };
    expect((await upload(id, `\ufeff${JSON.stringify(bed)}`, 'x.csv')).body).toMatchObject({
      configurations: [{ configId: 'bed-9', name: 'Bed 9', items: 4, problems: 3 }],
    });
    const [first, ...others] = await waiting(id);
    expect(first).toBe('new|1|A|1|');
    expect(others).toEqual([
      expect.stringMatching(/^new\|2\|B\|\|Item 2, qty: /),
      expect.stringMatching(/^new\|3\|\|\|Item 3, itemNumber: /),
      'new||||Item 4 is not an object with fields.',
    ]);
    const many = [
      { configId: 'a', items: [] },
      { configId: 'b', items: [{ position: '1', itemNumber: 'A', qty: 1 }] },
    ];
    expect((await upload(id, JSON.stringify(many))).body).toMatchObject({
      configurations: [
        { configId: 'a', items: 0 },
        { configId: 'b', items: 1 },
      ],
    });
  });

  test('of Excel is read whatever its name', async () => {
    const { id } = await draft();
    const workbook = new ExcelJS.Workbook();
    workbook.addWorksheet('About').addRow(['Made by a configurator']);
    const sheet = workbook.addWorksheet('Items');
    sheet.addRow(['Position', 'Item number', 'Quantity']);
    sheet.addRow(['1', '00120', 4]);
    const bytes = Buffer.from(await workbook.xlsx.writeBuffer());
    expect((await upload(id, bytes, 'bed 12.csv')).status).toBe(200);
    expect(await waiting(id)).toEqual(['new|1|00120|4|']);
    workbook.addWorksheet('More').addRows([
      ['Position', 'Item number', 'Quantity'],
      ['1', '00121', 4],
    ]);
    const both = await upload(id, Buffer.from(await workbook.xlsx.writeBuffer()), 'bed 12.xlsx');
    expect(both).toMatchObject({
      status: 422,
      detail: "The sheets 'Items' and 'More' both contain items. Save the sheet to import as a separate file.",
    });
    expect(await waiting(id)).toEqual(['new|1|00120|4|']);
  });

  test('in euros is read for a quote in euros', async () => {
    const { id } = await draft();
    await server.db.updateTable('quote').set({ currn_idx: EURO_INDEX }).where('id', '=', id).execute();
    await upload(id, 'Position,Item,Qty,Price\n1,A,1,€5\n2,B,1,$5\n');
    expect(await waiting(id)).toEqual([
      'new|1|A|1|',
      "new|2|B||Line 3, Price: '$5' is in dollars, and the quote is in euros.",
    ]);
  });
});

describe('a file is refused as a whole', () => {
  const head = 'Position,Item,Qty\n';
  const refused: [string, string | Buffer, string | RegExp][] = [
    ['that is empty', '', 'The file is empty.'],
    ['of junk', Buffer.alloc(2_000_000, 'q8#%~ zx\n'), /^The file does not start with a row of headings/],
    ['of binary junk', Buffer.alloc(2_000_000, Buffer.from([0, 1, 200, 255, 10])), /./],
    ['without rows', head, 'The file has no rows below the headings.'],
    ['without quantities', 'Position,Item\n1,A\n', /^The file does not start with a row of headings/],
    [
      'with decimal commas',
      'Position;Item;Qty\n1;A;1,250\n2;A;12,50\n',
      "Line 3, Qty: '12,50' is written with a decimal comma. Write numbers as 1,234.50.",
    ],
    ['with a quote that is never closed', `${head}1,"A,1\n`, /never closed/],
    ['of JSON that is cut off', '{"items": [{"position": "1"', /^The file is not valid JSON/],
    ['of other JSON', '{"a": 1}', /^A JSON file must contain one configuration/],
    [
      'of JSON for another quote',
      '{"quoteNumber": "R2D2", "items": []}',
      'The file is for quote R2D2, not for this quote.',
    ],
    [
      'with a configuration twice',
      '[{"configId": "a", "items": []}, {"configId": "a", "items": []}]',
      'Configuration a appears twice in the file.',
    ],
    [
      'with nameless configurations',
      '[{"items": []}, {"configId": "a", "items": []}]',
      'Each configuration in the file needs a configId.',
    ],
    [
      'with too many items',
      `${head}${Array.from({ length: 10_001 }, (_, index) => `${index},A,1`).join('\n')}`,
      /at most 10,000 waiting configurator items/,
    ],
    [
      'with too many configurations',
      JSON.stringify(Array.from({ length: 101 }, (_, index) => ({ configId: `c${index}`, items: [] }))),
      'A file can contain at most 100 configurations.',
    ],
  ];
  test.each(refused)('%s', async (_what, content, detail) => {
    const { id } = await draft();
    const answer = await upload(id, content);
    expect(answer.status).toBe(422);
    expect(answer.detail).toMatch(detail);
    expect((await get(id)).configurations).toEqual([]);
  });

  test('for a quote out of sight or closed, from a person who only reads, or when it is empty', async () => {
    const { id } = await draft();
    const csv = `${head}1,A,1\n`;
    expect((await upload(id, csv, 'a.csv', await aUser(server.db, { roles: ['salesrep'] }))).status).toBe(404);
    expect((await upload(id, csv, 'a.csv', await aUser(server.db, { roles: ['contractdept'] }))).status).toBe(403);
    expect((await upload(id, Buffer.alloc(9_000_000, 'x'))).status).toBe(413);
    expect((await server.call(UploadConfiguratorItems, { quoteId: id }, { as: office.rep })).status).toBe(422);
    await server.db.updateTable('quote').set({ status_id: 'Won' }).where('id', '=', id).execute();
    expect((await upload(id, csv)).status).toBe(409);
    expect((await get(id)).configurations).toEqual([]);
  });

  test('when it uses the id of a configuration made in the product', async () => {
    const { id } = await draft();
    await server.db
      .insertInto('configuration')
      .values({
        quote_id: id,
        config_id: 'bed-7',
        source: 'Own',
        posted_by_name: 'Rep',
        posted_at: new Date().toISOString(),
      })
      .execute();
    expect(await upload(id, `${head}1,A,1\n`)).toMatchObject({
      status: 409,
      detail: 'Another configurator already uses the configId bed-7 on this quote. Use a different one.',
    });
  });
});

describe('waiting items are discarded', () => {
  const post = (quoteId: number, qty = 1) =>
    server.ok(
      PostConfiguratorItems,
      { quoteId, configId: 'bed-7', name: 'Bed 7', items: [{ position: '1', itemNumber: 'N-1', qty }] },
      { as: office.rep },
    );
  const discard = (quoteId: number, version = 1, as: { id: number } = office.rep) =>
    server.call(DiscardConfiguration, { quoteId, configId: 'bed-7', version }, { as });
  const open = (id: number) => server.ok(QuoteEdit.PopulateQuoteEditDataForSalesRep, { id }, { as: office.rep });

  test('once, in the version that was seen; the history records it, and they may be left again', async () => {
    const { id } = await draft();
    await post(id);
    await post(id, 2);
    expect((await discard(id, 1)).status).toBe(409);
    const before = await open(id);
    expect(before.configurator).toEqual({ waits: true, offers: false, connected: false });
    expect((await discard(id, 2)).body).toEqual({ configId: 'bed-7' });
    expect((await get(id)).configurations).toEqual([]);
    const after = await open(id);
    expect(after.configurator.waits).toBe(false);
    expect(after.quote.version).toBe(before.quote.version);
    expect(after.events[0]).toMatchObject({
      action: 'DiscardConfigured',
      comment: 'Bed 7: 1 item',
      actor: office.rep.fullName,
    });
    expect((await discard(id, 2)).status).toBe(404);
    await post(id, 2);
    expect(await waiting(id)).toEqual(['new|1|N-1|2|']);
  });

  test('and lines made from them stay linked', async () => {
    const { id } = await draft();
    const item = await anItem(server.db);
    const left = (qty: number) =>
      server.ok(
        PostConfiguratorItems,
        { quoteId: id, configId: 'bed-7', items: [{ position: '1', itemNumber: item.itemNumber, qty }] },
        { as: office.rep },
      );
    await left(2);
    await save(id, ['1']);
    await left(3);
    expect((await discard(id, 2)).status).toBe(200);
    expect((await open(id)).items[1]).toMatchObject({ qty: 2, configured: { linked: true } });
    await left(3);
    expect(await waiting(id)).toEqual([`changed|1|${item.itemNumber}|3|`]);
  });

  test('only by people who may edit the quote', async () => {
    const { id } = await draft();
    await post(id);
    expect((await discard(id, 1, await aUser(server.db, { roles: ['salesrep'] }))).status).toBe(404);
    expect((await discard(id, 1, await aUser(server.db, { roles: ['contractdept'] }))).status).toBe(403);
    await server.db.updateTable('quote').set({ status_id: 'Won' }).where('id', '=', id).execute();
    expect((await discard(id)).status).toBe(409);
    expect((await get(id)).configurations).toHaveLength(1);
  });
});

describe('a board', () => {
  test('learns without an extra call whether anything waits or can be configured', async () => {
    const { id, version } = await draft();
    const changes = () => server.ok(QuoteEdit.GetQuoteChanges, { quoteId: id, since: version }, { as: office.rep });
    expect(await changes()).toEqual({ unchanged: true, version, itemsWait: false });
    await upload(id, 'Position,Item,Qty\n1,A,1\n');
    expect(await changes()).toEqual({ unchanged: true, version, itemsWait: true });
    const model = await server.db
      .insertInto('configurable_model')
      .values({ name: 'Bed', active: true })
      .returning('id')
      .executeTakeFirstOrThrow();
    const created = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { facilityId: office.facility.id } },
      { as: office.rep },
    );
    expect(created.configurator).toEqual({ waits: false, offers: true, connected: false });
    await server.db.updateTable('configurable_model').set({ active: false }).where('id', '=', model.id).execute();
    const opened = await server.ok(
      QuoteEdit.PopulateQuoteEditDataForSalesRep,
      { id: created.quote.id },
      { as: office.rep },
    );
    expect(opened.configurator.offers).toBe(false);
  });
});

describe('by an API key', () => {
  test('each call needs its scope, and with it does what a person does', async () => {
    const { id } = await draft();
    const item = await anItem(server.db);
    const admin = await aUser(server.db, { roles: ['systemadmin'] });
    const keyOf = async (...scopes: string[]) => {
      const { key } = await server.ok(
        ApiKey.SaveApiKey,
        { name: scopes.join(), ownerId: office.rep.id, scopes },
        { as: admin },
      );
      return { headers: { authorization: `Bearer ${key ?? ''}` } };
    };
    const [configurator, reads, writes] = await Promise.all([
      keyOf('Configurator:write'),
      keyOf('QuoteEdit:read'),
      keyOf('QuoteEdit:write'),
    ]);
    const file = { name: 'bed-7.csv', bytes: Buffer.from(`Position,Item,Qty\n1,${item.itemNumber},2\n`) };
    const { GetDmsConfiguratorItems, SaveDmsItemsToQuote } = QuoteConfigurator;
    const send = (by: { headers: Record<string, string> }) =>
      server.call(UploadConfiguratorItems, { quoteId: id }, { ...by, file });
    const read = (by: { headers: Record<string, string> }) => server.call(GetDmsConfiguratorItems, { quoteId: id }, by);
    expect([(await send(reads)).status, (await send(writes)).status, (await send(configurator)).status]).toEqual([
      403, 403, 200,
    ]);
    expect([(await read(configurator)).status, (await read(reads)).status]).toEqual([403, 200]);
    const { version } = (await read(reads)).body;
    const items = [{ configId: 'bed-7', position: '1', action: 'add' as const }];
    const take = (by: { headers: Record<string, string> }) =>
      server.call(SaveDmsItemsToQuote, { quoteId: id, version, items }, by);
    expect([(await take(configurator)).status, (await take(reads)).status]).toEqual([403, 403]);
    expect((await take(writes)).body.items).toHaveLength(2);
    const away = { quoteId: id, configId: 'bed-7', version: 1 };
    expect((await server.call(DiscardConfiguration, away, writes)).status).toBe(403);
    expect((await server.call(DiscardConfiguration, away, configurator)).status).toBe(200);
  });
});
