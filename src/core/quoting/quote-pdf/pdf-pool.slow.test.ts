// Tests the processes that render PDFs when one hangs, dies, fails or starts slowly.
import { expect, test } from 'vitest';
import { aPdfProcess, ask } from '#testing/a-pdf-process.server.ts';
import { pdfPool } from './render-pdf.server.ts';

test('a process that hangs, dies or fails rejects with a clear message, and the next PDF works', async () => {
  const pool = pdfPool(aPdfProcess(), { size: 1, timeout: 2000 });
  for (const trouble of ['hang', 'die', 'throw', 'fail']) {
    const [lost, next] = await Promise.allSettled([ask(pool, trouble), ask(pool, 'good')]);
    expect(lost).toMatchObject({
      status: 'rejected',
      reason: { message: 'The PDF could not be made. Try again in a moment.' },
    });
    expect(next).toMatchObject({ status: 'fulfilled', value: { pages: 1 } });
  }
});

test('the time of a job begins when its process has started', async () => {
  const slow = pdfPool(aPdfProcess(3000), { size: 1, timeout: 2000 });
  expect(await Promise.all([ask(slow, 'good'), ask(slow, 'good')])).toMatchObject([{ pages: 1 }, { pages: 1 }]);
});

test('a warm process waits for the first job, and another takes the place of one that is lost', async () => {
  const warm = pdfPool(aPdfProcess(3000), { size: 1, timeout: 2000, idle: 20, warm: 1 });
  warm.keepWarm();
  expect(warm.size).toBe(1);
  // A process that has not started yet still gets the job.
  const first = ask(warm, 'good');
  expect(warm.size).toBe(1);
  expect(await first).toMatchObject({ pages: 1 });
  await expect(ask(warm, 'hang')).rejects.toThrow('The PDF could not be made.');
  expect(warm.size).toBe(1);
  expect(await ask(warm, 'good')).toMatchObject({ pages: 1 });
});
