// Tests the sample ERP and configurator against a real server.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QuoteOrders } from '#addons/orders/order-requests.contract.ts';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { QuoteConfigurator } from '#addons/configurators/configurator.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { byKey } from './by-key.server.ts';
import { startErp } from './erp.server.ts';
import { anItem } from './factories/catalog.server.ts';
import { aSalesOffice, aUser } from './factories/people.server.ts';
import { aPricedQuote } from './factories/quotes.server.ts';
import { startConfigurator } from './outside-configurator.server.ts';
import { startTestServer, type TestServer } from './test-server.server.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
let address: string;
let admin: { id: number };
beforeAll(async () => {
  server = await startTestServer();
  office = await aSalesOffice(server.db);
  address = await server.listen();
  admin = await aUser(server.db, { roles: ['systemadmin'] });
});
afterAll(() => server.close());

async function withKey(...scopes: string[]) {
  const input = { name: scopes.join(), ownerId: admin.id, scopes };
  return byKey(address, (await server.ok(ApiKey.SaveApiKey, input, { as: admin })).key ?? '');
}

test('the ERP gives each won quote the next number, once', async () => {
  const numbers: string[] = [];
  const call = await withKey('Order:read', 'Order:write');
  const erp = startErp(call, 3_600_000, ({ key }, number) => numbers.push(`${key} ${number}`));
  try {
    const won: { id: number; num: number }[] = [];
    for (let n = 0; n < 2; n++) {
      const quote = await aPricedQuote(server.db, { salesRepId: office.rep.id, statusId: 'SentToCustomer' });
      const { version } = await server.db
        .selectFrom('quote')
        .select('version')
        .where('id', '=', quote.id)
        .executeTakeFirstOrThrow();
      const step = { quoteId: quote.id, version, action: 'MarkWon' as const, poNumber: 'PO-1' };
      await server.ok(QuoteWorkflow.PerformWorkflowAction, step, { as: office.inside });
      won.push(quote);
      await erp.ask();
    }
    await erp.ask();
    expect(numbers).toEqual(won.map(({ num }, index) => `${num}-R1 ${4711 + index}`));
    const { order } = await server.ok(QuoteOrders.GetQuoteOrder, { id: won[1]?.id ?? 0 }, { as: office.rep });
    expect(order).toMatchObject({ state: 'Acknowledged', erpOrderNo: '4712' });
  } finally {
    erp.close();
  }
});

test('the configurator posts the chosen items to the named quote, and says what is wrong', async () => {
  const items = {
    bed: (await anItem(server.db)).itemNumber,
    mattress: (await anItem(server.db)).itemNumber,
    pole: 'P',
  };
  const ready = { call: await withKey('Configurator:write', 'QuoteEdit:read'), items };
  const configurator = await startConfigurator('http://boards', Promise.resolve(ready));
  try {
    const { quote } = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { facilityId: office.facility.id } },
      { as: office.rep },
    );
    const empty = await (await fetch(`${configurator.address}/?quote=${quote.num}`)).text();
    expect(empty).toContain(`value="${quote.num}"`);
    const send = async (fields: Record<string, string>) =>
      (await fetch(configurator.address, { method: 'POST', body: new URLSearchParams(fields) })).text();
    const chosen = { quote: String(quote.num), bed: 'bed-1', color: 'Oak', poles: '2', lamp: 'on' };
    expect(await send(chosen)).toContain(
      `4 items wait on the quote. <a href="http://boards/pub-quote-board/${quote.id}"`,
    );
    const waiting = await server.ok(
      QuoteConfigurator.GetDmsConfiguratorItems,
      { quoteId: quote.id },
      { as: office.rep },
    );
    expect(waiting.items.map(({ position, match }) => [position, match])).toEqual([
      ['frame', 'found'],
      ['mattress', 'found'],
      ['poles', 'unknown'],
      ['lamp', 'unknown'],
    ]);
    expect(await send({ ...chosen, quote: '<b>' })).toContain('role="alert">This quote does not exist.');
  } finally {
    await configurator.close();
  }
});

test('the helper of the demo makes no search that is kept for the administrator', () => {
  const helper = fs.readFileSync(path.join(import.meta.dirname, '../../tools/outside.mjs'), 'utf8');
  expect(helper).toContain('ItemSearch/SearchItemByNumber');
  expect(helper).not.toMatch(/SearchItemAdvanced|QuoteSearch/);
});
