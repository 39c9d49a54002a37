// Tests over HTTP a price that depends on an eligibility request, from the line to the customer's answer.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { QuoteDoc } from '#core/quoting/quote-doc/quote-doc.contract.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aHangingQuote as inDb } from '#testing/a-hanging-quote.server.ts';
import { aContractPrice, aLetter, aRosterRow } from '#testing/factories/contracts.server.ts';
import { aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { makeFirm } from './make-firm.server.ts';

type User = Awaited<ReturnType<typeof aUser>>;
let server: TestServer;
let cs: User;
let desk: User;
beforeAll(async () => {
  server = await startTestServer();
  cs = await aUser(server.db, { roles: ['csrep'] });
  desk = await aUser(server.db, { roles: ['contractdept'] });
});
beforeEach(() => server.setNow('2026-10-02T15:00:00Z'));
afterAll(() => server.close());

const aHangingQuote = (input?: Parameters<typeof inDb>[2]) => inDb(server, cs, input);
type Hanging = Awaited<ReturnType<typeof aHangingQuote>>;

const read = (quoteId: number) => server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quoteId }, { as: cs });
const step = async (quoteId: number, action: string, as: User, more: object = {}) => {
  const { version } = (await read(quoteId)).quote;
  return server.call(QuoteWorkflow.PerformWorkflowAction, { quoteId, action, version, ...more }, { as });
};
async function send(quoteId: number) {
  for (const [action, as] of [
    ['StartProcess', cs],
    ['RequestApproval', cs],
    ['ApproveDiscount', desk],
  ] as const)
    expect(await step(quoteId, action, as)).toMatchObject({ status: 200 });
  const { quote } = await read(quoteId);
  const mail = { quoteId, version: quote.version, to: ['b@example.org'], subject: 'Quote', body: 'Hello' };
  return server.call(QuoteWorkflow.SendEmail, mail, { as: cs });
}
async function aSentQuote(input?: Parameters<typeof aHangingQuote>[0]) {
  const result = await aHangingQuote(input);
  const sent = await send(result.quoteId);
  expect(sent.status).toBe(200);
  const { docId } = (await read(result.quoteId)).quote;
  const document = async () => (await server.ok(QuoteDoc.GetQuoteDoc, { id: docId ?? '' }, {})).document;
  return { ...result, docId: docId ?? '', document };
}
/** Approves as the contract desk does: writes request, roster and letter. */
async function approve({ request, contract, office }: Hanging, tierId: number, firmFrom: string) {
  const { db } = server;
  await db
    .updateTable('eligibility_request')
    .set({ state: 'Approved', decided_tier_id: tierId, firm_from: firmFrom })
    .where('id', '=', request.id)
    .execute();
  await db.deleteFrom('contract_roster').where('contract_id', '=', contract.id).execute();
  const place = { contractId: contract.id, facilityId: office.facility.id, tierId };
  await aRosterRow(db, { ...place, from: firmFrom });
  await aLetter(db, { ...place, from: firmFrom });
}
const firm = (quoteId: number) => inTransaction(server.db, (db) => makeFirm(db, server.services, { quoteId }));
const accept = (docId: string, atFallbackPrice: boolean, total?: number) =>
  server.call(
    QuoteDoc.AcceptQuote,
    { docId, name: 'Pat Buyer', title: 'Buyer', acceptTerms: true, atFallbackPrice, total },
    {},
  );

