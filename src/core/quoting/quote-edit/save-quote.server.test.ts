// Tests creating and saving quotes over HTTP: what a new quote copies from its facility, who may change what, and two simultaneous users.
import type { PoolClient } from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { startOffice } from '#testing/an-office.server.ts';
import { aFile, anItem, aProduct, aPromotion } from '#testing/factories/catalog.server.ts';
import { aFacility, aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { QuoteEdit } from './quote-edit.contract.ts';

const { server, office, save, aDraft } = await startOffice();
afterAll(() => server.close());

/** The statements that the call sends to the database, in order. */
async function statementsOf(call: () => Promise<{ status: number }>): Promise<string[]> {
  const { pool } = server.services.database;
  const sent: string[] = [];
  const undo: (() => void)[] = [];
  const listen = (client: PoolClient) => {
    const query = client.query.bind(client) as (...input: unknown[]) => unknown;
    const listening = (...input: unknown[]) => {
      sent.push(String(input[0]));
      return query(...input);
    };
    Object.assign(client, { query: listening });
    undo.push(() => Object.assign(client, { query }));
  };
  pool.on('acquire', listen);
  expect(await call()).toMatchObject({ status: 200 });
  pool.off('acquire', listen);
  for (const restore of undo.toReversed()) restore();
  return sent;
}

const setStatus = (id: number, status_id: string) =>
  server.db.updateTable('quote').set({ status_id }).where('id', '=', id).execute();

describe('a new quote', () => {
  test('is stored even when empty, and appears in the history', async () => {
    const { body, status } = await save({ quote: { id: 0 } }, office.inside);
    expect(status).toBe(200);
    expect(body.quote).toMatchObject({ statusId: 'Editing', facilityId: null, totalAmount: 0, version: 1 });
    expect(body.events).toMatchObject([{ action: 'Create', to: 'Editing', changes: [] }]);
  });

  test('takes a few statements for any number of lines, and as few for an added line', async () => {
    const items = await Promise.all(Array.from({ length: 5 }, () => anItem(server.db)));
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ itemId: items[index % 5]?.id ?? 0, qty: index + 1 }));
    const make = (count: number) => save({ quote: { id: 0, facilityId: office.facility.id }, items: lines(count) });
    const { body } = await make(1);
    const add = () =>
      server.call(QuoteEdit.SaveQuoteItem, { quoteId: body.quote.id, ...lines(1)[0] }, { as: office.inside });
    const ofAdding = await statementsOf(add);
    expect(ofAdding.at(0)).toBe('begin');
    expect(ofAdding.at(-1)).toBe('commit');
    expect(ofAdding.length).toBeLessThanOrEqual(6);
    const ofMaking = await statementsOf(() => make(50));
    expect(ofMaking.length).toBeLessThanOrEqual(8);
    expect(await statementsOf(() => make(1))).toHaveLength(ofMaking.length);
  });

  test('returns what a later read returns: other open quotes, pictures, promotions, rules, people', async () => {
    const facility = await aFacility(server.db, { zip: office.zip });
    const other = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: 0, facilityId: facility.id } },
      { as: office.inside },
    );
    const [pictured, promoted, plain] = [
      await anItem(server.db, { cost: 4, floor: 9 }),
      await anItem(server.db),
      await anItem(server.db, { units: { EA: 1, BX: 12 } }),
    ];
    const picture = await aFile(server.db, server.services.files, { mediaType: 'image/png' });
    await aProduct(server.db, { itemIds: [pictured.id], images: [{ fileId: picture.id }] });
    await aPromotion(server.db, { itemId: promoted.id });
    const chosen = await aUser(server.db, { roles: ['csrep'], fullName: 'Chosen Cs' });
    for (const as of [office.inside, office.rep]) {
      const input = {
        quote: {
          id: 0,
          facilityId: facility.id,
          csRepId: chosen.id,
          discountPct: 7,
          taxRate: 6.25,
          freightAmount: 3.1,
        },
        items: [
          { itemId: pictured.id, qty: 3 },
          { itemId: promoted.id, qty: 12 },
          { itemId: plain.id, qty: 2, unit: 'BX' },
          { type: 'section' as const, description: 'Options' },
          { type: 'custom' as const, itemNumber: 'C-1', description: 'Made to measure', qty: 1.5, unitPrice: 3.3333 },
        ],
      };
      const created = await server.ok(QuoteEdit.SaveSalesRepQuote, input, { as });
      expect(created.otherOpenQuotes.map(({ number }) => number).join()).toContain(String(other.quote.num));
      expect(created.items[0]?.imgThumbnailUrl).toBeTruthy();
      expect(created.quote.csRep.name).toBe('Chosen Cs');
      const read =
        as === office.inside
          ? QuoteEdit.PopulateQuoteEditDataForInternalRep
          : QuoteEdit.PopulateQuoteEditDataForSalesRep;
      expect(created).toEqual(await server.ok(read, { id: created.quote.id }, { as }));
    }
  });

  test('takes addresses, terms and representatives from the facility, and appears in the history', async () => {
    const item = await anItem(server.db, { price: 12.5 });
    const { body, status } = await save({
      quote: { id: 0, facilityId: office.facility.id, customerReference: ' RFQ 7 ' },
      items: [
        { itemId: item.id, qty: 4 },
        { type: 'section', description: 'Extras' },
        { itemId: item.id, qty: 1, unit: 'EA', optional: true },
      ],
    });
    expect(status).toBe(200);
    expect(body.quote).toMatchObject({
      statusId: 'Editing',
      revision: 1,
      facilityName: office.facility.name,
      facilityAcctNo: office.facility.acctNo,
      salesRep: { id: office.rep.id, name: office.rep.fullName },
      csRep: { id: office.cs.id },
      isRep: { id: office.inside.id },
      owner: { id: office.rep.id },
      regionId: office.region.id,
      territoryId: office.territory.id,
      quoteDate: '2026-11-21',
      validUntil: '2027-01-20',
      paymentTerms: 'Net 30',
      customerReference: 'RFQ 7',
      currnIdx: 1007,
      totalAmount: 50,
      version: 1,
    });
    expect(body.quote.shipTo).toMatchObject({ city: 'Chicago', zip: office.zip });
    expect(body.quote.contactName).toMatch(/^Buyer/);
    expect(body.items.map(({ lineNo, type, unitPrice, lineTotal }) => [lineNo, type, unitPrice, lineTotal])).toEqual([
      [1, 'item', 12.5, 50],
      [2, 'section', null, 0],
      [3, 'item', 12.5, 12.5],
    ]);
    expect(body.events).toHaveLength(1);
    expect(body.events[0]).toMatchObject({ action: 'Create', actor: office.rep.fullName, to: 'Editing' });
    expect(body.allowedActions.map(({ action }) => action)).toContain('Submit');
    expect(body.editable).toEqual({ commercial: true, notes: true, promotions: false, reason: '' });
  });

  test('sending back what was read changes nothing', async () => {
    const item = await anItem(server.db);
    const first = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      {
        quote: { facilityId: office.facility.id },
        items: [
          { itemId: item.id, qty: 2 },
          { type: 'note', description: 'Call before delivery' },
        ],
      },
      { as: office.inside },
    );
    const again = await save({ quote: first.quote, items: first.items }, office.inside);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first);
  });

  test('sent with unchanged defaults and a facility takes the values of the facility, except for fields the user chose', async () => {
    const plain = await aDraft([], office.inside);
    const { quote, items } = await server.ok(QuoteEdit.PopulateNewQuote, {}, { as: office.inside });
    const filled = { ...quote, facilityId: office.facility.id };
    const { body } = await save({ quote: filled, items }, office.inside);
    const { billTo, shipTo, contactName, salesRep, csRep, isRep, paymentTerms, freightTerms, taxRate } = plain.quote;
    expect(body.quote).toMatchObject({ billTo, shipTo, contactName, salesRep, csRep, isRep });
    expect(body.quote).toMatchObject({ paymentTerms, freightTerms, taxRate });
    const chosen = await save(
      { quote: { ...filled, contactName: 'Night desk', paymentTerms: 'Net 90' } },
      office.inside,
    );
    expect(chosen.body.quote).toMatchObject({ contactName: 'Night desk', paymentTerms: 'Net 90', billTo });
  });

  test('a rep outside the territory keeps the quote; a support user writes for the supported rep', async () => {
    const stranger = await aUser(server.db, { roles: ['salesrep'] });
    expect((await aDraft([], stranger)).quote.salesRep.id).toBe(stranger.id);
    expect((await aDraft([], office.support)).quote.salesRep.id).toBe(office.rep.id);
    expect((await aDraft([], office.inside)).quote.salesRep.id).toBe(office.rep.id);
  });

  test('a support user of several reps must name one', async () => {
    const [first, two] = [await aUser(server.db), await aUser(server.db)];
    const support = await aUser(server.db, { roles: ['salessupport'], supports: [first.id, two.id] });
    const refused = await save({ quote: { facilityId: office.facility.id } }, support);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ errors: [{ path: 'quote.salesRepId' }] });
    expect((await save({ quote: { salesRepId: two.id } }, support)).body.quote.salesRep.id).toBe(two.id);
    expect((await save({ quote: { salesRepId: office.rep.id } }, support)).status).toBe(422);
  });

  test('starts with defaults that store nothing', async () => {
    const before = await server.db.selectFrom('quote').select('id').execute();
    const body = await server.ok(QuoteEdit.PopulateNewQuote, {}, { as: office.rep });
    expect(body.quote).toMatchObject({
      id: 0,
      quoteDate: '2026-11-21',
      validUntil: '2027-01-20',
      salesRep: { id: office.rep.id },
    });
    expect(await server.db.selectFrom('quote').select('id').execute()).toEqual(before);
  });

  test('is refused for a closed or unknown facility, and outside the regions of a quote manager', async () => {
    const closed = await aFacility(server.db, { active: false });
    expect((await save({ quote: { facilityId: closed.id } })).body).toMatchObject({
      errors: [{ path: 'quote.facilityId', message: `${closed.name} is no longer active.` }],
    });
    const { name, acct_no } = await server.db
      .selectFrom('facility')
      .select(['name', 'acct_no'])
      .where('id', '=', office.facility.id)
      .executeTakeFirstOrThrow();
    await server.db
      .updateTable('facility')
      .set({ merged_into: office.facility.id })
      .where('id', '=', closed.id)
      .execute();
    const message = `${closed.name} was merged into ${name} (account ${acct_no}). Choose that facility.`;
    expect((await save({ quote: { facilityId: closed.id } })).body).toMatchObject({ errors: [{ message }] });
    expect((await save({ quote: { facilityId: 2_000_000_000 } })).status).toBe(422);
    const elsewhere = await aSalesOffice(server.db);
    const own = await save({ quote: { facilityId: elsewhere.facility.id } }, office.manager);
    expect(own.status).toBe(200);
  });

  test('is saved completely or not at all', async () => {
    const item = await anItem(server.db);
    const before = await server.db.selectFrom('quote').select('id').execute();
    const { status, body } = await save({
      quote: { facilityId: office.facility.id },
      items: [
        { itemId: item.id, qty: 1 },
        { itemId: item.id },
        { itemNumber: 'X-1', qty: 1 },
        { itemId: item.id, qty: 1, unit: 'CS' },
      ],
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      errors: [
        { path: 'items.1.qty', message: 'This field is required' },
        { path: 'items.2.description', message: 'This field is required' },
        { path: 'items.3.unit' },
      ],
    });
    expect(await server.db.selectFrom('quote').select('id').execute()).toEqual(before);
  });
});

