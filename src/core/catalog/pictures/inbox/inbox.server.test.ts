// Tests the inbox over HTTP: uploads, ZIPs, matching, the states and their jobs, many at once; and the watched folder.
import fs from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aPicture } from '#testing/a-picture.server.ts';
import { aZip } from '#testing/a-zip.server.ts';
import { anItem, aProduct } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ItemImageProcess, type InboxStage } from '../pictures.contract.ts';
import { scanInbox } from './picture-jobs.server.ts';
import { inboxRound, scanInboxJob } from './scan-inbox.server.ts';

let server: TestServer;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['salesadmin'] });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('product_image').execute();
  await server.db.deleteFrom('picture').execute();
});

const send = async (name: string, bytes: Buffer) =>
  (await server.ok(ItemImageProcess.UploadItemImages, {}, { as: admin, file: { name, bytes } })).files;
const column = (stage: InboxStage, more: object = {}) =>
  server.ok(ItemImageProcess.GetImagesWaitingForProcess, { stage, ...more }, { as: admin });
const upload = (ids?: number[]) => server.ok(ItemImageProcess.UploadImagesToCloud, { ids }, { as: admin });
const operate = async (operation: string, ids: number[], productId?: number) =>
  (await server.ok(ItemImageProcess.FileOperation, { operation, ids, productId } as never, { as: admin })).results;
async function aMappedItem(number: string, manufacturerNo = '') {
  const item = await anItem(server.db, { number });
  await server.db.updateTable('item').set({ manufacturer_no: manufacturerNo }).where('id', '=', item.id).execute();
  return { item, product: await aProduct(server.db, { itemIds: [item.id] }) };
}
const places = (productId: number) =>
  server.db.selectFrom('product_image').selectAll().where('product_id', '=', productId).orderBy('position').execute();

