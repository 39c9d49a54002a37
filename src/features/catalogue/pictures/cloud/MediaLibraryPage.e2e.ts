// Tests the media library in a browser: connecting a cloud, comparing, uploading missing files, importing and removing unknown ones.
import { expectAccessible } from '#testing/accessible.ts';
import { aPicture } from '#testing/a-picture.server.ts';
import { expect, test } from '#testing/browser.ts';
import { startCloudinary } from '#testing/cloudinary.server.ts';
import { anItem, aProduct } from '#testing/factories/catalogue.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { openPictureCloud } from '#outside/picture-cloud.server.ts';
import { ItemImageProcess } from '../pictures.contract.ts';

test('differences from the cloud are found and fixed', async ({ page, server, signIn }) => {
  const { db } = server;
  const cloudinary = await startCloudinary();
  const admin = await aUser(db, { roles: ['salesadmin'] });
  const item = await anItem(db, { number: 'LIB-1' });
  await aProduct(db, { itemIds: [item.id], name: 'Lamp Aurora' });
  const file = { name: 'LIB-1.png', bytes: await aPicture() };
  const { files } = await server.ok(ItemImageProcess.UploadItemImages, {}, { as: admin, file });
  const id = files[0]?.pictureId ?? 0;
  const stateOf = async () =>
    db.selectFrom('picture').select(['state', 'step']).where('id', '=', id).executeTakeFirstOrThrow();
  await expect.poll(stateOf).toEqual({ state: 'Waiting', step: '' });
  await server.ok(ItemImageProcess.UploadImagesToCloud, { ids: [id] }, { as: admin });
  await expect.poll(stateOf).toEqual({ state: 'Uploaded', step: '' });
  await server.ok(ItemImageProcess.FileOperation, { operation: 'file', ids: [id] }, { as: admin });
  await expect.poll(stateOf).toEqual({ state: 'Filed', step: '' });

  await signIn(admin);
  await page.goto('/admin/item-images-cloudinary');
  await expect(page.getByText('No Cloudinary is connected')).toBeVisible();
  await expect(page.getByText('CLOUDINARY_URL=cloudinary://KEY:SECRET@CLOUD')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Only here' })).toContainText('Lamp Aurora');
  await expect(page.getByRole('button', { name: 'Compare now' })).toHaveCount(0);
  await expectAccessible(page);

  server.services.pictureCloud = openPictureCloud(cloudinary.url, () => new Date());
  cloudinary.files.set('old/LIB-1_2', { bytes: await aPicture(), type: '', format: 'png' });
  cloudinary.files.set('old/letter', { bytes: Buffer.from('x'), type: '', format: 'jpg' });
  await page.goto('/admin/item-images-cloudinary');
  await expect(page.getByText('Cloudinary account test-cloud. Not compared yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Compare now' }).click();
  const kinds = page.getByRole('group', { name: 'Where they are' });
  await expect(kinds.getByRole('button', { name: 'Unknown here 2' })).toBeVisible();
  await kinds.getByRole('button', { name: 'Only here 1' }).click();
  await page.getByRole('button', { name: 'Upload all 1' }).click();
  await expect(kinds.getByRole('button', { name: 'In the cloud 1' })).toBeVisible();
  expect(cloudinary.files.size).toBe(3);

  await kinds.getByRole('button', { name: 'Unknown here 2' }).click();
  await page.getByRole('checkbox', { name: 'Tick old/LIB-1_2.png' }).check();
  await page.getByRole('button', { name: 'Take into the inbox' }).click();
  await expect(kinds.getByRole('button', { name: 'Unknown here 1' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Tick all shown' }).check();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove from the cloud…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove 1 file from the cloud?' });
  await expect(dialog).toContainText('This cannot be undone.');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('We know every file in the cloud.')).toBeVisible();
  expect([...cloudinary.files.keys()].filter((key) => key.startsWith('old/'))).toEqual(['old/LIB-1_2']);

  // Somebody removes our picture in the cloud.
  cloudinary.files.clear();
  cloudinary.failNext(401);
  await page.getByRole('button', { name: 'Compare now' }).click();
  await expect(page.getByText('The last comparison failed: Cloudinary does not accept the key')).toBeVisible();
  await page.getByRole('button', { name: 'Compare now' }).click();
  await page.setViewportSize({ width: 390, height: 844 });
  await kinds.getByRole('button', { name: /^Missing in the cloud [12]/ }).click();
  await expect(page.getByRole('list', { name: 'Missing in the cloud' })).toContainText('LIB-1.png');
  await expectAccessible(page);
  await cloudinary.close();
});
