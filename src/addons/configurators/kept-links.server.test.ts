// Tests over HTTP what happens to a configuration when its quote is revised, copied, or saved as a template.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteTemplates } from '#core/quoting/quote-templates/quote-templates.contract.ts';
import type { ActionName } from '#core/quoting/quotes/actions.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Configurator, QuoteConfigurator } from './configurator.contract.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
beforeAll(async () => {
  server = await startTestServer();
  office = await aSalesOffice(server.db);
});
afterAll(() => server.close());

/** A sent quote with two items added from a configuration. */
async function aSentBed() {
  const as = office.inside;
  const items = [await anItem(server.db, { price: 100 }), await anItem(server.db, { price: 20 })];
  const { quote } = await server.ok(QuoteEdit.SaveSalesRepQuote, { quote: { facilityId: office.facility.id } }, { as });
  const quoteId = quote.id;
  const post = (...quantities: number[]) =>
    server.ok(
      Configurator.PostConfiguratorItems,
      {
        quoteId,
        configId: 'bed',
        items: quantities.map((qty, index) => ({
          position: String(index + 1),
          itemNumber: items[index]?.itemNumber ?? '',
          qty,
        })),
      },
      { as },
    );
  const open = () => server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quoteId }, { as });
  const get = () => server.ok(QuoteConfigurator.GetDmsConfiguratorItems, { quoteId }, { as });
  const take = async (...wishes: [string, 'add' | 'update' | 'remove'][]) =>
    server.ok(
      QuoteConfigurator.SaveDmsItemsToQuote,
      {
        quoteId,
        version: (await get()).version,
        items: wishes.map(([position, action]) => ({ configId: 'bed', position, action })),
      },
      { as },
    );
  const act = async (action: ActionName) => {
    const { version } = (await open()).quote;
    return server.ok(QuoteWorkflow.PerformWorkflowAction, { quoteId, action, version }, { as });
  };
  await post(1, 2);
  await take(['1', 'add'], ['2', 'add']);
  await act('Submit');
  await act('StartProcess');
  const mail = {
    quoteId,
    version: (await open()).quote.version,
    to: ['buyer@example.org'],
    subject: 'Quote',
    body: 'Here.',
  };
  await server.ok(QuoteWorkflow.SendEmail, mail, { as });
  return { quoteId, post, open, get, take, act };
}

test('a revision keeps the links, and compares and updates items as before; discarding it restores the old state', async () => {
  const { post, open, get, take, act } = await aSentBed();
  const sent = await open();
  await act('Revise');
  const revised = await open();
  expect(revised.quote.revision).toBe(2);
  expect(revised.items.map(({ configured }) => configured)).toEqual(sent.items.map(({ configured }) => configured));
  expect(revised.items[1]?.configured).toMatchObject({ configId: 'bed', position: '1', linked: true });
  await post(5);
  expect((await get()).items.map(({ position, change, fields }) => [position, change, fields])).toEqual([
    ['1', 'changed', ['qty']],
    ['2', 'gone', []],
  ]);
  const taken = await take(['1', 'update'], ['2', 'remove']);
  expect(taken.items.map(({ type, qty, configured }) => [type, qty, configured?.position])).toEqual([
    ['section', 0, ''],
    ['item', 5, '1'],
  ]);
  await act('DiscardRevision');
  const back = await open();
  expect(back.items.map(({ qty, configured }) => [qty, configured])).toEqual(
    sent.items.map(({ qty, configured }) => [qty, configured]),
  );
  expect((await get()).items.map(({ change }) => change)).toEqual(['changed', 'gone']);
});

test('a copy and a template contain plain lines with editable quantities', async () => {
  const { quoteId } = await aSentBed();
  const as = office.inside;
  const copy = await server.ok(QuoteEdit.CloneQuote, { id: quoteId, prices: 'keep' }, { as });
  expect(copy.items.map(({ qty, configured }) => [qty, configured])).toEqual([
    [0, null],
    [1, null],
    [2, null],
  ]);
  expect(copy.configurator.waits).toBe(false);
  const template = await server.ok(QuoteTemplates.SaveQuoteAsTemplate, { quoteId, name: `Bed of ${quoteId}` }, { as });
  expect(template).toMatchObject({ lines: 3, leftOut: 0 });
  const { quote } = await server.ok(QuoteEdit.SaveSalesRepQuote, { quote: { facilityId: office.facility.id } }, { as });
  const filled = await server.ok(
    QuoteEdit.SaveQuoteTemplateForQuote,
    { quoteId: quote.id, templateId: template.id },
    { as },
  );
  const lines = filled.items.filter(({ type }) => type === 'item');
  expect(lines.map(({ qty, configured }) => [qty, configured])).toEqual([
    [1, null],
    [2, null],
  ]);
  for (const line of [...lines, ...copy.items.filter(({ type }) => type === 'item')]) {
    const input = { id: line.id, quoteId: line.quoteId, version: line.version, qty: 9 };
    expect((await server.call(QuoteEdit.SaveQuoteItem, input, { as })).status).toBe(200);
  }
});