describe('a picture on its way', () => {
  test('goes from a file to its place on the product, each step once', async () => {
    const { product } = await aMappedItem('WAY-1');
    const [sent] = await send('way-1_2.png', await aPicture());
    expect(sent).toMatchObject({ outcome: 'new', message: '' });
    const id = sent?.pictureId ?? 0;
    expect((await column('waiting')).records).toMatchObject([
      { id, match: 'matched', step: 'Check', product: { id: product.id }, url: null },
    ]);
    expect(await upload([id])).toMatchObject({
      queued: 0,
      skipped: 1,
      problems: [{ problem: 'This picture is still being checked.' }],
    });
    await server.drain();
    const [waiting] = (await column('waiting')).records;
    expect(waiting).toMatchObject({ step: '', height: 30, sources: ['way-1_2.png'] });
    expect((await server.inject({ method: 'GET', url: waiting?.url ?? '' })).headers['content-type']).toBe(
      'image/webp',
    );
    expect(await operate('file', [id])).toMatchObject([
      { ok: false, problem: expect.stringContaining('upload it to the cloud first') },
    ]);

    expect(await upload()).toMatchObject({ queued: 1, skipped: 0 });
    expect(await upload()).toMatchObject({ queued: 0 });
    await server.drain();
    expect((await column('file')).records).toMatchObject([{ id, state: 'Uploaded', step: '' }]);
    expect(await operate('file', [id, id, 999_999])).toEqual([
      { id, ok: true, problem: '' },
      { id: 999_999, ok: false, problem: 'This picture does not exist.' },
    ]);
    await server.drain();
    expect(await places(product.id)).toMatchObject([{ picture_id: id, position: 0, hidden_roles: [] }]);
    const [visible] = await server.ok(ItemImageProcess.GetProductImages, { id: product.id }, { as: admin });
    const { status, headers } = await server.inject({ method: 'GET', url: visible?.largeUrl ?? '' });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'image/webp',
      'private, no-cache',
    ]);
    const again = await server.inject({
      method: 'GET',
      url: visible?.largeUrl ?? '',
      headers: { 'if-none-match': String(headers['etag']) },
    });
    expect(again.status).toBe(304);
    // The inbox address of the picture stops working once it is filed.
    expect((await server.inject({ method: 'GET', url: waiting?.url ?? '' })).status).toBe(404);
    expect(await operate('file', [id])).toMatchObject([{ ok: false, problem: 'This picture is already filed.' }]);
    expect((await places(product.id)).length).toBe(1);
  });

  test('sent twice is stored once, under the more informative name', async () => {
    const { product } = await aMappedItem('SAME-1');
    const bytes = await aPicture();
    const [first] = await send('IMG_0001.png', bytes);
    const [second] = await send('SAME-1.png', bytes);
    expect([first?.outcome, second?.outcome, second?.pictureId]).toEqual(['new', 'known', first?.pictureId]);
    const { records } = await column('waiting');
    expect(records).toMatchObject([
      { match: 'matched', product: { id: product.id }, sources: ['IMG_0001.png', 'SAME-1.png'] },
    ]);
  });

  test('is not accepted silently when its bytes arrive under another product’s name', async () => {
    await aMappedItem('SAME-2');
    await aMappedItem('SAME-3');
    const bytes = await aPicture();
    await send('SAME-2.png', bytes);
    const words = expect.stringMatching(/^The same picture already exists as .* which does not show it/);
    const [sent] = await send('SAME-3_2.png', bytes);
    expect(sent).toMatchObject({ outcome: 'known', message: words });
    // Nobody reads messages about the watched folder, so the file moves to the refused ones.
    const { services } = server;
    services.pictureInbox = {
      list: () => Promise.resolve([{ key: 'SAME-3.png', stamp: '1', size: bytes.length }]),
      stampOf: () => Promise.resolve('1'),
      fetch: (_key, to) => fs.writeFile(to, bytes),
      move: (key, folder) => Promise.resolve(`${folder}/${key}`),
    };
    await scanInboxJob.run(services);
    services.pictureInbox = null;
    expect((await column('refused')).records).toMatchObject([{ name: 'SAME-3.png', problem: words }]);
    expect((await column('waiting')).records).toMatchObject([{ name: 'SAME-2.png', sources: ['SAME-2.png'] }]);
  });

  test('is created once when two people send the same bytes at the same moment', async () => {
    const bytes = await aPicture();
    const sent = await Promise.all([1, 2, 3].map(() => send('twice.png', bytes)));
    expect(new Set(sent.flat().map(({ pictureId }) => pictureId)).size).toBe(1);
    expect((await column('waiting')).total).toBe(1);
  });

  test('is refused with a sentence when damaged, can be restored, and is refused again', async () => {
    const bytes = await aPicture({ width: 400, format: 'jpeg' });
    const [sent] = await send('broken.jpg', bytes.subarray(0, bytes.length - 300));
    await server.drain();
    const id = sent?.pictureId ?? 0;
    expect((await column('refused')).records).toMatchObject([{ id, problem: expect.stringContaining('damaged') }]);
    expect(await operate('restore', [id])).toMatchObject([{ ok: true }]);
    expect((await column('waiting')).total).toBe(1);
    await server.drain();
    expect((await column('refused')).total).toBe(1);
  });

  test('is rotated, refused by a person, and restored', async () => {
    const [sent] = await send('turn.png', await aPicture({ width: 60, height: 20 }));
    const id = sent?.pictureId ?? 0;
    await server.drain();
    expect((await column('waiting')).records).toMatchObject([{ width: 60, height: 20 }]);
    await operate('rotate', [id]);
    await server.drain();
    expect((await column('waiting')).records).toMatchObject([{ width: 20, height: 60, step: '' }]);
    expect(await operate('refuse', [id])).toMatchObject([{ ok: true }]);
    expect((await column('refused')).records).toMatchObject([{ problem: expect.stringContaining('refused it') }]);
    await server.drain();
    expect(await operate('refuse', [id])).toMatchObject([
      { ok: false, problem: expect.stringContaining('restore it first') },
    ]);
    expect(await operate('restore', [id])).toMatchObject([{ ok: true }]);
  });

  test('has each job done once, even when requested twice', async () => {
    const { product } = await aMappedItem('TWICE-1');
    const [sent] = await send('TWICE-1.png', await aPicture());
    const id = sent?.pictureId ?? 0;
    await operate('retry', [id]);
    await server.drain();
    await upload([id]);
    await operate('retry', [id]);
    await server.drain();
    await operate('file', [id]);
    await operate('retry', [id]);
    await server.drain();
    expect((await places(product.id)).length).toBe(1);
    const { count } = await server.db
      .selectFrom('file')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('name', 'like', 'TWICE-1 %')
      .executeTakeFirstOrThrow();
    expect(count).toBe(4);
  });
});

