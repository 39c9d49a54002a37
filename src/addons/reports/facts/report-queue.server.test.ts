import { expect, test } from 'vitest';
import { inTurn } from './report-queue.server.ts';

const admin = { roles: ['systemadmin' as const] };
const rep = { roles: ['salesrep' as const] };

test('reports over all quotes run one after another, whatever becomes of them; those over some wait for none of them', async () => {
  const steps: string[] = [];
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  const first = inTurn(admin, async () => {
    steps.push('first begins');
    await told;
    steps.push('first ends');
    throw new Error('the database is away');
  });
  const second = inTurn(admin, async () => {
    steps.push('second');
    return 2;
  });
  expect(await inTurn(rep, async () => steps.push('of a rep'))).toBe(2);
  tell();
  await expect(first).rejects.toThrow('the database is away');
  expect(await second).toBe(2);
  expect(steps).toEqual(['first begins', 'of a rep', 'first ends', 'second']);
});
