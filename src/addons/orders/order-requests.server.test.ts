// Tests orders of won quotes over HTTP: one per revision, fetched with an API key, acknowledged once, rejected with a reason, displayed.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { aPricedQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import type { Order } from './order.ts';
import { OrderExchange, OrderRequests, QuoteOrders } from './order-requests.contract.ts';

let server: TestServer;
let admin: { id: number };
let sales: { id: number };
let rep: { id: number };
let erp: { headers: Record<string, string> };

beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-10T15:00:00Z');
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  sales = await aUser(server.db, { roles: ['salesadmin'] });
  rep = await aUser(server.db, { roles: ['salesrep'], fullName: 'Robin Rep' });
  erp = await aKey(['Order:read', 'Order:write']);
});
beforeEach(async () => {
  await server.drain();
  await server.db.deleteFrom('order_request').execute();
  server.mails.length = 0;
});
afterAll(() => server.close());

async function aKey(scopes: string[]) {
  const name = `ERP ${scopes.join(' ')}`;
  const { key } = await server.ok(ApiKey.SaveApiKey, { name, ownerId: admin.id, scopes }, { as: admin });
  return { headers: { authorization: `Bearer ${key}` } };
}
const versionOf = async (id: number) =>
  (await server.db.selectFrom('quote').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;
const act = async (quoteId: number, action: 'MarkWon' | 'Reopen', more: object = {}) =>
  server.call(
    QuoteWorkflow.PerformWorkflowAction,
    { quoteId, action, version: await versionOf(quoteId), comment: 'Because', ...more },
    { as: admin },
  );
async function aWonQuote(input: Parameters<typeof aPricedQuote>[1] = {}, more: object = { poNumber: 'PO-9' }) {
  const quote = await aPricedQuote(server.db, { statusId: 'SentToCustomer', salesRepId: rep.id, ...input });
  expect((await act(quote.id, 'MarkWon', more)).status).toBe(200);
  return { ...quote, key: `${quote.num}-R1` };
}
const fetchOrders = (input: object = {}) => server.call(OrderExchange.GetOrderRequests, input, erp);
const acknowledge = (input: object) => server.call(OrderExchange.AcknowledgeOrder, input as never, erp);
const took = (key: string, erpOrderNo = '4711', more: object = {}) =>
  acknowledge({ key, erpOrderNo, status: 'Acknowledged', ...more });
const orderOf = async (id: number, as: { id: number } = admin) => server.ok(QuoteOrders.GetQuoteOrder, { id }, { as });
const detailOf = ({ body }: { body: unknown }) => (body as { detail: string }).detail;
const errorsOf = ({ body }: { body: unknown }) =>
  (body as { errors: { path: string; message: string }[] }).errors.map(({ path, message }) => `${path}: ${message}`);
const rows = () => server.db.selectFrom('order_request').selectAll().orderBy('id').execute();

describe('a won quote', () => {
  it('requests one order with all that an ERP needs, as it was when the quote was won', async () => {
    const quote = await aWonQuote();
    await server.db.updateTable('quote').set({ facility_name: 'Renamed' }).where('id', '=', quote.id).execute();
    const { body } = await fetchOrders();
    const stored = await server.db.selectFrom('quote').selectAll().where('id', '=', quote.id).executeTakeFirstOrThrow();
    const lines = await server.db.selectFrom('quote_item').selectAll().where('quote_id', '=', quote.id).execute();
    expect(body).toMatchObject({ total: 1, pageCount: 1 });
    expect(body.records[0]).toMatchObject({
      key: quote.key,
      state: 'Sent',
      order: {
        key: quote.key,
        quoteNumber: quote.num,
        revision: 1,
        poNumber: 'PO-9',
        account: { acctNo: stored.facility_acct_no },
        total: stored.total_amount,
        currency: 'USD',
        replaces: '',
      },
    });
    expect(body.records[0]?.order.account.name).not.toBe('Renamed');
    expect(body.records[0]?.order.lines).toEqual(
      lines.map((line) =>
        expect.objectContaining({ itemNumber: line.item_number, qty: line.qty, unitPrice: line.unit_price }),
      ),
    );
  });

  it('leaves out lines that are switched off or optional', async () => {
    const quote = await aPricedQuote(server.db, { statusId: 'SentToCustomer', salesRepId: rep.id });
    const line = { quote_id: quote.id, item_number: 'EXTRA', description: 'x', qty: 1, unit: 'EA', unit_price: 1 };
    await server.db
      .insertInto('quote_item')
      .values([
        { ...line, line_no: 90, optional: true },
        { ...line, line_no: 91, active: false },
        { ...line, line_no: 92, type: 'note' },
      ])
      .execute();
    await act(quote.id, 'MarkWon', { poNumber: 'P' });
    const { body } = await fetchOrders();
    expect(body.records[0]?.order.lines.map(({ itemNumber }) => itemNumber)).not.toContain('EXTRA');
  });

  it('waits and says that no ERP is connected', async () => {
    const quote = await aWonQuote();
    // The API key of this test is the only connection.
    await server.db.updateTable('api_key').set({ revoked_at: new Date() }).execute();
    const result = await orderOf(quote.id, rep);
    const list = await server.ok(OrderRequests.SearchOrderRequests, {}, { as: sales });
    await server.db.updateTable('api_key').set({ revoked_at: null }).execute();
    expect(result).toMatchObject({ connected: false, order: { state: 'Waiting', erpOrderNo: '', error: '' } });
    expect(list.ways).toMatchObject({ folder: '', files: false, keys: [] });
    expect((await orderOf(quote.id)).connected).toBe(true);
  });

  it('makes one order if several people win it at the same time', async () => {
    const quote = await aPricedQuote(server.db, { statusId: 'SentToCustomer', salesRepId: rep.id });
    const answers = await Promise.all([1, 2, 3].map(() => act(quote.id, 'MarkWon', { poNumber: 'P' })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await rows()).toHaveLength(1);
  });

  it('is announced to webhooks once, without a price', async () => {
    const events = ['order_request.created'];
    await server.db.insertInto('webhook_endpoint').values({ address: 'https://example.com/', events }).execute();
    const quote = await aWonQuote();
    await act(quote.id, 'MarkWon', { poNumber: 'P' });
    const messages = await server.db.selectFrom('webhook_message').selectAll().execute();
    await server.db.deleteFrom('webhook_message').execute();
    await server.db.deleteFrom('webhook_endpoint').execute();
    const [row] = await rows();
    expect(messages.map(({ type, body }) => [type, (JSON.parse(body) as { data: unknown }).data])).toEqual([
      ['order_request.created', { id: row?.id, number: quote.key, revision: 1, status: 'Waiting' }],
    ]);
  });

  it('makes no order if winning it is refused', async () => {
    const quote = await aPricedQuote(server.db, { statusId: 'SentToCustomer', salesRepId: rep.id });
    expect((await act(quote.id, 'MarkWon')).status).toBe(422);
    expect(await rows()).toEqual([]);
  });

  it('withdraws its order if it is reopened before the ERP has it; the next revision makes another order', async () => {
    const quote = await aWonQuote();
    expect((await act(quote.id, 'Reopen')).status).toBe(200);
    expect((await fetchOrders()).body.records).toEqual([]);
    const refused = await took(quote.key);
    expect([refused.status, detailOf(refused)]).toEqual([409, expect.stringContaining('the quote was reopened')]);
    await server.db.updateTable('quote').set({ status_id: 'SentToCustomer' }).where('id', '=', quote.id).execute();
    await act(quote.id, 'MarkWon', { poNumber: 'P' });
    const { body } = await fetchOrders();
    expect(body.records.map(({ key, order }) => [key, order.replaces])).toEqual([[`${quote.num}-R2`, '']]);
    expect((await rows()).map(({ state }) => state)).toEqual(['Withdrawn', 'Sent']);
  });

  it('keeps its order if it is reopened after the ERP has it; the next order names the one that it replaces', async () => {
    const quote = await aWonQuote();
    await fetchOrders();
    await took(quote.key);
    await act(quote.id, 'Reopen');
    expect((await orderOf(quote.id)).order).toMatchObject({ state: 'Acknowledged', erpOrderNo: '4711', revision: 1 });
    await server.db.updateTable('quote').set({ status_id: 'SentToCustomer' }).where('id', '=', quote.id).execute();
    await act(quote.id, 'MarkWon', { poNumber: 'P' });
    expect((await fetchOrders()).body.records.map(({ order }) => order.replaces)).toEqual([quote.key]);
  });
});

describe('fetching', () => {
  it('returns the same orders until they are answered, oldest first, in pages', async () => {
    const quotes = [await aWonQuote(), await aWonQuote(), await aWonQuote()];
    const pages = [await fetchOrders({ page: 1, pageSize: 2 }), await fetchOrders({ page: 2, pageSize: 2 })];
    expect(pages.flatMap(({ body }) => body.records.map(({ key }) => key))).toEqual(quotes.map(({ key }) => key));
    expect(pages.map(({ body }) => [body.pageCount, body.total])).toEqual([
      [2, 3],
      [2, 3],
    ]);
    expect((await fetchOrders({ page: 3, pageSize: 2 })).body.records).toEqual([]);
    expect((await fetchOrders()).body.records).toHaveLength(3);
    await took(quotes[0]?.key ?? '');
    expect((await fetchOrders()).body.records).toHaveLength(2);
    expect((await fetchOrders({ state: 'Acknowledged' })).body.records.map(({ erpOrderNo }) => erpOrderNo)).toEqual([
      '4711',
    ]);
  });

  it('since a point in time returns only what is new or changed after it', async () => {
    const old = await aWonQuote();
    server.setNow('2026-11-10T16:00:00Z');
    const recent = await aWonQuote();
    const since = await fetchOrders({ since: '2026-11-10T15:30:00Z' });
    expect(since.body.records.map(({ key }) => key)).toEqual([recent.key]);
    expect((await fetchOrders({ since: '2026-11-10T10:00:00-05:00' })).body.records).toHaveLength(2);
    await took(old.key);
    const changed = await fetchOrders({ state: 'Acknowledged', since: '2026-11-10T15:30:00Z' });
    server.setNow('2026-11-10T15:00:00Z');
    expect(changed.body.records.map(({ key }) => key)).toEqual([old.key]);
  });

  it.each([
    [{ state: 'Gone' }, 'state'],
    [{ since: 'yesterday' }, 'since'],
    [{ page: 0 }, 'page'],
    [{ pageSize: 1e6 }, 'pageSize'],
  ])('422 for %j', async (input, path) => {
    const refused = await fetchOrders(input);
    expect(refused.status).toBe(422);
    expect(errorsOf(refused)[0]).toMatch(new RegExp(`^${path}: `));
  });

  it('needs the scope for orders, and a permitted person', async () => {
    const [reads, writes, other] = [
      await aKey(['Order:read']),
      await aKey(['Order:write']),
      await aKey(['QuoteEdit:read']),
    ];
    const statuses = async (key: typeof erp) => [
      (await server.call(OrderExchange.GetOrderRequests, {}, key)).status,
      (await server.call(OrderExchange.AcknowledgeOrder, { key: 'x', erpOrderNo: '1', status: 'Acknowledged' }, key))
        .status,
    ];
    expect(await statuses(reads)).toEqual([200, 403]);
    expect(await statuses(writes)).toEqual([403, 404]);
    expect(await statuses(other)).toEqual([403, 403]);
    expect((await server.call(OrderExchange.GetOrderRequests, {}, { as: rep })).status).toBe(403);
    expect((await server.call(OrderExchange.GetOrderRequests, {})).status).toBe(401);
  });
});

describe('acknowledging', () => {
  it('three times is the same as once; another number is refused with a reason', async () => {
    const quote = await aWonQuote();
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(await took(quote.key));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(answers[2]?.body).toEqual(answers[0]?.body);
    const other = await took(quote.key, '4712');
    expect([other.status, detailOf(other)]).toEqual([409, `${quote.key} was already acknowledged as order 4711.`]);
    const rejected = await acknowledge({ key: quote.key, status: 'Rejected', reason: 'No' });
    expect(rejected.status).toBe(409);
    const events = await server.db
      .selectFrom('quote_event')
      .select('action')
      .where('quote_id', '=', quote.id)
      .execute();
    expect(events.filter(({ action }) => action === 'AcknowledgeOrder')).toHaveLength(1);
  });

  it('with lines three times is the same as once', async () => {
    const quote = await aWonQuote();
    const lines = [{ lineNo: 1, status: 'Backordered', qty: 1.5, shipOn: '12/24/2026', note: 'late' }];
    const answers = [await took(quote.key, '4711', { lines })];
    const [before] = await rows();
    server.setNow('2026-11-10T16:00:00Z');
    for (let n = 0; n < 2; n++) answers.push(await took(quote.key, '4711', { lines }));
    const [after] = await rows();
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, answers[0]?.body]));
    expect(after).toEqual(before);
    await took(quote.key, '4711', { lines: [{ ...lines[0], qty: 2 }] });
    server.setNow('2026-11-10T15:00:00Z');
    const [changed] = await rows();
    expect(changed?.version).toBe((before?.version ?? 0) + 1);
  });

  it('by three programs at the same time with two numbers keeps one number', async () => {
    const quote = await aWonQuote();
    const answers = await Promise.all(['1', '1', '2'].map((number) => took(quote.key, number)));
    const [row] = await rows();
    expect(answers.map(({ status }) => status).filter((status) => status === 409).length).toBe(
      row?.erp_order_no === '1' ? 1 : 2,
    );
  });

  it('shows the number and the lines on the quote, and the number to the customer', async () => {
    const quote = await aWonQuote();
    await server.db
      .updateTable('quote_revision')
      .set({ doc_id: 'A'.repeat(22) })
      .where('quote_id', '=', quote.id)
      .execute();
    const lines = [{ lineNo: 1, status: 'Backordered', qty: 2, shipOn: '12/24/2026', note: '<b>late</b>' }];
    expect((await took(quote.key, 'SO 4711', { lines })).status).toBe(200);
    const { order } = await orderOf(quote.id, rep);
    expect(order).toMatchObject({ state: 'Acknowledged', erpOrderNo: 'SO 4711' });
    expect(order?.lines).toEqual([
      { lineNo: 1, status: 'Backordered', qty: 2, shipOn: '2026-12-24', note: '<b>late</b>' },
    ]);
    // The ERP may send new states of the lines later.
    await took(quote.key, 'SO 4711', { lines: [{ lineNo: 1, status: 'Accepted' }] });
    expect((await orderOf(quote.id, rep)).order?.lines).toEqual([{ lineNo: 1, status: 'Accepted' }]);
  });

  it('keeps the last answer about each line, and emails what is not as ordered, once', async () => {
    const quote = await aWonQuote({ lines: [{ itemNumber: 'A-1' }, { itemNumber: 'A-2' }] });
    const answers = [{ lineNo: 1, status: 'Backordered', shipOn: '12/24/2026' }];
    for (let n = 0; n < 2; n++) await took(quote.key, '4711', { lines: answers });
    await took(quote.key, '4711', { lines: [{ lineNo: 2, status: 'Changed', qty: 1, note: 'the last ones' }] });
    await took(quote.key, '4711', { lines: [{ lineNo: 2, status: 'Accepted' }] });
    await took(quote.key, '4711');
    expect((await orderOf(quote.id, rep)).order?.lines).toEqual([
      { lineNo: 1, status: 'Backordered', shipOn: '2026-12-24' },
      { lineNo: 2, status: 'Accepted' },
    ]);
    await server.drain();
    const mails = server.mails.filter(({ subject }) => subject.includes(quote.key));
    expect(mails.map(({ text }) => /^Line.*$/m.exec(text)?.[0])).toEqual([
      'Line 1: backordered, ships 12/24/2026',
      'Line 2: changed to 1, the last ones',
    ]);
    const events = await server.db
      .selectFrom('quote_event')
      .select(['action', 'comment'])
      .where('quote_id', '=', quote.id)
      .where('action', 'in', ['AcknowledgeOrder', 'AnswerOrderLines'])
      .orderBy('id')
      .execute();
    expect(events).toEqual([
      { action: 'AcknowledgeOrder', comment: 'Line 1: backordered, ships 12/24/2026' },
      { action: 'AnswerOrderLines', comment: 'Line 2: changed to 1, the last ones' },
    ]);
  });

  it.each([
    [{ lines: [{ lineNo: 1, status: 'Accepted', qty: 77 }] }, /^lines\.0\.qty: .* use the status Changed\.$/],
    [
      { lines: [{ lineNo: 1, status: 'Changed' }] },
      'lines.0.status: Specify what changes in line 1: qty, shipOn or note.',
    ],
    [{ lines: [{ lineNo: 1, status: 'Rejected', qty: 1 }] }, 'lines.0.qty: Line 1 is rejected. Omit its quantity.'],
    [{ lines: [{ lineNo: 1, status: 'Changed', unitPrice: 9.5 }] }, 'lines.0: Not a field of this call: unitPrice'],
    [{ total: 9.5 }, ': Not a field of this call: total'],
    [{ erpOrderNo: '' }, 'erpOrderNo: Enter the ERP order number.'],
    [{ status: 'Rejected' }, 'reason: Enter a reason.'],
    [{ lines: [{ lineNo: 99_999, status: 'Accepted' }] }, /^lines\.0\.lineNo: .* has no line 99999\.$/],
    [
      {
        lines: [
          { lineNo: 1, status: 'Accepted' },
          { lineNo: 1, status: 'Rejected' },
        ],
      },
      'lines.1.lineNo: Line 1 appears twice in this answer.',
    ],
    [{ erpOrderNo: 'x'.repeat(61) }, 'erpOrderNo: At most 60 characters'],
    [{ status: 'Maybe' }, /^status: /],
    [{ erpOrderNo: 4711 }, /^erpOrderNo: /],
  ])('422 for %j', async (more, error) => {
    const quote = await aWonQuote();
    const refused = await took(quote.key, '4711', more);
    expect(refused.status).toBe(422);
    expect(errorsOf(refused)[0]).toMatch(error);
  });

  it('answers 404 for an unknown key', async () => {
    const unknown = await took('999999-R1');
    expect([unknown.status, detailOf(unknown)]).toEqual([404, 'Order request 999999-R1 does not exist.']);
  });
});

