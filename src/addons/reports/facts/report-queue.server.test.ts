import { expect, test } from 'vitest';
import { inTurn } from './report-queue.server.ts';

const admin = { roles: ['systemadmin' as const] };
const rep = { roles: ['salesrep' as const] };

test('reports on all quotes run one after another, even after a failure; reports on some quotes do not wait', async () => {
  const steps: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const first = inTurn(admin, async () => {
    steps.push('first begins');
    await released;
    steps.push('first ends');
    throw new Error('the database is away');
  });
  const second = inTurn(admin, async () => {
    steps.push('second');
    return 2;
  });
  expect(await inTurn(rep, async () => steps.push('of a rep'))).toBe(2);
  release();
  await expect(first).rejects.toThrow('the database is away');
  expect(await second).toBe(2);
  expect(steps).toEqual(['first begins', 'of a rep', 'first ends', 'second']);
});
