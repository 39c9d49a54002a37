// Tests approvals and edits over HTTP: the initial rules, what an edit does to an approval, what an approver sees.
import { afterAll, describe, expect, test } from 'vitest';
import { contentHash, latestRequest } from '#core/quoting/approvals/content-hash.server.ts';
import { judgeQuote } from '#core/quoting/approvals/load-rules.server.ts';
import { quoteLines } from '#core/quoting/quotes/read-lines.server.ts';
import type { Role } from '#platform/shared/roles.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract } from '#testing/factories/contracts.server.ts';
import { aSalesOffice } from '#testing/factories/people.server.ts';
import { asJustRead } from '#testing/factories/quotes.server.ts';
import type { QuoteItemInput } from '../lines/quote-item.ts';
import { QuoteEdit, type QuoteEditData } from '../quote-edit.contract.ts';

const { server, office, read } = await startOffice();
afterAll(() => server.close());

type Who = { id: number };
const put = async (quoteId: number, line: Record<string, unknown>, as: Who = office.inside) =>
  server.call(QuoteEdit.SaveQuoteItem, await asJustRead(server.db, { quoteId, ...line }), { as });

async function aQuoteOf(items: QuoteItemInput[], status = 'Processing'): Promise<QuoteEditData> {
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id }, items },
    { as: office.inside },
  );
  await server.db.updateTable('quote').set({ status_id: status }).where('id', '=', quote.id).execute();
  return read(quote.id);
}

/** Stores a request and its decision as the workflow does. */
async function anApproval(
  quoteId: number,
  state: 'Pending' | 'Approved',
  roles: Role[] = ['insiderep'],
): Promise<void> {
  const quote = await server.db.selectFrom('quote').selectAll().where('id', '=', quoteId).executeTakeFirstOrThrow();
  const items = await quoteLines(server.db, quoteId);
  const { fired, figures } = await judgeQuote(server.db, quote, items, roles);
  await server.db
    .insertInto('approval_request')
    .values({
      quote_id: quoteId,
      revision: 1,
      state,
      requested_by: office.inside.id,
      content_hash: contentHash(quote, items),
      rules: JSON.stringify(fired),
      figures: JSON.stringify(figures),
    })
    .execute();
  if (state === 'Approved') {
    await server.db.updateTable('quote').set({ status_id: 'DiscountApproved' }).where('id', '=', quoteId).execute();
  }
}

describe('the rules an empty company starts with', () => {
  const cases: [string, QuoteItemInput, string[]][] = [
    ['5% needs none', { discountPct: 5 }, []],
    ['above 5% the quote manager', { discountPct: 5.01 }, ['salesQuoteManager']],
    ['above 15% the sales administrator too', { discountPct: 15.5 }, ['salesQuoteManager', 'salesadmin']],
    ['a total above 100,000', { qty: 1002 }, ['salesadmin']],
    ['under the floor', { unitPrice: 69 }, ['salesQuoteManager', 'salesadmin', 'contractdept']],
  ];
  test.each(cases)('%s', async (_name, line, roles) => {
    const item = await anItem(server.db, { price: 100, floor: 70 });
    const { approvalNeeded } = await aQuoteOf([{ itemId: item.id, qty: 1, priceReason: 'Volume', ...line }]);
    expect(approvalNeeded.map(({ role }) => role)).toEqual(roles);
  });

  test('below a contract price', async () => {
    const item = await anItem(server.db, { price: 100 });
    await aContract(server.db, {
      gpoId: null,
      facilityIds: [office.facility.id],
      lines: [{ itemId: item.id, price: 80 }],
    });
    const { approvalNeeded, allowedActions } = await aQuoteOf([
      { itemId: item.id, qty: 1, discountPct: 1, priceReason: 'Match' },
    ]);
    expect(approvalNeeded).toEqual([
      expect.objectContaining({ role: 'contractdept', text: 'Line 1 below contract price' }),
    ]);
    expect(allowedActions.map(({ action }) => action)).toContain('RequestApproval');
    expect(allowedActions.map(({ action }) => action)).not.toContain('Send');
  });

  test('a rep sees the rules that apply inside, but neither floors nor margins', async () => {
    const item = await anItem(server.db, { price: 100, floor: 70, cost: 60 });
    const { quote } = await aQuoteOf([{ itemId: item.id, qty: 1, unitPrice: 69, priceReason: 'Match' }], 'Editing');
    const seen = await server.ok(QuoteEdit.PopulateQuoteEditDataForSalesRep, { id: quote.id }, { as: office.rep });
    expect(seen.approvalNeeded.map(({ metric, figure }) => [metric, figure])).toEqual([
      ['discountPct', 31],
      ['discountPct', 31],
      ['underFloor', 0],
    ]);
    const asAnswered = JSON.stringify(seen);
    for (const inner of ['"cost"', 'marginPct', 'underFloor":', 'internalNotes', 'floorPrice']) {
      expect(asAnswered).not.toContain(inner);
    }
  });
});