describe('rejecting', () => {
  it('emails the reason to the owner once, and the quote shows it', async () => {
    const quote = await aWonQuote();
    const refusal = { key: quote.key, status: 'Rejected', reason: 'Item A-1 is blocked' };
    expect((await acknowledge(refusal)).status).toBe(200);
    expect((await acknowledge(refusal)).status).toBe(200);
    await server.drain();
    const mails = server.mails.filter(({ subject }) => subject.includes(quote.key));
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('rejected by the ERP')]);
    expect(mails[0]?.text).toContain('Item A-1 is blocked');
    expect((await orderOf(quote.id, rep)).order).toMatchObject({ state: 'Rejected', reason: 'Item A-1 is blocked' });
    const late = await took(quote.key);
    expect([late.status, detailOf(late)]).toEqual([409, expect.stringContaining('must be sent again')]);
  });

  it('is resolved by sending the order again with the same content', async () => {
    const quote = await aWonQuote();
    const before = (await fetchOrders()).body.records[0]?.order;
    await acknowledge({ key: quote.key, status: 'Rejected', reason: 'Blocked' });
    const { records } = await server.ok(OrderRequests.SearchOrderRequests, { state: 'Rejected' }, { as: sales });
    const [row] = records;
    const again = await server.ok(
      OrderRequests.ResendOrderRequest,
      { id: row?.id ?? 0, version: row?.version ?? 0 },
      { as: sales },
    );
    expect(again).toMatchObject({ state: 'Waiting', reason: '' });
    expect((await fetchOrders()).body.records[0]?.order).toEqual(before);
    expect((await took(quote.key)).status).toBe(200);
  });
});