describe('a line of a quote that waits for a request', () => {
  test('shows the price of the wanted tier, and stores its price without the request', async () => {
    const { made, board, request } = await aHangingQuote();
    expect(made.quote.totalAmount).toBe(4500);
    expect(board.quote).toMatchObject({ totalAmount: 3850, fallbackTotal: 4500 });
    expect(board.items[0]).toMatchObject({
      unitPrice: 38.5,
      priceSource: 'Contract',
      fallback: { requestId: request.id, unitPrice: 45, priceSource: 'Contract' },
    });
    expect(board.items[0]?.priceProof.find(({ step: name }) => name === 'Provisional')?.note).toBe(
      'Tier 3 is not approved yet. Without it $45.00 (Contract ' +
        `${board.items[0]?.priceProof.find(({ step: name }) => name === 'Resolved')?.source.match(/C-\d+/)?.[0]}, tier 1 (local agreement))`,
    );
    expect(board.provisional).toMatchObject({ standing: 'Open', totalAmount: 3850, fallbackTotal: 4500 });
    expect(board.approvalNeeded).toMatchObject([{ metric: 'provisional', role: 'contractdept', figure: 6.5 }]);
  });

  test('falls back to the list price when the facility is not on the roster', async () => {
    const { made, board } = await aHangingQuote({ onRoster: false });
    expect(made.quote.totalAmount).toBe(6000);
    expect(board.quote).toMatchObject({ totalAmount: 3850, fallbackTotal: 6000 });
  });

  test('is firm when the tier allows no provisional price, and in a quote that does not wait', async () => {
    const { board, office, item } = await aHangingQuote({ allowed: false });
    expect(board.quote).toMatchObject({ totalAmount: 4500, fallbackTotal: null });
    expect(board.provisional).toBeNull();
    const other = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { facilityId: office.facility.id }, items: [{ itemId: item.id, qty: 1, unit: 'BX' }] },
      { as: cs },
    );
    expect(other.items[0]).toMatchObject({ unitPrice: 45, fallback: null });
  });

  test('a typed price depends on no request, but a percentage off does', async () => {
    const { board, quoteId } = await aHangingQuote();
    const [line] = board.items;
    const save = (patch: object, version: number | undefined) =>
      server.ok(
        QuoteEdit.SaveQuoteItem,
        { quoteId, id: line?.id ?? 0, version, ...patch },
        {
          as: cs,
        },
      );
    await save({ discountPct: 10, priceReason: 'Goodwill' }, line?.version);
    let [now] = (await read(quoteId)).items;
    expect(now).toMatchObject({ unitPrice: 34.65, fallback: { unitPrice: 40.5 } });
    await save({ unitPrice: 40, priceReason: 'Agreed' }, now?.version);
    [now] = (await read(quoteId)).items;
    expect(now).toMatchObject({ unitPrice: 40, fallback: null });
    expect((await read(quoteId)).quote.fallbackTotal).toBeNull();
  });
});

