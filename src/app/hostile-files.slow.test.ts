// Tests more than two hundred hostile files with every call that accepts files: each is accepted or refused with a sentence, in limited time and
// memory.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostileFiles } from '#testing/hostile-files.server.ts';
import { escapedFiles, startUploads } from '#testing/hostile-uploads.server.ts';

/** The memory by which the process may grow, although the files unpack to gigabytes. */
const MAX_MEMORY = 700 * 1024 * 1024;

let uploads: Awaited<ReturnType<typeof startUploads>>;
beforeAll(async () => {
  uploads = await startUploads();
});
afterAll(() => uploads.close());

it('every call takes what it is for', async () => {
  for (const call of uploads.uploadCalls)
    expect([call[0].path, await uploads.takenBy(call)]).toEqual([call[0].path, expect.any(String)]);
}, 600_000);

it('hostile files are taken or refused in words, none takes long, and the memory stays bounded', async () => {
  const files = await hostileFiles();
  expect(files.length).toBeGreaterThan(200);
  const before = process.resourceUsage().maxRSS * 1024;
  const faults: string[] = [];
  for (const file of files) faults.push(...(await uploads.faultsOf(file, uploads.uploadCalls)));
  const unfinished = await uploads.unfinishedPictures();
  expect(faults).toEqual([]);
  expect(process.resourceUsage().maxRSS * 1024 - before).toBeLessThan(MAX_MEMORY);
  expect(unfinished).toEqual([]);
  expect(escapedFiles()).toEqual([]);
}, 1_200_000);
