// Tests that each user has their own layout on all devices.
import { expect, test } from 'vitest';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer } from '#testing/test-server.server.ts';
import { QuoteBoard } from './board-layout.contract.ts';

test('the server stores a layout for its user and refuses anything else', async () => {
  const server = await startTestServer();
  const [user, other] = [
    await aUser(server.db, { roles: ['insiderep'] }),
    await aUser(server.db, { roles: ['salesrep'] }),
  ];
  const first = { columns: [], density: 'normal', rail: 'auto' };
  expect(await server.ok(QuoteBoard.GetBoardLayout, {}, { as: user })).toEqual(first);
  const layout = {
    columns: [{ key: 'list', hidden: true, width: 120 }],
    density: 'dense' as const,
    rail: 'hidden' as const,
  };
  await server.ok(QuoteBoard.RememberBoardLayout, layout, { as: user });
  expect(await server.ok(QuoteBoard.GetBoardLayout, {}, { as: user })).toEqual(layout);
  expect(await server.ok(QuoteBoard.GetBoardLayout, {}, { as: other })).toEqual(first);
  const wrong = { columns: [{ key: 'list', hidden: true, width: -1 }] };
  expect((await server.call(QuoteBoard.RememberBoardLayout, wrong, { as: user })).status).toBe(422);
  expect((await server.call(QuoteBoard.GetBoardLayout, {})).status).toBe(401);
  await server.close();
});