describe('the list', () => {
  it('finds by quote number, PO, and order number, and has pages', async () => {
    const [first, two] = [await aWonQuote({}, { poNumber: 'PO-ALPHA' }), await aWonQuote({}, { poNumber: 'PO-BETA' })];
    await took(two.key, 'SO-77');
    const search = async (input: object) =>
      (await server.ok(OrderRequests.SearchOrderRequests, input, { as: sales })).records.map(({ key }) => key);
    expect(await search({})).toEqual([two.key, first.key]);
    expect(await search({ keyword: 'alpha' })).toEqual([first.key]);
    expect(await search({ keyword: 'so-77' })).toEqual([two.key]);
    expect(await search({ keyword: String(first.num) })).toEqual([first.key]);
    expect(await search({ state: 'Waiting' })).toEqual([first.key]);
    expect(await search({ page: 2, pageSize: 1, sort: { field: 'requestedAt', dir: 'asc' } })).toEqual([two.key]);
  });

  it('does not resend orders that the ERP accepted, outdated versions, or unknown orders', async () => {
    const quote = await aWonQuote();
    const [row] = await rows();
    const resend = (input: Record<string, unknown>) =>
      server.call(OrderRequests.ResendOrderRequest, input, { as: sales });
    expect((await resend({ id: row?.id })).status).toBe(422);
    expect((await resend({ id: 2_147_483_647, version: 1 })).status).toBe(404);
    await took(quote.key);
    expect((await resend({ id: row?.id, version: row?.version })).status).toBe(409);
    const [now] = await rows();
    const refused = await resend({ id: now?.id, version: now?.version });
    expect([refused.status, detailOf(refused)]).toEqual([409, expect.stringContaining('4711')]);
    expect((await server.call(OrderRequests.ResendOrderRequest, { id: 1, version: 1 }, { as: rep })).status).toBe(403);
  });

  it('gives each order as a file in three formats', async () => {
    server.setNow('2026-11-11T02:30:00Z');
    const quote = await aWonQuote();
    server.setNow('2026-11-10T15:00:00Z');
    const [row] = await rows();
    const content = { ...(row?.content as Order), tax: 7.25 };
    await server.db
      .updateTable('order_request')
      .set({ content: JSON.stringify(content) })
      .execute();
    const file = (format: string) => server.call(OrderRequests.GetOrderFile, { id: row?.id, format }, { as: sales });
    const [json, csv, x12] = [await file('json'), await file('csv'), await file('x12')];
    expect(JSON.parse(json.bytes.toString())).toMatchObject({ key: quote.key, tax: 7.25 });
    const [titles = [], values = []] = csv.bytes
      .toString()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(titles.slice(0, 3)).toEqual(['Key', 'Quote', 'Revision']);
    expect(values[titles.indexOf('Tax')]).toBe('7.25');
    expect(x12.bytes.toString()).toMatch(/^ISA\*00\*/);
    expect(x12.bytes.toString()).toContain('\nDTM*004*20261110~\nTXI*TX*7.25~\n');
    expect(x12.headers['content-disposition']).toContain(`order-${quote.key}.edi`);
    expect((await file('xml')).status).toBe(422);
    expect((await server.call(OrderRequests.GetOrderFile, { id: 999_999, format: 'csv' }, { as: sales })).status).toBe(
      404,
    );
    expect((await server.call(OrderRequests.GetOrderFile, { id: row?.id, format: 'csv' }, { as: rep })).status).toBe(
      403,
    );
  });

  it('the order of a quote that a person may not see does not exist for them', async () => {
    const quote = await aWonQuote();
    const stranger = await aUser(server.db, { roles: ['salesrep'] });
    expect((await server.call(QuoteOrders.GetQuoteOrder, { id: quote.id }, { as: stranger })).status).toBe(404);
  });

  it('the customer sees the order number on the quote’s page', async () => {
    const quote = await aPricedQuote(server.db, { statusId: 'Processing', salesRepId: rep.id });
    const mail = {
      quoteId: quote.id,
      version: await versionOf(quote.id),
      to: ['b@example.org'],
      subject: 'Q',
      body: 'H',
    };
    const sent = await server.ok(QuoteWorkflow.SendEmail, mail, { as: admin });
    const docId = sent.quote.docId ?? '';
    const accepted = await server.ok(QuoteDoc.AcceptQuote, { docId, name: 'Jane', title: 'Buyer', acceptTerms: true });
    expect(accepted.orderNo).toBe('');
    await took(`${quote.num}-R1`, '4711');
    expect(await server.ok(QuoteDoc.GetQuoteDoc, { id: docId })).toMatchObject({ state: 'Accepted', orderNo: '4711' });
  });
});
