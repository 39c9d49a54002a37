// Tests that pictures are sent to Cloudinary, listed and removed, against a fake server that fails on command.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aPicture } from '#testing/a-picture.server.ts';
import { type TestCloudinary, startCloudinary } from '#testing/cloudinary.server.ts';
import { anItem, aProduct } from '#testing/factories/catalog.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ItemImageProcess } from '../pictures.contract.ts';
import { ItemImageCloud, type LibraryKind } from './cloud.contract.ts';
import { countOnlyHere } from './cloud-library.server.ts';
import { purgeRemoved } from './purge-removed.server.ts';

let cloudinary: TestCloudinary;
let server: TestServer;
let admin: { id: number };
let product: { id: number };
beforeAll(async () => {
  cloudinary = await startCloudinary();
  server = await startTestServer({ config: { cloudinaryUrl: cloudinary.url } });
  admin = await aUser(server.db, { roles: ['salesadmin'] });
  const item = await anItem(server.db, { number: 'CLOUD-1' });
  product = await aProduct(server.db, { itemIds: [item.id], name: 'Lamp Aurora' });
});
afterAll(async () => {
  await server.close();
  await cloudinary.close();
});
beforeEach(async () => {
  await server.db.deleteFrom('product_image').execute();
  await server.db.deleteFrom('picture').execute();
  cloudinary.files.clear();
  cloudinary.calls.length = 0;
});

let sent = 0;
async function aSentPicture(): Promise<number> {
  const file = { name: `CLOUD-1_${++sent % 90}.png`, bytes: await aPicture() };
  const { files } = await server.ok(ItemImageProcess.UploadItemImages, {}, { as: admin, file });
  await server.drain();
  return files[0]?.pictureId ?? 0;
}
const pictureOf = (id: number) =>
  server.db.selectFrom('picture').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const toCloud = (ids: number[]) => server.ok(ItemImageProcess.UploadImagesToCloud, { ids }, { as: admin });
const operate = (operation: 'file' | 'retry', ids: number[]) =>
  server.ok(ItemImageProcess.FileOperation, { operation, ids }, { as: admin });
const library = (kind: LibraryKind = 'cloud', more: object = {}) =>
  server.ok(ItemImageCloud.GetCloudLibrary, { kind, ...more }, { as: admin });
/** Turns a picture into one that was filed before the cloud was connected. */
async function keepOnlyHere(id: number) {
  await server.db.updateTable('picture').set({ cloud_id: null, cloud_at: null }).where('id', '=', id).execute();
  cloudinary.files.clear();
}
/** Makes all later retries due now and runs them. */
async function drainRetries() {
  await server.services.database.pool.query("update pgboss.job set start_after = now() where state = 'retry'");
  await server.drain();
}
async function aFiledPicture(): Promise<number> {
  const id = await aSentPicture();
  await toCloud([id]);
  await server.drain();
  await operate('file', [id]);
  await server.drain();
  return id;
}

describe('a picture on its way', () => {
  test('is stored under the hash of its bytes', async () => {
    const id = await aSentPicture();
    await toCloud([id]);
    await server.drain();
    const { state, sha256, cloud_id } = await pictureOf(id);
    expect([state, cloud_id]).toEqual(['Uploaded', sha256]);
    expect([...cloudinary.files.keys()]).toEqual([sha256]);
  });

  test.each([420, 429, 502, 'hang', 'no JSON', 'break off before storing', 'break off after storing'] as const)(
    'reports a temporary failure (%s), and the next try stores it once',
    async (fault) => {
      const id = await aSentPicture();
      cloudinary.failNext(fault);
      await toCloud([id]);
      await server.drain();
      expect(await pictureOf(id)).toMatchObject({
        state: 'Failed',
        step: 'Upload',
        problem: expect.stringMatching(/^Cloudinary .*It will be retried automatically\.$/),
      });
      await drainRetries();
      expect(await pictureOf(id)).toMatchObject({ state: 'Uploaded', step: '', problem: '' });
      expect(cloudinary.files.size).toBe(1);
    },
  );

  test.each([400, 401] as const)('waits for a person after status %s', async (fault) => {
    const id = await aSentPicture();
    cloudinary.failNext(fault);
    await toCloud([id]);
    await server.drain();
    await drainRetries();
    expect(await pictureOf(id)).toMatchObject({
      state: 'Failed',
      step: '',
      problem: expect.stringContaining('Cloudinary reports'),
    });
    expect(cloudinary.files.size).toBe(0);
    await operate('retry', [id]);
    await server.drain();
    expect(await pictureOf(id)).toMatchObject({ state: 'Uploaded', problem: '' });
  });
});

