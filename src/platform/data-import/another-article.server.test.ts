// Tests that no file turns an item into a different article, and that prices, costs, units and numbers of a different article are held.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { anImporter, figures, refusals } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { DataImport } from './data-import.contract.ts';

let server: TestServer;
let ada: Awaited<ReturnType<typeof anImporter>>;
beforeAll(async () => {
  server = await startTestServer();
  ada = await anImporter(server);
});
afterAll(() => server.close());

const checked = async (kind: string, ...rows: string[]) => ada.check(await ada.upload(kind, rows.join('\n')));
const itemOf = (number: string) =>
  server.db
    .selectFrom('item')
    .select(['description', 'base_unit', 'manufacturer', 'cost'])
    .where('item_number', '=', number)
    .executeTakeFirst();

describe('whether two descriptions have anything in common', () => {
  test.each([
    ['Blood collection tube', 'TUBE BLD COLL 4ML', false],
    ['Glove exam nitrile large', 'GLV EXM NITR LG', false],
    ['Hemostat curved 5 in', 'HEMOSTATS, CRV', false],
    ['Dressing foam', 'Drsg 4x4', false],
    ['Blood collection tube', 'Membrane filter 4.25 cm', true],
    ['Hemostat curved', 'Wall plate, stainless', true],
    ['Culture tube', 'Test strip', true],
    ['Sterile gown, blue, large', 'Sterile drape, blue, large', true],
    ['Item 12', 'Item 13', false],
    ['Item 12', 'Gloves', false],
    ['', 'Gloves', false],
    ['4711', 'Gloves', false],
    ['Maker A', 'Maker B', false],
    ['Cedar Medical Inc', 'CEDAR MED', false],
    ['Cedar Medical Inc', 'Birch Surgical Inc', true],
    ['X-Ray', 'XRAY', false],
    ['T-shirt', 'Tshirt, blue', false],
    ['Nonwoven', 'Sponge, non-woven', false],
  ])("'%s' and '%s'", async (description, other, expected) => {
    const { rows } = await sql<{
      there: boolean;
      back: boolean;
    }>`select has_nothing_in_common(${description}, ${other}) as there, has_nothing_in_common(${other}, ${description}) as back`.execute(
      server.db,
    );
    expect(rows).toEqual([{ there: expected, back: expected }]);
  });
});

describe('files of items', () => {
  const HEAD = 'Item,Description,Base Unit,Manufacturer,Manufacturer Number';
  const tube = (number: string, more: Partial<Parameters<typeof anItem>[1]> = {}) =>
    anItem(server.db, {
      number,
      description: 'Blood collection tube',
      manufacturer: 'Cedar Diagnostics',
      manufacturerNo: 'CD-100',
      prices: [],
      ...more,
    });

  test('another description is held, and applied once it is accepted', async () => {
    await tube('AA-1');
    const result = await checked('items', HEAD, 'AA-1,Membrane filter 4.25 cm,EA,Birch Filters,');
    expect(figures(result)).toMatchObject({ Changed: 0, Held: 1 });
    expect(await ada.held(result)).toEqual([
      '2 | AA-1 | Blood collection tube, Cedar Diagnostics, per EA | Membrane filter 4.25 cm, Birch Filters, per EA | ',
    ]);
    expect((await itemOf('AA-1'))?.description).toBe('Blood collection tube');
    await server.ok(DataImport.DecideHeldRows, { id: result.id, lines: [2], decision: 'accepted' }, { as: ada });
    await ada.apply(result);
    expect(await itemOf('AA-1')).toMatchObject({
      description: 'Membrane filter 4.25 cm',
      manufacturer: 'Birch Filters',
    });
  });

  test.each([
    ['AA-11', 'Membrane filter,,,', 1, 'another description alone'],
    ['AA-12', 'Filter membrane,EA,Birch Filters,CD-100', 0, 'the same number of the manufacturer'],
    ['AA-13', 'TUBE BLD COLL 4ML,EA,,', 0, 'a shorter description'],
    ['AA-14', 'Blood tube,EA,Birch Filters,BF-7', 1, 'another maker, number and description'],
    ['AA-15', 'Blood tube,CS,Birch Filters,', 1, 'another maker, unit and description'],
    ['AA-16', 'Blood collection tube,EA,Birch Filters,BF-7', 0, 'another source of the same'],
    ['AA-17', ',EA,Birch Filters,', 0, 'another maker alone'],
  ])('%s: %s', async (number, cells, held) => {
    await tube(number);
    const { report } = await checked('items', HEAD, `${number},${cells}`);
    expect(report).toMatchObject({ held, refused: 0 });
  });

  test('a row with another description and another cost asks about both', async () => {
    await tube('AA-2', { cost: 2 });
    const result = await checked('items', 'Item,Description,Cost', 'AA-2,Membrane filter,90');
    expect(await ada.held(result)).toEqual([
      '2 | AA-2 | Blood collection tube, Cedar Diagnostics, per EA; cost $2.00 per EA | Membrane filter; cost $90.00 per EA | ',
    ]);
  });

  test('no other base unit while something counts in the base unit', async () => {
    await tube('AA-31', { prices: [{ unit: 'EA', price: 4 }] });
    await tube('AA-32', { cost: 100, floor: 120 });
    const { id: quoted } = await tube('AA-33');
    const { id: quoteId } = await aQuote(server.db, { itemNumbers: ['AA-33'] });
    await server.db.updateTable('quote_item').set({ item_id: quoted }).where('quote_id', '=', quoteId).execute();
    await tube('AA-34', { cost: 100 });
    await tube('AA-35');
    const rows = ['AA-31,CS,', 'AA-32,CS,', 'AA-33,CS,', 'AA-34,CS,100', 'AA-35,CS,'];
    const result = await checked('items', 'Item,Base Unit,Cost', ...rows);
    const reason = (counted: string) => `would change the base unit from EA, in which ${counted} count`;
    expect(refusals(result)).toEqual([
      `2 Base Unit 'CS' ${reason('list prices')}`,
      `3 Base Unit 'CS' ${reason('the cost, the lowest selling price')}`,
      `4 Base Unit 'CS' ${reason('open quotes')}`,
    ]);
    await ada.apply(result);
    expect(
      await Promise.all(['AA-33', 'AA-34', 'AA-35'].map(async (target) => (await itemOf(target))?.base_unit)),
    ).toEqual(['EA', 'CS', 'CS']);
  });
});

