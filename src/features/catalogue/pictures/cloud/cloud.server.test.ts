// Tests pictures that are sent to Cloudinary, compared, repaired and removed, against a server of its protocol that fails on command.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aPicture } from '#testing/a-picture.server.ts';
import { type TestCloudinary, startCloudinary } from '#testing/cloudinary.server.ts';
import { anItem, aProduct } from '#testing/factories/catalogue.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ItemImageProcess } from '../pictures.contract.ts';
import { type CloudKind, ItemImageCloud } from './cloud.contract.ts';
import { cloudDifferences } from './cloud-library.server.ts';
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
  await server.db.deleteFrom('cloud_picture').execute();
  await server.db
    .updateTable('cloud_comparison')
    .set({ started_at: null, finished_at: null, next_cursor: null })
    .execute();
  cloudinary.files.clear();
  cloudinary.calls.length = 0;
  cloudinary.pageSize = 500;
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
const library = (kind: CloudKind = 'both', more: object = {}) =>
  server.ok(ItemImageCloud.GetCloudLibrary, { kind, ...more }, { as: admin });
const mend = (input: { mend: 'upload' | 'takeIn' | 'remove'; pictureIds?: number[]; cloudIds?: string[] }) =>
  server.ok(ItemImageCloud.MendCloud, input, { as: admin });
async function compare() {
  const answer = await server.ok(ItemImageCloud.CompareWithCloud, {}, { as: admin });
  await server.drain();
  return answer;
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
        problem: expect.stringMatching(/^Cloudinary .*It will be tried again automatically\.$/),
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
      problem: expect.stringContaining('It says'),
    });
    expect(cloudinary.files.size).toBe(0);
    await operate('retry', [id]);
    await server.drain();
    expect(await pictureOf(id)).toMatchObject({ state: 'Uploaded', problem: '' });
  });
});

describe('a comparison', () => {
  test('lists page by page what both sides have and what only one has', async () => {
    const [both, lost] = [await aFiledPicture(), await aFiledPicture()];
    const only = await aFiledPicture();
    await server.db.updateTable('picture').set({ cloud_id: null }).where('id', '=', only).execute();
    await server.db.deleteFrom('cloud_picture').execute();
    const shaOf = async (id: number) => (await pictureOf(id)).sha256 ?? '';
    cloudinary.files.delete(await shaOf(lost));
    cloudinary.files.delete(await shaOf(only));
    for (const id of ['old/brochure', 'old/team'])
      cloudinary.files.set(id, { bytes: Buffer.from('x'), type: '', format: 'jpg' });
    cloudinary.pageSize = 2;
    expect(await compare()).toEqual({ queued: true });
    expect((await library()).counts).toEqual({ both: 1, unknown: 2, missing: 1, here: 1, working: 0 });
    expect(await cloudDifferences(server.db, server.services)).toEqual({ unknown: 2, missing: 1, here: 1 });
    expect((await library('both')).records).toMatchObject([
      { pictureId: both, state: 'Filed', products: [{ id: product.id, name: 'Lamp Aurora' }], productCount: 1 },
    ]);
    expect((await library('missing')).records).toMatchObject([{ pictureId: lost }]);
    expect((await library('here')).records).toMatchObject([{ pictureId: only, cloudId: null }]);
    const unknown = await library('unknown', { keyword: 'TEAM' });
    expect(unknown.records).toMatchObject([{ pictureId: null, cloudId: 'old/team', name: 'old/team.jpg' }]);
    expect(unknown).toMatchObject({ cloud: 'test-cloud', comparison: { running: false, problem: '' } });
    expect(unknown.comparison.comparedAt).not.toBeNull();
    // The comparison forgets a file that has disappeared since the last one.
    cloudinary.files.delete('old/team');
    await compare();
    expect((await library()).counts).toMatchObject({ unknown: 1 });
  });

  test('continues after an interruption, and starts over if the position is no longer known', async () => {
    for (const id of ['a', 'b', 'c']) cloudinary.files.set(id, { bytes: Buffer.from('x'), type: '', format: 'jpg' });
    cloudinary.pageSize = 1;
    const lists = () => cloudinary.calls.map(({ parameters }) => parameters['next_cursor'] ?? 'first');
    await server.ok(ItemImageCloud.CompareWithCloud, {}, { as: admin });
    expect(await server.ok(ItemImageCloud.CompareWithCloud, {}, { as: admin })).toEqual({ queued: false });
    cloudinary.calls.length = 0;
    await server.db.updateTable('cloud_comparison').set({ next_cursor: '1' }).execute();
    cloudinary.failNext(420);
    await server.drain();
    expect((await library()).comparison).toMatchObject({ running: false, problem: expect.stringContaining('(420)') });
    await drainRetries();
    expect(lists()).toEqual(['1', '1', '2']);

    await server.ok(ItemImageCloud.CompareWithCloud, {}, { as: admin });
    await server.db.updateTable('cloud_comparison').set({ next_cursor: '1' }).execute();
    cloudinary.calls.length = 0;
    cloudinary.failNext(400);
    await server.drain();
    await drainRetries();
    expect(lists()).toEqual(['1', 'first', '1', '2']);
    expect((await library('unknown')).total).toBe(3);
  });

  test('ends with a sentence if the key is wrong', async () => {
    cloudinary.failNext(401);
    await compare();
    expect((await library()).comparison).toMatchObject({
      problem: expect.stringContaining('the key of CLOUDINARY_URL'),
    });
  });
});