describe('the fields of a quote', () => {
  test('are saved with before and after in one event', async () => {
    const { quote } = await aDraft();
    const { body } = await save({
      quote: {
        id: quote.id,
        version: quote.version,
        freightAmount: 120,
        validUntil: '12/31/2026',
        poNumber: 'PO 9',
        taxRate: 8,
      },
    });
    expect(body.quote).toMatchObject({
      freightAmount: 120,
      validUntil: '2026-12-31',
      poNumber: 'PO 9',
      version: quote.version + 1,
    });
    expect(body.events[0]?.changes).toEqual(
      expect.arrayContaining([
        { field: 'Freight', before: '$0.00', after: '$120.00' },
        { field: 'Valid until', before: '01/20/2027', after: '12/31/2026' },
        { field: 'PO number', before: '', after: 'PO 9' },
        { field: 'Total', before: '$0.00', after: '$120.00' },
      ]),
    );
  });

  test('freight has at most two decimals, so that the total has no half cents', async () => {
    const { quote } = await aDraft();
    const refused = await save({ quote: { id: quote.id, freightAmount: 12.345 } });
    expect(refused.body).toMatchObject({
      status: 422,
      errors: [{ path: 'quote.freightAmount', message: 'At most two decimals' }],
    });
    expect((await save({ quote: { id: quote.id, freightAmount: 12.34 } })).body.quote.totalAmount).toBe(12.34);
  });

  test('a typed validity stays when the quote date moves; a computed one follows', async () => {
    const { quote } = await aDraft();
    const moved = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: quote.id, version: 1, quoteDate: '2026-12-01' } },
      { as: office.rep },
    );
    expect(moved.quote.validUntil).toBe('2027-01-30');
    await save({ quote: { id: quote.id, validUntil: '2026-12-15' } });
    const again = await save({ quote: { id: quote.id, quoteDate: '2026-11-22' } });
    expect(again.body.quote.validUntil).toBe('2026-12-15');
    const refused = await save({ quote: { id: quote.id, quoteDate: '2026-12-20' } });
    expect(refused.body).toMatchObject({ status: 422, errors: [{ path: 'quote.validUntil' }] });
  });

  test('a date in a year that is a slip is refused', async () => {
    const { quote } = await aDraft();
    for (const quoteDate of ['1990-01-01', '12/31/2199']) {
      const { body } = await save({ quote: { id: quote.id, quoteDate } });
      expect(body).toMatchObject({ status: 422, errors: [{ path: 'quote.quoteDate' }] });
    }
    const input = { facilityId: office.facility.id, quoteDate: '01/01/1990' };
    expect((await save({ quote: { id: 0, ...input } })).status).toBe(422);
    expect((await save({ quote: { id: quote.id, quoteDate: '2026-01-05' } })).status).toBe(200);
  });

  test('another facility sets its terms, tax, people and prices', async () => {
    const other = await aSalesOffice(server.db);
    const exempt = await aFacility(server.db, { zip: other.zip, taxRate: 7, taxExempt: true });
    const { quote } = await aDraft([], office.inside);
    const { body } = await save({ quote: { id: quote.id, facilityId: exempt.id } }, office.inside);
    expect(body.quote).toMatchObject({
      facilityName: exempt.name,
      taxRate: 7,
      taxExempt: true,
      salesRepId: other.rep.id,
      csRepId: other.cs.id,
      regionId: other.region.id,
      territoryId: other.territory.id,
    });
    expect(body.events[0]?.changes).toEqual(
      expect.arrayContaining([{ field: 'Facility', before: office.facility.name, after: exempt.name }]),
    );
  });

  test('another facility sets its own even when the caller sends the whole quote back', async () => {
    const other = await aSalesOffice(server.db);
    const { quote, items } = await aDraft([], office.inside);
    const { body } = await save({ quote: { ...quote, facilityId: other.facility.id }, items }, office.inside);
    expect(body.quote).toMatchObject({
      facilityName: other.facility.name,
      shipTo: { zip: other.zip },
      csRep: { id: other.cs.id },
      regionId: other.region.id,
    });
    expect(body.quote.contactName).not.toBe(quote.contactName);
  });

  test('a rep cannot give a quote to somebody else, and a representative must have the role', async () => {
    const { quote } = await aDraft();
    const other = await aUser(server.db, { roles: ['salesrep'] });
    expect((await save({ quote: { id: quote.id, salesRepId: other.id } })).status).toBe(422);
    expect((await save({ quote: { id: quote.id, csRepId: other.id } }, office.inside)).status).toBe(422);
    expect((await save({ quote: { id: quote.id, salesRepId: other.id } }, office.inside)).body.quote.salesRep.id).toBe(
      other.id,
    );
  });

  test('internal notes are for internal users: a rep neither reads nor writes them', async () => {
    const { quote } = await aDraft([], office.inside);
    const { body } = await save({ quote: { id: quote.id, internalNotes: 'Watch the margin' } }, office.inside);
    expect(body.quote.internalNotes).toBe('Watch the margin');
    expect(body.events[0]?.changes).toContainEqual({ field: 'Internal notes', before: '', after: 'Watch the margin' });
    const read = await server.ok(QuoteEdit.PopulateQuoteEditDataForSalesRep, { id: quote.id }, { as: office.rep });
    expect(JSON.stringify(read)).not.toContain('Watch the margin');
    expect((await save({ quote: { id: quote.id, internalNotes: 'mine' } })).status).toBe(403);
  });

  test('a typed price in dollars does not become a price in euros', async () => {
    const item = await anItem(server.db, {
      prices: [
        { unit: 'EA', price: 10 },
        { unit: 'EA', price: 9, currnIdx: 1009 },
      ],
    });
    const created = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      {
        quote: { facilityId: office.facility.id, freightAmount: 10 },
        items: [{ itemId: item.id, qty: 2, unitPrice: 8, priceReason: 'Match' }],
      },
      { as: office.inside },
    );
    expect(created.items[0]?.unitPrice).toBe(8);
    const { body } = await save({ quote: { id: created.quote.id, currnIdx: 1009 } }, office.inside);
    expect(body.items[0]).toMatchObject({ unitPrice: 9, priceSource: 'List' });
    expect(body.quote).toMatchObject({ currnIdx: 1009, freightAmount: 0, totalAmount: 18 });
    expect(body.events[0]?.changes).toContainEqual({
      field: `Line 1 (${item.itemNumber}): Price`,
      before: '$8.00 per EA (Match)',
      after: '€9.00 per EA',
    });
  });
});