describe('files that only name items', () => {
  const DESCRIBED = ['Culture tube 16 mm', 'TUBE CLTR', 'Test strip glucose', ''];
  beforeAll(async () => {
    for (const at of DESCRIBED.keys())
      await anItem(server.db, {
        number: `AB-${at}`,
        description: 'Culture tube, glass',
        units: { EA: 1, BX: 50 },
        prices: [],
      });
  });
  const rows = (cells: string) => DESCRIBED.map((description, at) => `AB-${at},${description},${cells}`);

  test.each([
    ['prices', 'Unit,Price', 'EA,4'],
    ['costs', 'Cost', '4'],
    ['units', 'Unit,Factor', 'CS,500'],
    ['item-numbers', 'GTIN', '00817169021476'],
    ['cross-references', 'Their Number', 'ZX-99'],
    ['promotions', 'Discount %', '10%'],
  ])('another article is held in a file of %s', async (kind, heading, cells) => {
    const result = await checked(kind, `Item,Description,${heading}`, ...rows(cells));
    expect(figures(result)).toMatchObject({ New: kind === 'costs' ? 0 : 3, Held: 1, Refused: 0 });
    const [held = ''] = await ada.held(result);
    expect(held).toMatch(/^4 \| .* \| AB-2 Culture tube, glass \| Test strip glucose \| $/);
  });

  test.each([
    'Name',
    'Description 1',
    'Full Description',
    'Charge Code Description',
    'Vendor Item Description',
    'Supply Name',
  ])('a column %s is compared, too', async (heading) => {
    const result = await checked('prices', `Item,${heading},Price`, 'AB-0,Test strip glucose,4', 'AB-1,Tube,4');
    expect(figures(result)).toMatchObject({ New: 1, Held: 1 });
  });

  test('a vendor’s description is theirs in a file of cross-references', async () => {
    const result = await checked('cross-references', 'Their Number,Item,Vendor Description', 'ZX-7,AB-0,Test strip');
    expect(result.report).toMatchObject({ held: 0, refused: 0 });
  });

  test('a unit does not hold another number unasked while prices or quotes count in it', async () => {
    await anItem(server.db, { number: 'AE-1', units: { EA: 1, CS: 500 }, prices: [{ unit: 'CS', price: 45 }] });
    await anItem(server.db, { number: 'AE-2', units: { EA: 1, CS: 500 }, prices: [{ unit: 'EA', price: 1 }] });
    const result = await checked('units', 'Item,Unit,Factor', 'AE-1,CS,50', 'AE-2,CS,50');
    expect(figures(result)).toMatchObject({ Changed: 1, Held: 1 });
    expect(await ada.held(result)).toEqual(['2 | AE-1 | CS of 500 in list prices | CS of 50 | ']);
    expect(figures(await checked('units', 'Item,Unit,Factor', 'AE-1,CS,500'))).toMatchObject({ Same: 1, Changed: 0 });
  });

  test('an item of another maker is held where the row has no description', async () => {
    await anItem(server.db, { number: 'AC-1', description: 'Culture tube', manufacturer: 'Cedar Labs', prices: [] });
    const result = await checked('prices', 'Item,Mfr Name,Price', 'AC-1,Birch Filters,4');
    expect(await ada.held(result)).toEqual(['2 | AC-1 | AC-1 Culture tube, Cedar Labs | Birch Filters | ']);
  });

  test('a row of sales of another article is refused, because the rows of an item count together', async () => {
    const result = await checked('sales', 'Item,Description,Invoice Date,Qty', ...rows('01/10/2025,5'));
    expect(refusals(result)).toEqual([
      "4 Description 'Test strip glucose' has nothing in common with item 'AB-2 Culture tube, glass': correct the number, or say that the column is not used",
    ]);
  });

  test('rows that differ only by their descriptions repeat each other', async () => {
    const result = await checked('prices', 'Item,Description,Price', 'AB-0,Culture tube,4', 'AB-0,Tube for cultures,4');
    expect(figures(result)).toMatchObject({ Repeated: 1, Refused: 0 });
  });
});

test('a file of contract prices asks about another article, together with the price', async () => {
  for (const number of ['AD-1', 'AD-2'])
    await anItem(server.db, { number, description: 'Culture tube, glass', prices: [] });
  await ada.imported('contracts', 'Contract,Title,From,To,State,Tier\nAD-C,Tubes,01/01/2026,12/31/2099,Active,1\n');
  const result = await checked(
    'contract-prices',
    'Contract,Item,Description,Unit,Tier,Price',
    'AD-C,AD-1,Test strip glucose,EA,1,4.00',
    'AD-C,AD-2,Tube culture,EA,1,4.00',
  );
  expect(figures(result)).toMatchObject({ New: 1, Held: 1 });
  expect(await ada.held(result)).toEqual([
    '2 | AD-C AD-1 EA, tier 1 | AD-1 Culture tube, glass | Test strip glucose | ',
  ]);
});
