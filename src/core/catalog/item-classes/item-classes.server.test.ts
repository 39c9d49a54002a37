// Tests item classes over HTTP: counts, hiding and showing, the effect on search, and permissions.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { History } from '#platform/history/history.contract.ts';
import { anItem, anItemClass } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ItemClass } from './item-classes.contract.ts';

let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'] });
});
afterAll(() => server.close());

it('a hidden class leaves the search at once, returns when shown, and the history records both', async () => {
  const beds = await anItemClass(server.db, { name: 'Beds of a kind' });
  const item = await anItem(server.db, { number: 'BED-HIDE', classId: beds.id });
  const find = async () => {
    const hits = await server.ok(
      ItemSearch.SearchItemByNumber,
      { number: item.itemNumber, hasRecentSaleOnly: false },
      { as: admin },
    );
    return hits.length;
  };
  expect(await find()).toBe(1);
  expect(await server.ok(ItemClass.GetItemClassUse, { id: beds.id }, { as: admin })).toEqual({
    activeItems: 1,
    openQuotes: 0,
    templates: 0,
  });
  const hidden = await server.ok(ItemClass.ShowHideItemClassInWebQuote, { id: beds.id }, { as: admin });
  expect(hidden).toMatchObject({ name: 'Beds of a kind', visibleInWebQuote: false, activeItems: 1 });
  expect(await find()).toBe(0);
  // Of two simultaneous requests, only one hides the class.
  await server.ok(ItemClass.ShowHideItemClassInWebQuote, { id: beds.id, visible: 'false' }, { as: admin });
  expect(
    await server.ok(ItemClass.GetItemClasses, { keyword: 'beds of', visibleInWebQuote: false }, { as: admin }),
  ).toMatchObject({ total: 1, records: [{ id: beds.id }] });
  await server.ok(ItemClass.ShowHideItemClassInWebQuote, { id: beds.id, visible: 'true' }, { as: admin });
  expect(await find()).toBe(1);
  expect(await server.ok(History.GetHistory, { type: 'itemClass', id: beds.id }, { as: admin })).toMatchObject([
    { action: 'Show in quotes' },
    { action: 'Hide from quotes' },
  ]);
  const csv = await server.call(ItemClass.ExportItemClasses, { keyword: 'beds of' }, { as: admin });
  expect(csv.bytes.toString('utf8')).toContain('Beds of a kind,yes,1,0,');
});

it('an unknown class answers 404', async () => {
  expect((await server.call(ItemClass.ShowHideItemClassInWebQuote, { id: 999_999 }, { as: admin })).status).toBe(404);
  expect(
    (await server.call(ItemClass.ShowHideItemClassInWebQuote, { id: 1, visible: 'maybe' }, { as: admin })).status,
  ).toBe(422);
});