describe('a pending request', () => {
  test('locks prices and lines, not notes', async () => {
    const item = await anItem(server.db, { price: 100 });
    const { quote, items } = await aQuoteOf([{ itemId: item.id, qty: 1, discountPct: 10, priceReason: 'Volume' }]);
    await anApproval(quote.id, 'Pending');
    const [line] = items;
    expect((await put(quote.id, { id: line?.id, qty: 2 })).status).toBe(409);
    expect((await put(quote.id, { id: line?.id, remove: true })).status).toBe(409);
    expect((await put(quote.id, { itemId: item.id, qty: 2 })).status).toBe(409);
    const header = async (quoteFields: object) =>
      server.call(
        QuoteEdit.SaveSalesRepQuote,
        await asJustRead(server.db, { quote: { id: quote.id, ...quoteFields } }),
        {
          as: office.inside,
        },
      );
    expect((await header({ freightAmount: 1 })).status).toBe(409);
    expect((await header({ discountPct: 1 })).status).toBe(409);
    expect((await put(quote.id, { id: line?.id, notes: 'urgent' })).body.item.notes).toBe('urgent');
    const noted = await header({ contactName: 'Ana', internalNotes: 'asked' });
    expect(noted.body.quote).toMatchObject({ contactName: 'Ana', internalNotes: 'asked' });
    expect(noted.body.approval?.state).toBe('Pending');
    expect(noted.body.editable).toMatchObject({ commercial: false, notes: true });
  });
});