describe('the product of a picture', () => {
  test('is found by exact numbers only, item numbers before manufacturer numbers', async () => {
    const short = await aMappedItem('51487478', 'M-9');
    const maker = await aMappedItem('X-51', 'M-10');
    const find = async (name: string) => {
      const [sent] = await send(name, await aPicture());
      const { records } = await column('waiting', { pageSize: 200 });
      return records.find(({ id }) => id === sent?.pictureId);
    };
    expect(await find('514874789_01.png')).toMatchObject({ match: 'unmatched', candidates: [], product: null });
    expect(await find('51487478_01.png')).toMatchObject({ match: 'matched', product: { id: short.product.id } });
    expect(await find('m-10-front.png')).toMatchObject({ match: 'matched', product: { id: maker.product.id } });
    expect((await find('nothing.png'))?.problem).toBe('No item has the number nothing. Choose its product.');
  });

  test('is for a person to decide among several products, but not among several items of one product', async () => {
    const [first, other] = [await aMappedItem('AMB-1', 'SHARED'), await aMappedItem('AMB-2', 'SHARED')];
    const [sent] = await send('shared.png', await aPicture());
    await server.drain();
    const id = sent?.pictureId ?? 0;
    const [row] = (await column('waiting', { match: 'ambiguous' })).records;
    expect(row?.candidates.map(({ itemNumber, productId }) => [itemNumber, productId])).toEqual([
      ['AMB-1', first.product.id],
      ['AMB-2', other.product.id],
    ]);
    expect(await upload([id])).toMatchObject({
      queued: 0,
      problems: [{ problem: 'Several items have this number. Choose one.' }],
    });
    expect(await operate('assign', [id], other.product.id)).toMatchObject([{ ok: true }]);
    expect(await upload([id])).toMatchObject({ queued: 1 });

    const item = await anItem(server.db, { number: 'AMB-3' });
    await server.db
      .updateTable('item')
      .set({ manufacturer_no: 'TWIN', product_id: first.product.id })
      .where('id', 'in', [item.id, first.item.id])
      .execute();
    await send('twin.png', await aPicture());
    expect((await column('waiting', { keyword: 'twin' })).records).toMatchObject([{ match: 'matched' }]);
  });

  test('is reported missing for an item without one, and matches once the item has one', async () => {
    const item = await anItem(server.db, { number: 'LATER-1' });
    const [sent] = await send('LATER-1.png', await aPicture());
    await server.drain();
    expect(sent?.message).toBe('Item LATER-1 has no product yet. Map it to one, then try again.');
    expect(await upload()).toMatchObject({ queued: 0, skipped: 1, problems: [] });
    const product = await aProduct(server.db, { itemIds: [item.id] });
    expect(await upload()).toMatchObject({ queued: 1 });
    expect((await column('upload')).records).toMatchObject([{ product: { id: product.id } }]);
  });
});

describe('a ZIP', () => {
  test('with many pictures is imported file by file, and the answer names other files', async () => {
    const good = await aPicture();
    const files = await send(
      'many.zip',
      aZip([
        { name: 'shelf/', bytes: Buffer.alloc(0) },
        { name: 'shelf/one.png', bytes: good },
        { name: 'two.png', bytes: good },
        { name: '__MACOSX/._one.png', bytes: Buffer.from('x') },
        { name: 'list.txt', bytes: Buffer.from('text') },
        { name: 'locked.png', bytes: good, encrypted: true },
      ]),
    );
    expect(files.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['one.png', 'new'],
      ['two.png', 'known'],
      ['list.txt', 'refused'],
      ['locked.png', 'refused'],
    ]);
  });

  test.each([
    ['../../outside.png', 'refers to files outside itself'],
    ['/etc/outside.png', 'refers to files outside itself'],
  ])('with a path outside by %s is refused as a whole', async (name, words) => {
    const bytes = aZip([
      { name: 'good.png', bytes: await aPicture() },
      { name, bytes: await aPicture() },
    ]);
    const answer = await server.call(
      ItemImageProcess.UploadItemImages,
      {},
      { as: admin, file: { name: 'x.zip', bytes } },
    );
    expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining(words) } });
    expect((await column('waiting')).total).toBe(0);
  });

  test('that is a bomb is not unpacked, whether it states its true size or lies', async () => {
    const bytes = Buffer.alloc(30 * 1024 * 1024);
    const [honest, lying] = await send(
      'bomb.zip',
      aZip([
        { name: 'a.png', bytes },
        { name: 'b.png', bytes, says: 1000 },
      ]),
    );
    expect(honest).toMatchObject({ outcome: 'refused', message: expect.stringContaining('larger than 25 MB') });
    expect(lying).toMatchObject({ outcome: 'refused' });
    const many = aZip([{ name: 'a.png', bytes: Buffer.alloc(1), says: 2_200_000_000 }]);
    const answer = await server.call(
      ItemImageProcess.UploadItemImages,
      {},
      { as: admin, file: { name: 'x.zip', bytes: many } },
    );
    expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining('more than 2 GB') } });
  });

  test('that breaks off is refused with a sentence', async () => {
    const whole = aZip([{ name: 'a.png', bytes: await aPicture() }]);
    const file = { name: 'x.zip', bytes: whole.subarray(0, whole.length - 30) };
    const answer = await server.call(ItemImageProcess.UploadItemImages, {}, { as: admin, file });
    expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining('damaged') } });
  });
});

