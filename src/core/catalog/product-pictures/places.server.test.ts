// Tests pictures on products: their order, merged products, and who may load the bytes from which address.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { aPicture } from '#testing/a-picture.server.ts';
import { aFile, anItem, aProduct } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { movePictures, placeAmong, placeOn } from './places.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const aPictureFile = async () =>
  aFile(server.db, server.services.files, { mediaType: 'image/png', bytes: await aPicture() });
const placesOf = (productId: number) =>
  server.db
    .selectFrom('product_image')
    .select(['id', 'picture_id', 'hidden_roles', 'removed_at'])
    .where('product_id', '=', productId)
    .orderBy('position')
    .orderBy('id')
    .execute();

test.each([
  ['BED-1.jpg', [], 0],
  ['BED-1.jpg', ['BED-1_2.jpg', 'BED-1-front.jpg'], 0],
  ['BED-1_10.png', ['BED-1.jpg', 'BED-1_2.jpg', 'BED-1-front.jpg'], 2],
  ['BED-2.png', ['BED-1.jpg', 'BED-10.jpg'], 1],
  // A user has reordered these pictures.
  ['BED-1.jpg', ['BED-1_2.jpg', 'BED-1_10.jpg', 'BED-1_3.jpg'], 3],
])('%s among %j belongs at %i', (name, names, at) => expect(placeAmong(names, name)).toBe(at));

test('pictures placed together follow the order of their names, and return to their places', async () => {
  const { db } = server;
  const product = await aProduct(db, { itemIds: [] });
  const named = async (name: string) => {
    const from = await aProduct(db, { itemIds: [], images: [{ fileId: (await aPictureFile()).id }] });
    const [place] = await placesOf(from.id);
    const id = place?.picture_id ?? 0;
    await db.updateTable('picture').set({ name }).where('id', '=', id).execute();
    return id;
  };
  const [second, first, third] = [await named('X-1_2.png'), await named('X-1.png'), await named('X-1_10.png')];
  const pictures = async () => (await placesOf(product.id)).map(({ picture_id }) => picture_id);
  await Promise.all([third, second, first].map((id) => inTransaction(db, (trx) => placeOn(trx, id, product.id))));
  expect(await pictures()).toEqual([first, second, third]);
  await db.updateTable('product_image').set({ removed_at: new Date() }).where('picture_id', '=', first).execute();
  await placeOn(db, first, product.id);
  expect(await pictures()).toEqual([first, second, third]);
});

test('when products merge, pictures follow in order, and a shared one appears once, hidden as before', async () => {
  const { db } = server;
  const make = async (hiddenRoles: ('salesrep' | 'customer')[][]) =>
    aProduct(db, {
      itemIds: [],
      images: await Promise.all(
        hiddenRoles.map(async (roles) => ({ fileId: (await aPictureFile()).id, hiddenRoles: roles })),
      ),
    });
  const [stored, first, other] = [await make([['salesrep']]), await make([[], []]), await make([['customer']])];
  const [shared] = await placesOf(stored.id);
  const [alsoShared] = await placesOf(first.id);
  await placeOn(db, shared?.picture_id ?? 0, other.id);
  await placeOn(db, alsoShared?.picture_id ?? 0, other.id);
  await db
    .updateTable('product_image')
    .set({ hidden_roles: ['csrep'] })
    .where('product_id', '=', other.id)
    .execute();
  const before = [await placesOf(stored.id), await placesOf(first.id), await placesOf(other.id)].map((places) =>
    places.map(({ picture_id }) => picture_id),
  );
  await inTransaction(db, (trx) => movePictures(trx, [first.id, other.id, stored.id], stored.id));
  const after = await placesOf(stored.id);
  expect(after.map(({ picture_id }) => picture_id)).toEqual([
    ...(before[0] ?? []),
    ...(before[1] ?? []),
    ...(before[2] ?? []).filter((id) => ![shared?.picture_id, alsoShared?.picture_id].includes(id)),
  ]);
  expect(after.map(({ hidden_roles }) => hidden_roles)).toEqual([['csrep', 'salesrep'], ['csrep'], [], ['csrep']]);
  expect([...(await placesOf(first.id)), ...(await placesOf(other.id))]).toEqual([]);
});

test('a hidden picture gives no bytes to people with only hidden roles, at once and at old addresses', async () => {
  const { db } = server;
  const item = await anItem(db, { number: 'HIDE-1' });
  const { id } = await aProduct(db, { itemIds: [item.id], images: [{ fileId: (await aPictureFile()).id }] });
  const rep = await aUser(db, { roles: ['salesrep'] });
  const both = await aUser(db, { roles: ['salesrep', 'insiderep'] });
  const addresses = async (as: { id: number }) => {
    const [hit] = await server.ok(ItemSearch.SearchItemByNumber, { number: 'HIDE-1' }, { as });
    const [image] = (await server.ok(ItemSearch.SearchItemPrices, { itemId: item.id }, { as })).item.images;
    return [hit?.imgThumbnailUrl ?? '', image?.url ?? '', image?.largeUrl ?? ''];
  };
  const statuses = async (urls: string[]) =>
    Promise.all(urls.map(async (url) => (await server.inject({ method: 'GET', url })).status));
  const [ofRep, ofBoth] = [await addresses(rep), await addresses(both)];
  expect(await statuses([...ofRep, ...ofBoth])).toEqual(Array(6).fill(200));

  const hide = (roles: string[]) =>
    db.updateTable('product_image').set({ hidden_roles: roles }).where('product_id', '=', id).execute();
  await hide(['salesrep']);
  expect(await statuses(ofRep)).toEqual([404, 404, 404]);
  expect(await statuses(ofBoth)).toEqual([200, 200, 200]);
  await db.deleteFrom('user_role').where('user_id', '=', both.id).where('role', '=', 'insiderep').execute();
  expect(await statuses(ofBoth)).toEqual([404, 404, 404]);
  await hide(['customer', 'csrep']);
  expect(await statuses(ofRep)).toEqual([200, 200, 200]);
  await db.updateTable('app_user').set({ active: false }).where('id', '=', rep.id).execute();
  expect(await statuses(ofRep)).toEqual([404, 404, 404]);
  // One user's address cannot be altered to work for another.
  const stolen = ofRep.map((url) => url.replace(`for=${rep.id}`, `for=${both.id}`));
  expect(await statuses(stolen)).toEqual([404, 404, 404]);
});