describe('the library', () => {
  test('lists what is in the cloud and what is only here', async () => {
    const [there, only] = [await aFiledPicture(), await aFiledPicture()];
    await keepOnlyHere(only);
    expect(await library()).toMatchObject({ cloud: 'test-cloud', counts: { cloud: 1, here: 1, working: 0 }, total: 1 });
    expect((await library()).records).toMatchObject([
      { id: there, state: 'Filed', products: [{ id: product.id, name: 'Lamp Aurora' }], productCount: 1 },
    ]);
    expect((await library('here')).records).toMatchObject([{ id: only, cloudAt: null }]);
    expect((await library('here', { keyword: 'NOTHING' })).records).toEqual([]);
    expect(await countOnlyHere(server.db, server.services)).toBe(1);
  });

  test('a picture that is only here is uploaded and stays filed until then, even if the first try fails', async () => {
    const id = await aFiledPicture();
    expect((await toCloud([id])).problems).toEqual([{ id, problem: 'This picture is already filed.' }]);
    await keepOnlyHere(id);
    expect(await toCloud([id])).toMatchObject({ queued: 1, problems: [] });
    expect((await toCloud([id])).problems).toMatchObject([{ problem: expect.stringContaining('being processed') }]);
    cloudinary.failNext(502);
    await server.drain();
    expect((await library('here')).records).toMatchObject([
      { id, state: 'Filed', working: true, problem: expect.stringContaining('502') },
    ]);
    await drainRetries();
    expect(await pictureOf(id)).toMatchObject({ state: 'Filed', step: '', problem: '' });
    expect((await library()).counts).toEqual({ cloud: 1, here: 0, working: 0 });
  });

  test('a refused upload waits in the library with its reason, for a person to try again', async () => {
    const id = await aFiledPicture();
    await keepOnlyHere(id);
    cloudinary.failNext(401);
    await toCloud([id]);
    await server.drain();
    expect((await library('here')).records).toMatchObject([
      { id, working: false, problem: expect.stringContaining('the key in CLOUDINARY_URL') },
    ]);
    await toCloud([id]);
    await server.drain();
    expect((await library()).records).toMatchObject([{ id, problem: '' }]);
  });
});

test('a removed picture leaves the cloud and the store after 30 days, except files that something refers to', async () => {
  const [gone, fresh] = [await aFiledPicture(), await aFiledPicture()];
  const before = await pictureOf(gone);
  const ids = [before.file_id, before.thumb_file_id, before.medium_file_id, before.large_file_id, before.print_file_id];
  const keys = await server.db
    .selectFrom('file')
    .select(['id', 'storage_key'])
    .where('id', 'in', ids.map(Number))
    .execute();
  // Another product shows this rendition.
  const saved = await server.db
    .insertInto('product_image')
    .values({ product_id: product.id, file_id: Number(before.print_file_id), position: 99 })
    .returning('file_id')
    .executeTakeFirstOrThrow();
  const now = server.services.clock.now();
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const remove = (id: number, days: number) =>
    server.db
      .updateTable('picture')
      .set({ state: 'Removed', state_at: daysAgo(days) })
      .where('id', '=', id)
      .execute();
  await remove(gone, 31);
  await remove(fresh, 29);
  expect(await purgeRemoved(server.services)).toBe(1);
  expect([...cloudinary.files.keys()]).toEqual([(await pictureOf(fresh)).sha256]);
  expect(await server.db.selectFrom('picture').select('id').where('id', '=', gone).execute()).toEqual([]);
  const left = await server.db.selectFrom('file').select('id').where('id', 'in', ids.map(Number)).execute();
  expect(left.map(({ id }) => id)).toEqual([saved.file_id]);
  const stored = await Promise.all(
    keys.map(async ({ id, storage_key }) => {
      const bytes = await server.services.files.get(storage_key).catch(() => null);
      return bytes === null ? [] : [id];
    }),
  );
  expect(stored.flat()).toEqual([saved.file_id]);
  expect(await purgeRemoved(server.services)).toBe(0);
});

test('without a cloud everything is stored here; only people who manage pictures may ask', async () => {
  const local = await startTestServer();
  const manager = await aUser(local.db, { roles: ['systemadmin'] });
  const rep = await aUser(local.db, { roles: ['salesrep', 'contractdept'] });
  const { id } = await local.db
    .insertInto('picture')
    .values({ name: 'a.png', size: 1, state: 'Filed', step: '' })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const kind of ['cloud', 'here'] as const)
    expect(await local.ok(ItemImageCloud.GetCloudLibrary, { kind }, { as: manager })).toMatchObject({
      cloud: '',
      counts: { cloud: 0, here: 1 },
      records: [{ id }],
    });
  expect(await countOnlyHere(local.db, local.services)).toBeNull();
  const { problems } = await local.ok(ItemImageProcess.UploadImagesToCloud, { ids: [id] }, { as: manager });
  expect(problems).toEqual([{ id, problem: 'This picture is already filed.' }]);
  expect((await local.call(ItemImageCloud.GetCloudLibrary, {}, { as: rep })).status).toBe(403);
  await local.close();
});
