// Runs the commands of docs/api.md unchanged against a server.
import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote, aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { ApiKey } from './api-keys.contract.ts';

const DOCUMENT = path.join(import.meta.dirname, '../../../docs/api.md');
const hasShell = spawnSync('sh', ['-c', 'command -v curl']).status === 0;

let server: TestServer;
let environment: Record<string, string>;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'api-docs-'));
beforeAll(async () => {
  server = await startTestServer();
  const admin = await aUser(server.db, { roles: ['systemadmin'] });
  const scopes = [
    'QuoteSearch:read',
    'QuoteEdit:read',
    'QuoteEdit:write',
    'QuoteWorkflow:read',
    'DataImport:write',
    'Webhook:read',
    'Order:read',
    'Order:write',
    'Configurator:write',
  ];
  const { key } = await server.ok(ApiKey.SaveApiKey, { name: 'Docs', ownerId: admin.id, scopes }, { as: admin });
  const office = await aSalesOffice(server.db);
  const { id, itemNumber } = await anItem(server.db);
  const quote = await aQuote(server.db, { facility: office.facility, itemNumbers: [itemNumber] });
  const orders = [];
  for (const _ of [1, 2]) {
    const won = await aPricedQuote(server.db, { statusId: 'SentToCustomer' });
    const input = { quoteId: won.id, action: 'MarkWon' as const, version: 1, poNumber: 'PO-1' };
    await server.ok(QuoteWorkflow.PerformWorkflowAction, input, { as: admin });
    orders.push(`${won.num}-R1`);
  }
  fs.writeFileSync(path.join(folder, 'bed-7.csv'), 'Position,Item number,Quantity\n1,BED-40,1\n');
  fs.writeFileSync(path.join(folder, 'items.csv'), 'Item number,Description\nA-1,Catheter\n');
  environment = {
    QUOTEBOARD: await server.listen(),
    KEY: key ?? '',
    QUOTE: String(quote.id),
    FACILITY: String(office.facility.id),
    ITEM: String(id),
    ORDER: orders[0] ?? '',
    OTHER_ORDER: orders[1] ?? '',
  };
});
afterAll(async () => {
  await server.close();
  fs.rmSync(folder, { recursive: true });
});

const commands = [...fs.readFileSync(DOCUMENT, 'utf8').matchAll(/```sh\n(curl [\s\S]*?)```/g)].map(
  ([, text]) => text ?? '',
);

it('the document contains commands', () => {
  expect(commands.length).toBeGreaterThanOrEqual(5);
});

it.skipIf(!hasShell).each(commands)('%s', async (command) => {
  const strict = command.replace('curl ', 'curl --fail-with-body ');
  const run = promisify(execFile)('sh', ['-c', strict], { cwd: folder, env: { ...process.env, ...environment } });
  const { stdout } = await run.catch((error: { stdout: string; message: string }) => {
    throw new Error(`${error.message} ${error.stdout}`);
  });
  const file = /-o (\S+)/.exec(command)?.[1];
  const answered = file ? fs.readFileSync(path.join(folder, file), 'latin1') : stdout;
  expect(answered).toMatch(file ? /^%PDF-/ : /^\{.*\}$/s);
});