describe('an approved quote', () => {
  const approved = async () => {
    const item = await anItem(server.db, { price: 100 });
    const data = await aQuoteOf([
      { itemId: item.id, qty: 10, discountPct: 10, priceReason: 'Volume' },
      { itemId: item.id, qty: 5 },
    ]);
    await anApproval(data.quote.id, 'Approved');
    return { quoteId: data.quote.id, first: data.items[0]?.id ?? 0, second: data.items[1]?.id ?? 0, itemId: item.id };
  };
  const sendable = async (quoteId: number) =>
    (await read(quoteId)).allowedActions.some(({ action }) => action === 'Send');

  test('edited in favor of the seller stays approved and may be sent', async () => {
    const { quoteId, first, itemId } = await approved();
    for (const edit of [
      { id: first, discountPct: 8, priceReason: 'Volume' },
      { id: first, qty: 12 },
      { itemId, qty: 1 },
    ]) {
      const { body } = await put(quoteId, edit);
      expect(body.quote.statusId).toBe('DiscountApproved');
      expect(body.approval?.state).toBe('Approved');
      expect(await sendable(quoteId)).toBe(true);
    }
    // Goes back to the approved price and no further.
    expect((await put(quoteId, { id: first, discountPct: 10, priceReason: 'Volume' })).body.approval?.state).toBe(
      'Approved',
    );
  });

  test.each<[string, (at: Awaited<ReturnType<typeof approved>>) => Record<string, unknown>]>([
    ['a lower price', ({ first }) => ({ id: first, discountPct: 10.01, priceReason: 'Volume' })],
    ['a discount where there was none', ({ second }) => ({ id: second, discountPct: 1, priceReason: 'Volume' })],
    [
      'a new line with a discount to approve',
      ({ itemId }) => ({ itemId, qty: 1, discountPct: 9, priceReason: 'Volume' }),
    ],
  ])('edited against the seller by %s goes back to Processing without its approval', async (_name, edit) => {
    const at = await approved();
    const { body } = await put(at.quoteId, edit(at));
    expect(body.quote.statusId).toBe('Processing');
    expect(body.approval?.state).toBe('Void');
    expect(body.allowedActions.map(({ action }) => action)).toContain('RequestApproval');
    expect(await sendable(at.quoteId)).toBe(false);
    const [event] = (await read(at.quoteId)).events;
    expect(event).toMatchObject({ action: 'Edit', from: 'DiscountApproved', to: 'Processing' });
    expect(event?.changes).toContainEqual({ field: 'Approval', before: 'Approved', after: 'Void' });
  });

  test('moved to another facility loses its approval whatever the figures', async () => {
    const { quoteId } = await approved();
    const other = await aSalesOffice(server.db);
    const { body } = await server.call(
      QuoteEdit.SaveSalesRepQuote,
      await asJustRead(server.db, { quote: { id: quoteId, facilityId: other.facility.id } }),
      { as: office.inside },
    );
    expect(body.quote.statusId).toBe('Processing');
    expect(body.approval?.state).toBe('Void');
  });

  test('keeps its approval when only notes change', async () => {
    const { quoteId, first } = await approved();
    const before = await latestRequest(server.db, quoteId, 1);
    const { body } = await put(quoteId, { id: first, notes: 'urgent' });
    expect(body.quote.statusId).toBe('DiscountApproved');
    expect((await latestRequest(server.db, quoteId, 1))?.content_hash).toBe(before?.content_hash);
  });

  test('is copied without its approval', async () => {
    const { quoteId } = await approved();
    const copy = await server.ok(QuoteEdit.CloneQuote, { id: quoteId, prices: 'keep' }, { as: office.inside });
    expect(copy.approval).toBeNull();
    expect(copy.quote.statusId).toBe('Editing');
    expect(copy.approvalNeeded).toHaveLength(1);
  });
});

describe('what an approver sees', () => {
  test('the affected lines, their margin and limits, and the last prices here and at the parent', async () => {
    const item = await anItem(server.db, { price: 100, cost: 50, floor: 95, units: { EA: 1, BX: 10 } });
    const old = await aQuoteOf([{ itemId: item.id, qty: 1, unit: 'BX', unitPrice: 910, priceReason: 'Tender' }], 'Won');
    await aQuoteOf([{ itemId: item.id, qty: 1, unitPrice: 90, priceReason: 'Lost one' }], 'Lost');
    const { quote } = await aQuoteOf([
      { itemId: item.id, qty: 2, discountPct: 10, priceReason: 'Volume' },
      { itemId: item.id, qty: 1 },
    ]);
    const impact = await server.ok(QuoteEdit.GetApprovalImpact, { id: quote.id }, { as: office.manager });
    expect(impact).toMatchObject({ totalAmount: 280, discountTotal: 20, quoteMarginPct: 46.43 });
    expect(impact.lines).toEqual([
      {
        lineNo: 1,
        itemNumber: item.itemNumber,
        description: item.description,
        qty: 2,
        unit: 'EA',
        lineTotal: 180,
        rules: ['Line 1 under floor'],
        systemPrice: 100,
        unitPrice: 90,
        netPrice: 90,
        netDiscountPct: 10,
        discountPct: 10,
        reason: 'Volume',
        marginPct: 44.44,
        underFloor: true,
        floorPrice: 95,
        contractPrice: null,
        lastPrices: [{ number: String(old.quote.num), date: '2026-11-21', price: 91, unit: 'EA', outcome: 'Won' }],
      },
    ]);
    expect((await server.call(QuoteEdit.GetApprovalImpact, { id: quote.id }, { as: office.rep })).status).toBe(403);
  });
});