describe('repairs', () => {
  test('a picture missing in the cloud is uploaded again and stays filed meanwhile, even if the first try fails', async () => {
    const id = await aFiledPicture();
    cloudinary.files.clear();
    await compare();
    expect(await mend({ mend: 'upload', pictureIds: [id] })).toEqual({ queued: 1, problems: [] });
    expect(await mend({ mend: 'upload', pictureIds: [id] })).toMatchObject({ queued: 0, problems: [{}] });
    cloudinary.failNext(502);
    await server.drain();
    expect(await pictureOf(id)).toMatchObject({
      state: 'Filed',
      step: 'Upload',
      problem: expect.stringContaining('502'),
    });
    await drainRetries();
    expect(await pictureOf(id)).toMatchObject({ state: 'Filed', step: '', problem: '' });
    expect((await library()).counts).toMatchObject({ both: 1, missing: 0 });
    expect(await mend({ mend: 'upload', pictureIds: [id, 999_999] })).toEqual({
      queued: 0,
      problems: [
        { name: expect.any(String), problem: 'This picture is in the cloud already.' },
        { name: 'One', problem: 'This picture does not exist.' },
      ],
    });
  });

  test('an unknown file becomes a picture in the inbox, and is not stored a second time', async () => {
    const put = async (id: string, bytes: Buffer) => cloudinary.files.set(id, { bytes, type: '', format: 'png' });
    await put('shelf/CLOUD-1_front', await aPicture());
    await put('letter', Buffer.from('no picture'));
    await compare();
    expect(await mend({ mend: 'takeIn', cloudIds: ['shelf/CLOUD-1_front', 'letter', 'nothing'] })).toEqual({
      queued: 2,
      problems: [{ name: 'nothing', problem: 'The cloud did not have this file when it was last compared.' }],
    });
    await server.drain();
    const waiting = await server.ok(ItemImageProcess.GetImagesWaitingForProcess, {}, { as: admin });
    expect(waiting.records).toMatchObject([{ name: 'CLOUD-1_front.png', product: { id: product.id } }]);
    expect((await library('unknown')).records).toMatchObject([
      { cloudId: 'letter', problem: expect.stringContaining('not a picture'), working: false },
    ]);
    await toCloud(waiting.records.map(({ id }) => id));
    await server.drain();
    expect([...cloudinary.files.keys()]).toEqual(['shelf/CLOUD-1_front', 'letter']);
    expect(await mend({ mend: 'remove', cloudIds: ['shelf/CLOUD-1_front'] })).toMatchObject({
      queued: 0,
      problems: [{ problem: expect.stringContaining('a picture we know') }],
    });
  });

  test('an unknown file is removed, even if somebody already removed it in the cloud', async () => {
    for (const id of ['a', 'b']) cloudinary.files.set(id, { bytes: Buffer.from('x'), type: '', format: 'jpg' });
    await compare();
    cloudinary.files.delete('b');
    cloudinary.failNext('hang');
    expect(await mend({ mend: 'remove', cloudIds: ['a', 'b'] })).toMatchObject({ queued: 2 });
    expect((await library('unknown')).records).toMatchObject([{ working: true }, { working: true }]);
    await server.drain();
    await drainRetries();
    expect(cloudinary.files.size).toBe(0);
    expect((await library()).counts).toMatchObject({ unknown: 0, working: 0 });
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
  const kept = await server.db
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
  expect(left.map(({ id }) => id)).toEqual([kept.file_id]);
  const stored = await Promise.all(
    keys.map(async ({ id, storage_key }) => {
      const bytes = await server.services.files.get(storage_key).catch(() => null);
      return bytes === null ? [] : [id];
    }),
  );
  expect(stored.flat()).toEqual([kept.file_id]);
  expect(await purgeRemoved(server.services)).toBe(0);
});

test('without a cloud everything is stored here; only people who manage pictures may ask', async () => {
  const local = await startTestServer();
  const manager = await aUser(local.db, { roles: ['systemadmin'] });
  const rep = await aUser(local.db, { roles: ['salesrep', 'contractdept'] });
  const answer = await local.ok(ItemImageCloud.GetCloudLibrary, {}, { as: manager });
  expect(answer).toMatchObject({ cloud: '', total: 0, counts: { here: 0 } });
  expect((await local.call(ItemImageCloud.CompareWithCloud, {}, { as: manager })).status).toBe(409);
  const wanted = { mend: 'remove', cloudIds: ['a'] };
  expect((await local.call(ItemImageCloud.MendCloud, wanted, { as: manager })).status).toBe(409);
  expect((await local.call(ItemImageCloud.MendCloud, { mend: 'remove' }, { as: manager })).status).toBe(422);
  for (const call of [ItemImageCloud.GetCloudLibrary, ItemImageCloud.CompareWithCloud])
    expect((await local.call(call, {}, { as: rep })).status).toBe(403);
  await local.close();
});