describe('two people at once', () => {
  test('a stale version gets who changed what and the current record; nothing is overwritten', async () => {
    const { quote } = await aDraft();
    await save({ quote: { id: quote.id, version: quote.version, poNumber: 'hers' } }, office.inside);
    const stale = await save({ quote: { id: quote.id, version: quote.version, poNumber: 'his' } });
    expect(stale.status).toBe(409);
    expect(stale.body).toMatchObject({
      detail: expect.stringContaining(office.inside.fullName),
      conflict: {
        changedBy: office.inside.fullName,
        changes: [{ field: 'PO number', before: '', after: 'hers' }],
        current: { id: quote.id, poNumber: 'hers', version: quote.version + 1 },
      },
    });
    expect(JSON.stringify(stale.body)).not.toContain('internalNotes');
  });

  test('simultaneous saves of one version: one wins, the others get a conflict', async () => {
    const { quote } = await aDraft();
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((poNumber) => save({ quote: { id: quote.id, version: quote.version, poNumber } })),
    );
    expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  });
});

describe('who may', () => {
  test('a quote out of sight does not exist', async () => {
    const { quote } = await aDraft();
    const stranger = await aUser(server.db, { roles: ['salesrep'] });
    expect((await save({ quote: { id: quote.id, poNumber: 'x' } }, stranger)).status).toBe(404);
    expect(
      (await server.call(QuoteEdit.PopulateQuoteEditDataForSalesRep, { id: quote.id }, { as: stranger })).status,
    ).toBe(404);
  });

  test('the contract department only reads, public users have no internal view', async () => {
    const { quote } = await aDraft();
    expect((await save({ quote: { id: quote.id } }, office.contracts)).status).toBe(403);
    expect(
      (await server.call(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quote.id }, { as: office.contracts }))
        .status,
    ).toBe(200);
    expect(
      (await server.call(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quote.id }, { as: office.rep })).status,
    ).toBe(403);
  });

  test.each([
    ['Editing', 200, 200],
    ['Revising', 200, 200],
    ['NeedMoreInfo', 200, 200],
    ['Processing', 403, 200],
    ['WaitingForProcess', 409, 409],
    ['SentToCustomer', 409, 409],
    ['Won', 409, 409],
    ['Lost', 409, 409],
    ['Cancelled', 409, 409],
  ])('in %s a rep gets %d and an inside rep %d', async (status, forRep, forInside) => {
    const { quote } = await aDraft();
    await setStatus(quote.id, status);
    expect((await save({ quote: { id: quote.id, freightAmount: 5 } })).status).toBe(forRep);
    expect((await save({ quote: { id: quote.id, freightAmount: 6 } }, office.inside)).status).toBe(forInside);
    // Sending back unchanged values requires no right.
    expect((await save({ quote: { id: quote.id } })).status).toBe(200);
  });
});
