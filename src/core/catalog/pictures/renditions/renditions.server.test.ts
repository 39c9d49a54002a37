// Tests that renditions are upright, in sRGB, without metadata and within their sizes, and that other files are refused with a reason.
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pictureKind } from './picture-limits.server.ts';
import { renderPicture } from './renditions.server.ts';

let folder: string;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'renditions-'));
});
afterAll(() => fs.rm(folder, { recursive: true }));

async function rendered(bytes: Buffer, turns = 0) {
  // Each file has its own folder, because sharp caches files by name.
  const own = await fs.mkdtemp(path.join(folder, 'one-'));
  const file = path.join(own, 'original');
  await fs.writeFile(file, bytes);
  const created = await renderPicture({ file, folder: own, turns });
  if ('refused' in created) return created;
  const pixel = async (which: keyof typeof created.files, x: number, y: number) => {
    const { data, info } = await sharp(created.files[which]).raw().toBuffer({ resolveWithObject: true });
    const at = (Math.round(y * (info.height - 1)) * info.width + Math.round(x * (info.width - 1))) * info.channels;
    return [...data.subarray(at, at + info.channels)];
  };
  const shape = async (which: keyof typeof created.files) => sharp(created.files[which]).metadata();
  return { ...created, pixel, shape };
}
/** Makes a picture that is red on the left and blue on the right. */
const twoColors = (width = 2400, height = 1200) =>
  sharp({ create: { width, height, channels: 3, background: '#00f' } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: '#f00' } }, left: 0, top: 0 },
  ]);
const isRed = ([r = 0, , b = 0]: number[]) => r > 200 && b < 60;
const isBlue = ([r = 0, , b = 0]: number[]) => b > 200 && r < 60;

async function render(bytes: Buffer, turns = 0) {
  const answer = await rendered(bytes, turns);
  if ('refused' in answer) throw new Error(answer.refused);
  return answer;
}

