// Tests the calls to Cloudinary against a server that checks their signatures and fails on command.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startCloudinary, type TestCloudinary } from '#testing/cloudinary.server.ts';
import { CloudError, openPictureCloud, type PictureCloud, signCloudCall } from './picture-cloud.server.ts';

let cloudinary: TestCloudinary;
let cloud: PictureCloud;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cloud-test-'));
const file = path.join(folder, 'picture');
beforeAll(async () => {
  cloudinary = await startCloudinary();
  cloud = openPictureCloud(cloudinary.url, () => new Date());
});
afterAll(async () => {
  await cloudinary.close();
  fs.rmSync(folder, { recursive: true });
});
beforeEach(() => {
  cloudinary.files.clear();
  cloudinary.calls.length = 0;
  fs.writeFileSync(file, 'the bytes of a picture');
});

const failure = (target: Promise<unknown>) =>
  target.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error as CloudError,
  );

test("signs as the vendor's documented examples say", () => {
  const example = {
    timestamp: '1315060510',
    public_id: 'sample_image',
    eager: 'w_400,h_300,c_pad|w_260,h_200,c_crop',
  };
  expect(signCloudCall(example, 'abcd')).toBe('bfd09f95f331f558cbd1320e67aa8d488770583e');
  const { timestamp, public_id } = example;
  expect(signCloudCall({ timestamp, public_id }, 'abcd')).toBe('b4ad47fb4e25c7bf5f92a20089f9db59bc302313');
  // Fields that are never signed and empty fields change nothing.
  const more = { file: 'x', cloud_name: 'x', resource_type: 'image', api_key: '1', empty: '' };
  expect(signCloudCall({ ...more, timestamp, public_id }, 'abcd')).toBe('b4ad47fb4e25c7bf5f92a20089f9db59bc302313');
  // One value cannot be read as two parameters.
  expect(signCloudCall({ a: '1&b=2' }, 'abcd')).not.toBe(signCloudCall({ a: '1', b: '2' }, 'abcd'));
});

test('stores under the id it is given, for nobody without a signature, and never over what is there', async () => {
  await cloud.upload('abc', file);
  expect(cloudinary.calls[0]).toMatchObject({
    call: 'upload',
    parameters: { public_id: 'abc', type: 'authenticated', overwrite: 'false', api_key: '1234567890' },
  });
  expect(cloudinary.calls[0]?.parameters).not.toHaveProperty('secret');
  fs.writeFileSync(file, 'other bytes');
  await cloud.upload('abc', file);
  expect(cloudinary.files.get('abc')?.bytes.toString()).toBe('the bytes of a picture');
});

test('a connection that breaks off after storing: the repeat is a success, and nothing is there twice', async () => {
  cloudinary.failNext('break off after storing');
  expect(await failure(cloud.upload('abc', file))).toMatchObject({ passing: true });
  await cloud.upload('abc', file);
  expect([...cloudinary.files.keys()]).toEqual(['abc']);
});

test('removes, and what is not there is removed', async () => {
  await cloud.upload('abc', file);
  await cloud.destroy('abc');
  expect(cloudinary.files.size).toBe(0);
  await cloud.destroy('abc');
  expect(cloudinary.calls.at(-1)?.parameters).toMatchObject({ type: 'authenticated', invalidate: 'true' });
});

describe('an error explains what went wrong, and whether to try again', () => {
  test.each([
    [400, false, 'Cloudinary rejected the request (400). Cloudinary reports: Details of the fault'],
    [401, false, 'Cloudinary rejected the key in CLOUDINARY_URL. Cloudinary reports: Details of the fault'],
    [420, true, 'Cloudinary is temporarily unavailable (status 420).'],
    [429, true, 'Cloudinary is temporarily unavailable (status 429).'],
    [502, true, 'Cloudinary has a problem (502).'],
    ['hang', true, 'Cloudinary did not answer in time.'],
    ['break off before storing', true, 'Cloudinary cannot be reached.'],
    ['no JSON', true, 'Cloudinary sent an unreadable response.'],
  ] as const)('%s', async (fault, passing, message) => {
    cloudinary.failNext(fault);
    const error = await failure(cloud.upload('abc', file));
    expect(error).toBeInstanceOf(CloudError);
    expect(error).toMatchObject({ passing, message });
    await cloud.upload('abc', file);
    expect(cloudinary.files.size).toBe(1);
  });

  test('a wrong secret is refused, and no message shows it', async () => {
    const wrong = openPictureCloud(cloudinary.url.replace('abc%26d', 'not-this'), () => new Date());
    const error = await failure(wrong.upload('abc', file));
    expect(error).toMatchObject({ passing: false, message: expect.stringContaining('Invalid Signature') });
    expect(String(error)).not.toContain('not-this');
  });
});
