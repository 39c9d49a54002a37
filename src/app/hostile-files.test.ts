// Tests hostile files with the calls that accept files: every call is in the list, and a few small files are accepted or refused with a sentence.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostileFiles } from '#testing/hostile-files.server.ts';
import { escapedFiles, startUploads, uploadAddresses } from '#testing/hostile-uploads.server.ts';

/** Selects every third of the small files that no other process reads. The slow test sends every file to every call. */
const isTried = (file: { what: string; isLarge: boolean }, at: number) =>
  !file.isLarge && !/PDF/.test(file.what) && at % 3 === 0;

let uploads: Awaited<ReturnType<typeof startUploads>>;
beforeAll(async () => {
  uploads = await startUploads();
});
afterAll(() => uploads.close());

it('every call that takes files is in the list', () => {
  const addresses = uploads.uploadCalls.map(([endpoint]) => endpoint.path);
  expect([...new Set(addresses)].toSorted()).toEqual(uploadAddresses.toSorted());
});

it('a hostile file is taken or refused in words', { timeout: 300_000 }, async () => {
  const { uploadCalls, faultsOf } = uploads;
  const files = (await hostileFiles()).filter(isTried);
  expect(files.length).toBeGreaterThan(30);
  const faults: string[] = [];
  for (const [at, file] of files.entries()) {
    const call = uploadCalls[at % uploadCalls.length];
    if (call) faults.push(...(await faultsOf(file, [call])));
  }
  expect(faults).toEqual([]);
  expect(escapedFiles()).toEqual([]);
});

it('a file whose commit was not confirmed keeps its bytes', { timeout: 120_000 }, async () => {
  const { uploadCalls, sendWithLostCommits, filesWithoutBytes } = uploads;
  const unconfirmed: string[] = [];
  for (const call of uploadCalls) if ((await sendWithLostCommits(call)).has(503)) unconfirmed.push(call[0].path);
  // The others store nothing, or only after a further step.
  expect(unconfirmed.length).toBeGreaterThan(7);
  expect(await filesWithoutBytes()).toEqual([]);
});
