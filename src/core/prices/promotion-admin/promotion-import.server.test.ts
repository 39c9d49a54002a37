// Tests files of promotions over HTTP: what they create and change, what is refused, importing an export, and undo.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anImporter, figures, type Importer, refusals } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ItemPromotion } from './promotion-admin.contract.ts';

let server: TestServer;
let ada: Importer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-10-20T15:00:00Z');
  ada = await anImporter(server, 'salesadmin');
});
afterAll(() => server.close());

const check = async (text: string) => ada.check(await ada.upload('promotions', text));
async function promotionsOf(number: string): Promise<string[]> {
  const rows = await server.db
    .selectFrom('promotion as p')
    .innerJoin('item', 'item.id', 'p.item_id')
    .selectAll('p')
    .where('item_number', '=', number)
    .orderBy('p.valid_from')
    .execute();
  return rows.map((row) =>
    [
      row.promotion_type,
      row.amount,
      `${row.buy_qty}+${row.get_qty}`,
      `${row.min_qty}-${row.max_qty}`,
      row.uom || 'any',
      row.currn_idx,
      `${row.valid_from}..${row.valid_to ?? ''}`,
      row.active,
      row.name,
    ].join(' '),
  );
}

test('discounts, prices and free goods become promotions, change by their key, and are undone', async () => {
  for (const number of ['PK-1', 'PK-2', 'PK-3'])
    await anItem(server.db, { number, units: { EA: 1, BX: 10 }, prices: [] });
  const head = 'Item,Promotion Name,Discount %,Promo Price,Buy,Get Free,UOM,Min Qty,Max Qty,Start Date,End Date';
  const first = await check(
    `${head}\nPK-1,Fall,15,,,,BX,2,50,11/01/2026,11/30/2026\nPK-2,,,$8.50,,,EA,,,,12/31/2026\nPK-3,,,,10,1,,,,,\n`,
  );
  expect(refusals(first)).toEqual([]);
  expect(figures(first)).toMatchObject({ New: 3, Changed: 0 });
  const applied = await ada.apply(first);
  expect(await promotionsOf('PK-1')).toEqual(['DiscountPct 15 0+0 2-50 BX 1007 2026-11-01..2026-11-30 true Fall']);
  expect(await promotionsOf('PK-2')).toEqual(['FixedPrice 8.5 0+0 0-0 EA 1007 2026-10-20..2026-12-31 true ']);
  expect(await promotionsOf('PK-3')).toEqual(['BuyXGetYFree 0 10+1 0-0 any 1007 2026-10-20.. true ']);

  // Importing the same promotion again changes only what differs, even on a later day without a first day.
  server.setNow('2026-10-22T15:00:00Z');
  const second = await check('Item,Promo Price,UOM,End Date\nPK-2,8.25,EA,\nPK-2,8.25,EA,\n');
  expect(figures(second)).toMatchObject({ New: 0, Changed: 1, Repeated: 1 });
  const changed = await ada.apply(second);
  expect(await promotionsOf('PK-2')).toEqual(['FixedPrice 8.25 0+0 0-0 EA 1007 2026-10-20..2026-12-31 true ']);
  await ada.undo(changed);
  expect(await promotionsOf('PK-2')).toEqual(['FixedPrice 8.5 0+0 0-0 EA 1007 2026-10-20..2026-12-31 true ']);
  expect((await ada.get(applied)).mayUndo).toBe(false);
});

test('the export of the promotions is read back as it is', async () => {
  await anItem(server.db, { number: 'PX-1', prices: [] });
  const save = (input: object) =>
    server.ok(ItemPromotion.saveItemPromotion, { itemNumber: 'PX-1', ...input }, { as: ada });
  await save({ promotionType: 'DiscountPct', promotionAmt: 10, name: 'Ten' });
  await save({ promotionType: 'BuyXGetYFree', buyXGetYFreeBuyQty: 10, buyXGetYFreeGetQty: 1, uom: 'EA', maxQty: 100 });
  await save({ promotionAmt: 7.25, currnIdx: 1009, minQty: 5, validTo: '12/31/2027' });
  const { bytes } = await server.call(ItemPromotion.ExportItemPromotions, { keyword: 'PX-1' }, { as: ada });
  const result = await ada.upload('promotions', bytes.toString('utf8'));
  expect(result.missing).toBe('');
  const checked = await ada.check(result);
  expect([refusals(checked), figures(checked)]).toEqual([[], expect.objectContaining({ New: 0, Changed: 0, Same: 3 })]);
});

test('rows that say nothing clear are refused with the reason', async () => {
  await anItem(server.db, { number: 'PR-1', units: { EA: 1 }, prices: [] });
  const checked = await check(
    [
      'Item,Type,Amount,Discount,Buy,Get Free,UOM,Min Qty,Max Qty,From,To',
      'PR-0,Discount,10%,,,,,,,,',
      'PR-1,Discount,$10,,,,,,,,',
      'PR-1,Fixed price,10%,,,,,,,,',
      'PR-1,,10,,,,,,,,',
      'PR-1,,,15,,,,,,,',
      'PR-1,,,120%,,,,,,,',
      'PR-1,,,5%,10,1,,,,,',
      'PR-1,,,,10,,,,,,',
      'PR-1,Fixed price,5,,,,BX,,,,',
      'PR-1,Fixed price,5,,,,CS of 10,,,,',
      'PR-1,Fixed price,5,,,,EA,10,5,,',
      'PR-1,Fixed price,5,,,,EA,,,11/01/2026,10/01/2026',
      'PR-1,Happy hour,5,,,,,,,,',
    ].join('\n'),
  );
  expect(refusals(checked)).toEqual([
    "2 Item 'PR-0' is not a known item: import the items first",
    "3 Type 'Discount' does not fit what the row offers",
    "4 Type 'Fixed price' does not fit what the row offers",
    "5 Type '' is empty: say whether it is a discount, a fixed price or free goods",
    "6 Discount '15' may be an amount or a percentage: write it with the sign %",
    "7 Discount '120%' is more than 100 percent",
    "8 Type '' is not clear: the row has a discount, a price or free goods at once",
    "9 Get Free '' is empty: enter how many are free",
    "10 UOM 'BX' is no unit of this item: import its units first",
    "11 UOM 'CS of 10' has a pack size, which a promotion does not keep: write the unit alone",
    "12 Max Qty '5' is below the min. quantity",
    "13 To '10/01/2026' lies before the first day",
    "14 Type 'Happy hour' is not Discount, Fixed price or Buy X get Y free",
  ]);
  expect(figures(checked)).toMatchObject({ New: 0 });
});

test('others may not import promotions', async () => {
  const department = await anImporter(server, 'contractdept');
  await expect(department.upload('promotions', 'Item,Offer\nPR-1,10% discount\n')).rejects.toThrow(/403/);
});