test('a file that is no picture is refused at once, and nothing is kept', async () => {
  expect(await send('list.png', Buffer.from('not a picture'))).toMatchObject([{ outcome: 'refused', pictureId: null }]);
  expect(await send('drawing.svg', Buffer.from('<svg/>'))).toMatchObject([
    { outcome: 'refused', message: expect.stringContaining('Drawings') },
  ]);
  expect((await column('refused')).total).toBe(0);
});

test('only catalog administrators may use the inbox, and assigning needs an existing product', async () => {
  const rep = await aUser(server.db, { roles: ['salesrep', 'insiderep', 'contractdept'] });
  for (const [call, input] of [
    [ItemImageProcess.GetImagesWaitingForProcess, {}],
    [ItemImageProcess.UploadImagesToCloud, {}],
    [ItemImageProcess.FileOperation, { ids: [1], operation: 'file' }],
  ] as const)
    expect((await server.call(call, input as never, { as: rep })).status).toBe(403);
  const [sent] = await send('a.png', await aPicture());
  const assign = (more: object) =>
    server.call(
      ItemImageProcess.FileOperation,
      { ids: [sent?.pictureId ?? 0], operation: 'assign', ...more },
      { as: admin },
    );
  expect((await assign({})).status).toBe(422);
  expect((await assign({ productId: 999_999 })).status).toBe(404);
  const [stored, merged] = [await aProduct(server.db, { itemIds: [] }), await aProduct(server.db, { itemIds: [] })];
  await server.db
    .updateTable('product')
    .set({ status: 'Merged', merged_into: stored.id })
    .where('id', '=', merged.id)
    .execute();
  expect((await assign({ productId: merged.id })).status).toBe(200);
  expect(
    await server.db
      .selectFrom('picture')
      .select('product_id')
      .where('id', '=', sent?.pictureId ?? 0)
      .executeTakeFirst(),
  ).toEqual({ product_id: stored.id });
});

test('one job retries an unreadable watched folder until it answers', async () => {
  const { services, db } = server;
  const bytes = await aPicture();
  let away = true;
  services.pictureInbox = {
    list: () =>
      away
        ? Promise.reject(new Error('The bucket does not answer.'))
        : Promise.resolve([{ key: 'watched.png', stamp: '1', size: bytes.length }]),
    stampOf: () => Promise.resolve('1'),
    fetch: (_key, to) => fs.writeFile(to, bytes),
    move: () => Promise.resolve(null),
  };
  const waiting = async () => (await services.jobs.list()).filter(({ name }) => name === scanInbox.name);
  await sql`update picture_round set next_at = now() where name = 'inbox'`.execute(db);
  await inboxRound(services);
  await server.drain();
  await inboxRound(services);
  expect(await waiting()).toMatchObject([{ state: 'retry', error: 'The bucket does not answer.' }]);
  away = false;
  await sql`update pgboss.job set start_after = now() where name = ${scanInbox.name}`.execute(db);
  await server.drain();
  expect(await waiting()).toMatchObject([{ state: 'completed' }]);
  expect((await column('waiting')).records).toMatchObject([{ name: 'watched.png', inInbox: true }]);
  services.pictureInbox = null;
});
