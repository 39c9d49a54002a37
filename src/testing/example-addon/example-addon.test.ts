// Tests that the example of docs/addons.md works, and that the page shows it as it is.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aUser } from '../factories/people.server.ts';
import { aPricedQuote } from '../factories/quotes.server.ts';
import { startTestServer, type TestServer } from '../test-server.server.ts';
import { lineCountServer } from './addon.server.ts';
import { lineCountWeb } from './addon.web.ts';
import { lineCountAnswers } from './line-count.server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('is on the page as it is', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/addons.md'), 'utf8');
  const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'));
  for (const file of files) {
    const source = readFileSync(path.join(import.meta.dirname, file), 'utf8');
    expect(page).toContain(`\`${file}\``);
    expect(page).toContain(`\n${source}\`\`\`\n`);
  }
});

it('has one name on the server and in the browser, and a panel', () => {
  expect(lineCountServer.addon.name).toBe(lineCountWeb.name);
  expect(lineCountWeb.doors).toHaveLength(1);
});

it('counts the lines of a quote', async () => {
  const { id } = await aUser(server.db, { roles: ['systemadmin'] });
  const quote = await aPricedQuote(server.db, { lines: [{ qty: 2 }, { qty: 3 }] });
  const user = {
    id,
    userName: '',
    fullName: '',
    roles: ['systemadmin' as const],
    sessionId: '',
    regionIds: [],
    supportedRepIds: [],
    deputyFor: [],
    mustChangePassword: false,
  };
  const context = { db: server.db, services: server.services, user } as unknown as Parameters<
    typeof lineCountAnswers.CountLines
  >[0];
  expect(await lineCountAnswers.CountLines(context, { quoteId: quote.id })).toEqual({ lines: 2, pieces: 5 });
});