describe('a quote that was sent provisionally', () => {
  test('shows both totals, and cannot be won before the request is approved', async () => {
    const { quoteId, docId, document } = await aSentQuote();
    expect(await document()).toMatchObject({
      totals: { totalAmount: 3850 },
      provisional: { total: 4500, text: expect.stringMatching(/^Tier 3 of contract C-\d+ is not approved yet\.$/) },
      lines: [{ unitPrice: 38.5, withoutRequest: { unitPrice: 45 } }],
    });
    server.setNow('2026-10-10T15:00:00Z');
    const won = await step(quoteId, 'MarkWon', cs, { poNumber: 'PO-1' });
    expect(won.status).toBe(409);
    expect(JSON.stringify(won.body)).toMatch(/\$3,850\.00.*\$4,500\.00/);
    expect((await accept(docId, false)).status).toBe(409);
    expect((await read(quoteId)).quote).toMatchObject({ statusId: 'SentToCustomer', totalAmount: 3850 });
  });

  test('becomes firm on the first day of the approval, and its document stays unchanged', async () => {
    const result = await aSentQuote();
    const before = await result.document();
    server.setNow('2026-10-14T15:00:00Z');
    await approve(result, result.third.id, '2026-10-15');
    expect(await firm(result.quoteId)).toEqual([]);
    expect((await read(result.quoteId)).provisional).toMatchObject({ standing: 'Later' });
    expect((await step(result.quoteId, 'MarkWon', cs, { poNumber: 'PO-1' })).status).toBe(409);
    server.setNow('2026-10-15T15:00:00Z');
    expect(await firm(result.quoteId)).toEqual([result.quoteId]);
    expect(await firm(result.quoteId)).toEqual([]);
    const board = await read(result.quoteId);
    expect(board).toMatchObject({ provisional: null, quote: { totalAmount: 3850, fallbackTotal: null } });
    expect(board.items[0]).toMatchObject({ unitPrice: 38.5, fallback: null });
    expect(board.events[0]).toMatchObject({ action: 'PriceFirm' });
    expect(await result.document()).toEqual(before);
    expect((await step(result.quoteId, 'MarkWon', cs, { poNumber: 'PO-1' })).status).toBe(200);
    expect((await read(result.quoteId)).quote).toMatchObject({ statusId: 'Won', totalAmount: 3850 });
  });

  test('can be won on that day even before a job marks it firm', async () => {
    const result = await aSentQuote();
    await approve(result, result.third.id, '2026-10-15');
    server.setNow('2026-10-15T05:00:00Z');
    expect((await accept(result.docId, false)).status).toBe(200);
    expect((await read(result.quoteId)).quote).toMatchObject({
      statusId: 'Won',
      totalAmount: 3850,
      fallbackTotal: null,
    });
  });

  test('must be revised when another tier was approved', async () => {
    const result = await aSentQuote();
    server.setNow('2026-10-15T15:00:00Z');
    await approve(result, result.second.id, '2026-10-15');
    expect(await firm(result.quoteId)).toEqual([]);
    for (const atFallbackPrice of [false, true]) {
      const won = await step(result.quoteId, 'MarkWon', cs, { poNumber: 'PO-1', atFallbackPrice });
      expect(won.status).toBe(409);
      expect(JSON.stringify(won.body)).toContain('must be revised');
    }
    expect((await step(result.quoteId, 'Revise', cs)).status).toBe(200);
    const { quote } = await read(result.quoteId);
    const board = await server.ok(
      QuoteEdit.RepriceQuote,
      { quoteId: result.quoteId, version: quote.version },
      { as: cs },
    );
    expect(board.quote.totalAmount).toBe(4100);
    expect(await firm(result.quoteId)).toEqual([result.quoteId]);
    expect(await read(result.quoteId)).toMatchObject({ provisional: null, quote: { totalAmount: 4100 } });
  });

  test.each(['Requested', 'Rejected', 'Withdrawn', 'Lapsed'])(
    'can be accepted without the request: %s',
    async (state) => {
      const result = await aSentQuote();
      const before = await result.document();
      await server.db.updateTable('eligibility_request').set({ state }).where('id', '=', result.request.id).execute();
      const page = await server.ok(QuoteDoc.GetQuoteDoc, { id: result.docId }, {});
      expect(page.provisional).toMatchObject({
        standing: state === 'Requested' ? 'Open' : 'Refused',
        fallbackTotal: 4500,
      });
      expect((await accept(result.docId, false)).status).toBe(409);
      const accepted = await accept(result.docId, true);
      expect(accepted.status).toBe(200);
      expect(accepted.body).toMatchObject({ state: 'Accepted', agreedTotal: 4500, provisional: null });
      expect(await result.document()).toEqual(before);
      const board = await read(result.quoteId);
      expect(board.quote).toMatchObject({ statusId: 'Won', totalAmount: 4500, fallbackTotal: null });
      expect(board.items[0]).toMatchObject({ unitPrice: 45, lineTotal: 4500, fallback: null });
      expect(board.items[0]?.priceProof.some(({ step: name }) => name === 'Accepted')).toBe(true);
    },
  );

  test('is won only at the total that the customer or the colleague saw', async () => {
    const result = await aSentQuote();
    const refused = await accept(result.docId, true, 4600);
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain('The total is now $4,500.00, not $4,600.00.');
    const signed = { poNumber: 'PO-1', atFallbackPrice: true };
    expect((await step(result.quoteId, 'MarkWon', cs, { ...signed, total: 3850 })).status).toBe(409);
    expect((await read(result.quoteId)).quote).toMatchObject({ statusId: 'SentToCustomer', totalAmount: 3850 });
    expect((await accept(result.docId, true, 4500)).status).toBe(200);
  });

  test('with firm prices is not accepted at other prices', async () => {
    const result = await aSentQuote();
    await approve(result, result.third.id, '2026-10-02');
    expect((await accept(result.docId, true)).status).toBe(409);
    expect((await accept(result.docId, false)).status).toBe(200);
  });
});

test('a quote whose request was refused cannot be sent', async () => {
  const result = await aHangingQuote();
  await server.db
    .updateTable('eligibility_request')
    .set({ state: 'Rejected' })
    .where('id', '=', result.request.id)
    .execute();
  const sent = await send(result.quoteId);
  expect(sent.status).toBe(409);
  expect(JSON.stringify(sent.body)).toContain('Reprice the quote before you send it.');
});

test('a tier price that changes before the approval takes effect counts as another price', async () => {
  const result = await aSentQuote();
  await server.db
    .updateTable('contract_line_price')
    .set({ valid_to: '2026-10-14' })
    .where('tier_id', '=', result.third.id)
    .execute();
  await aContractPrice(server.db, { lineId: result.lineId, tierId: result.third.id, price: 39, from: '2026-10-15' });
  server.setNow('2026-10-15T15:00:00Z');
  await approve(result, result.third.id, '2026-10-15');
  expect(await firm(result.quoteId)).toEqual([]);
  expect((await read(result.quoteId)).provisional).toMatchObject({ standing: 'Changed' });
});