test('four sizes, none larger than the picture, without position, profile or any other metadata', async () => {
  const photograph = await twoColors()
    .withExif({ IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitude: '41/1 52/1 0/1', GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer();
  expect((await sharp(photograph).metadata()).exif).toBeDefined();
  const { width, height, shape } = await render(photograph);
  expect([width, height]).toEqual([2400, 1200]);
  for (const [which, size, format] of [
    ['thumb', 160, 'webp'],
    ['medium', 640, 'webp'],
    ['large', 1600, 'webp'],
    ['print', 600, 'jpeg'],
  ] as const) {
    const result = await shape(which);
    expect(result).toMatchObject({ width: size, height: size / 2, format, space: 'srgb' });
    expect([result.exif, result.xmp, result.icc, result.iptc, result.orientation]).toEqual(Array(5).fill(undefined));
  }
  expect(await (await render(await twoColors(100, 50).png().toBuffer())).shape('large')).toMatchObject({ width: 100 });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])('is upright whatever orientation the camera noted: %i', async (orientation) => {
  // A viewer that honors the orientation shows the red half on the left.
  const upright = await twoColors(400, 200).png().toBuffer();
  // sharp mirrors before it rotates, whatever the order of the calls.
  const turned: Record<number, (image: Sharp) => Sharp> = {
    1: (image) => image,
    2: (image) => image.flop(),
    3: (image) => image.rotate(180),
    4: (image) => image.flip(),
    5: (image) => image.rotate(270).flop(),
    6: (image) => image.rotate(270),
    7: (image) => image.rotate(90).flop(),
    8: (image) => image.rotate(90),
  };
  const stored = await sharp(await (turned[orientation]?.(sharp(upright)) ?? sharp(upright)).png().toBuffer())
    .jpeg()
    .withMetadata({ orientation })
    .toBuffer();
  const { width, height, pixel } = await render(stored);
  expect([width, height]).toEqual([400, 200]);
  expect(isRed(await pixel('medium', 0.2, 0.5))).toBe(true);
  expect(isBlue(await pixel('medium', 0.8, 0.5))).toBe(true);
});

test('a quarter turn puts the left half on top', async () => {
  const { width, height, pixel } = await render(await twoColors(400, 200).png().toBuffer(), 1);
  expect([width, height]).toEqual([200, 400]);
  expect(isRed(await pixel('medium', 0.5, 0.2))).toBe(true);
  expect(isBlue(await pixel('medium', 0.5, 0.8))).toBe(true);
});

test('another color space becomes sRGB: a wide one, and CMYK with and without a profile', async () => {
  const red = (await twoColors(400, 200).png().toBuffer()) as Buffer;
  const wide = await sharp(red).withIccProfile('p3').png().toBuffer();
  const cmyk = await sharp(red).toColorspace('cmyk').jpeg().toBuffer();
  const profiled = await sharp(red).toColorspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer();
  for (const bytes of [wide, cmyk, profiled]) {
    const { pixel, shape } = await render(bytes);
    const [left, right] = [await pixel('large', 0.2, 0.5), await pixel('large', 0.8, 0.5)];
    // CMYK has no pure red and blue; an inverted picture would be cyan and yellow.
    expect(left[0]).toBeGreaterThan(left[2] ?? 0);
    expect(right[2]).toBeGreaterThan(right[0] ?? 0);
    expect(await shape('large')).toMatchObject({ space: 'srgb' });
  }
});

test('a transparent picture gets a white background in print and stays transparent on the screen', async () => {
  const clear = await sharp({
    create: { width: 90, height: 90, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer();
  const { pixel } = await render(clear);
  expect(await pixel('print', 0.5, 0.5)).toEqual([255, 255, 255]);
  expect((await pixel('large', 0.5, 0.5))[3]).toBe(0);
});

test('every accepted kind of file can be read', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'tiff'] as const) {
    const bytes = await twoColors(60, 30)[format]().toBuffer();
    expect(pictureKind(bytes.subarray(0, 64))).toEqual({ mediaType: `image/${format}` });
    expect(await render(bytes)).toMatchObject({ width: 60, height: 30 });
  }
});

describe('refuses', () => {
  test.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'Drawings'],
    ['<?xml version="1.0"?><svg/>', 'Drawings'],
    ['%PDF-1.7', 'This picture cannot be read'],
    ['', 'This picture cannot be read'],
    ['\0\0\0\u0018ftypheic\0\0\0\0', 'HEIC'],
    ['\0\0\0\u0018ftypavif\0\0\0\0', 'This picture cannot be read'],
    ['BM\u0000\u0000', 'This picture cannot be read'],
  ])('%j before it is stored', (text, words) => {
    expect(pictureKind(Buffer.from(text))).toEqual({ refused: expect.stringContaining(words) });
  });

  test('a file that breaks off or is no picture after its first bytes', async () => {
    const jpeg = await twoColors(800, 400).jpeg().toBuffer();
    const damaged = { refused: expect.stringContaining('damaged') };
    expect(await rendered(jpeg.subarray(0, jpeg.length / 2))).toMatchObject(damaged);
    expect(await rendered(Buffer.concat([jpeg.subarray(0, 20), Buffer.alloc(5000)]))).toMatchObject(damaged);
    const png = await twoColors(800, 400).png().toBuffer();
    expect(await rendered(png.subarray(0, png.length - 200))).toMatchObject(damaged);
  });

  test('more than 50 million pixels according to its header, without decoding it', async () => {
    const chunk = (type: string, data: Buffer) => {
      const body = Buffer.concat([Buffer.from(type), data]);
      const ends = Buffer.alloc(8);
      ends.writeUInt32BE(data.length, 0);
      ends.writeUInt32BE(crc32(body), 4);
      return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
    };
    const head = Buffer.alloc(13);
    head.writeUInt32BE(60_000, 0);
    head.writeUInt32BE(60_000, 4);
    head.set([8, 2], 8);
    const bomb = Buffer.concat([
      Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
      chunk('IHDR', head),
      chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
      chunk('IEND', Buffer.alloc(0)),
    ]);
    expect(await rendered(bomb)).toMatchObject({ refused: expect.stringContaining('50 million') });
  });
});

test('a file that cannot be opened is a fault of the machine, not of the picture', async () => {
  await expect(renderPicture({ file: path.join(folder, 'nowhere'), folder, turns: 0 })).rejects.toThrow(
    'could not be resized',
  );
});
