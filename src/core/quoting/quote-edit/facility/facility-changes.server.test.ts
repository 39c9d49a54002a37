// Tests that a quote reports what has changed at its facility until it is sent, and that it applies the changes or keeps its own values.
import { afterAll, describe, expect, test } from 'vitest';
import { aWorkflow } from '#testing/a-workflow.server.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { boardStores, boardOf } from '#testing/board-stores.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aTerritory, aUser } from '#testing/factories/people.server.ts';
import type { Updateable } from 'kysely';
import type { Facility } from '#platform/db/tables.ts';
import { QuoteEdit } from '../quote-edit.contract.ts';
import { FACILITY_PARTS, type FacilityPart } from './facility-change.ts';

const { server, office, read } = await startOffice();
afterAll(() => server.close());
const item = await anItem(server.db, { price: 10 });
const as = office.inside;

const draftOf = async (facility: { id: number }, quote: Record<string, unknown> = {}) => {
  const input = { quote: { facilityId: facility.id, ...quote }, items: [{ itemId: item.id, qty: 10 }] };
  return server.ok(QuoteEdit.SaveSalesRepQuote, input, { as });
};
const change = (facility: { id: number }, values: Updateable<Facility>) =>
  server.db.updateTable('facility').set(values).where('id', '=', facility.id).execute();
const changesOf = async (id: number, who: { id: number } = as) =>
  (await server.ok(QuoteEdit.GetFacilityChanges, { id }, { as: who })).changes;
const use = async (
  quoteId: number,
  parts: FacilityPart[],
  more: { keep?: boolean; version?: number } = {},
  who = as,
) => {
  const { quote } = await read(quoteId);
  const input = { quoteId, version: quote.version, parts, ...more };
  return server.call(QuoteEdit.UseFacilityValues, input, { as: who });
};

describe('what changes at a facility', () => {
  test('is reported for the facility, not for values typed on the quote', async () => {
    const facility = await aFacility(server.db, { taxRate: 8.25, zip: office.zip });
    const { quote } = await draftOf(facility, { paymentTerms: 'Net 90', taxRate: 5 });
    expect(await changesOf(quote.id)).toEqual([]);
    await change(facility, { tax_exempt: true, ship_to_line1: '2 New Dock', payment_terms: 'Net 45' });
    expect(await changesOf(quote.id)).toEqual([
      { part: 'tax', quote: '5%', facility: 'exempt', isUsable: true },
      {
        part: 'shipTo',
        quote: expect.stringContaining('Receiving Road'),
        facility: `2 New Dock, Chicago, IL ${office.zip}`,
        isUsable: true,
      },
      { part: 'paymentTerms', quote: 'Net 90', facility: 'Net 45', isUsable: true },
    ]);
  });

  test('is reported for each part', async () => {
    const zip = '94105';
    const next = { sales: (await aUser(server.db)).id, cs: (await aUser(server.db, { roles: ['csrep'] })).id };
    await aTerritory(server.db, { zips: [zip], ...next });
    const parent = await aFacility(server.db);
    const facility = await aFacility(server.db, { zip: office.zip });
    const { quote } = await draftOf(facility);
    await change(facility, {
      tax_rate: 3,
      ship_to_zip: zip,
      bill_to_line1: '9 Ledger Way',
      payment_terms: 'Net 10',
      freight_terms: 'Collect',
      currn_idx: 1009,
      price_level: 'Gold',
      parent_id: parent.id,
    });
    await server.db
      .updateTable('contact')
      .set({ email: 'new@example.org' })
      .where('facility_id', '=', facility.id)
      .execute();
    const changes = await changesOf(quote.id);
    expect(changes.map(({ part }) => part)).toEqual(FACILITY_PARTS);
    expect(changes.find(({ part }) => part === 'parent')?.facility).toBe(parent.name);
    const { status, body } = await use(quote.id, [...FACILITY_PARTS]);
    expect([status, body]).toMatchObject([200, {}]);
    expect(body.quote).toMatchObject({
      taxRate: 3,
      shipTo: { zip },
      billTo: { line1: '9 Ledger Way' },
      contactEmail: 'new@example.org',
      paymentTerms: 'Net 10',
      freightTerms: 'Collect',
      currnIdx: 1009,
      salesRepId: next.sales,
      csRepId: next.cs,
      isRepId: office.inside.id,
    });
    expect(await changesOf(quote.id)).toEqual([]);
    expect(body.events[0]).toMatchObject({
      action: 'UseFacilityValues',
      comment: expect.stringMatching(/^Tax, Ship-to/),
    });
    expect(body.events[0]?.changes).toContainEqual({ field: 'Tax rate', before: '0%', after: '3%' });
  });

  test('is reported for representatives who have served it only since the day of the quote', async () => {
    const zip = '60777';
    const [first, second] = [await aUser(server.db), await aUser(server.db, { fullName: 'Nora Next' })];
    const territory = await aTerritory(server.db, { zips: [zip], sales: first.id });
    const facility = await aFacility(server.db, { zip });
    const { quote } = await draftOf(facility);
    await server.db.updateTable('quote').set({ quote_date: '2026-01-05' }).where('id', '=', quote.id).execute();
    expect(await changesOf(quote.id)).toEqual([]);
    const reps = server.db
      .updateTable('territory_rep')
      .where('territory_id', '=', territory.id)
      .where('role', '=', 'sales');
    await reps.set({ valid_to: '2026-01-09' }).execute();
    const next = { territory_id: territory.id, role: 'sales' as const, user_id: second.id, valid_from: '2026-01-10' };
    await server.db.insertInto('territory_rep').values(next).execute();
    expect(await changesOf(quote.id)).toMatchObject([{ part: 'reps', facility: 'Sales Nora Next' }]);
    expect((await use(quote.id, ['reps'])).body.quote).toMatchObject({ salesRepId: second.id });
  });

  test('is taken over by those who may edit the quote, over its version', async () => {
    const facility = await aFacility(server.db, { taxRate: 8.25 });
    const { quote } = await draftOf(facility);
    await change(facility, { tax_exempt: true });
    const stranger = await aUser(server.db, { roles: ['csrep'] });
    expect((await use(quote.id, ['shipTo'])).status).toBe(422);
    expect((await use(quote.id, ['tax'], { version: quote.version - 1 })).status).toBe(409);
    const viewer = await aUser(server.db, { roles: ['contractdept'] });
    expect((await changesOf(quote.id, viewer)).map(({ isUsable }) => isUsable)).toEqual([false]);
    expect((await use(quote.id, ['tax'], {}, viewer)).status).toBe(403);
    const outside = await aUser(server.db);
    expect((await server.call(QuoteEdit.GetFacilityChanges, { id: quote.id }, { as: outside })).status).toBe(404);
    const { body } = await use(quote.id, ['tax'], {}, stranger);
    expect(body.quote).toMatchObject({ taxExempt: true, taxAmount: 0, totalAmount: 100 });
  });

  test('is no longer reported once a user keeps the quote as it is, until it changes again', async () => {
    const facility = await aFacility(server.db, { taxRate: 8.25 });
    const { quote } = await draftOf(facility);
    await change(facility, { tax_exempt: true, payment_terms: 'Net 45' });
    const { body } = await use(quote.id, ['tax'], { keep: true });
    expect(body.quote).toMatchObject({ taxExempt: false, totalAmount: 108.25 });
    expect(body.events[0]).toMatchObject({ action: 'KeepFacilityValues', comment: 'Tax' });
    expect((await changesOf(quote.id)).map(({ part }) => part)).toEqual(['paymentTerms']);
    await change(facility, { tax_exempt: false, tax_rate: 9 });
    expect((await changesOf(quote.id)).map(({ part }) => part)).toEqual(['tax', 'paymentTerms']);
  });

  test('is reported for a revision in progress, not for a sent quote', async () => {
    const { act, send } = aWorkflow(() => server);
    const facility = await aFacility(server.db, { taxRate: 8.25 });
    const { quote } = await draftOf(facility);
    const person = { ...as, userName: '' };
    expect((await act(quote.id, 'StartProcess', person)).status).toBe(200);
    await change(facility, { tax_exempt: true });
    expect(await changesOf(quote.id)).toHaveLength(1);
    expect((await send(quote.id, person)).status).toBe(200);
    expect(await changesOf(quote.id)).toEqual([]);
    expect((await act(quote.id, 'Revise', person, { reason: 'Test' })).status).toBe(200);
    expect((await use(quote.id, ['tax'])).body.quote).toMatchObject({ taxExempt: true });
  });

  test('is reported for a copy, for values from its source', async () => {
    const facility = await aFacility(server.db, { taxRate: 8.25 });
    const { quote } = await draftOf(facility);
    await change(facility, { tax_exempt: true, currn_idx: 1009, payment_terms: 'Net 45', freight_terms: 'Collect' });
    await server.db
      .updateTable('contact')
      .set({ email: 'next@example.org' })
      .where('facility_id', '=', facility.id)
      .execute();
    const partsOf = async (prices: 'keep' | 'reprice') => {
      const copy = await server.ok(QuoteEdit.CloneQuote, { id: quote.id, prices }, { as });
      return (await changesOf(copy.quote.id)).map(({ part }) => part);
    };
    expect(await partsOf('keep')).toEqual(['tax', 'contact', 'freightTerms', 'currency']);
    expect(await partsOf('reprice')).toEqual(['contact', 'currency']);
  });

  test('is reported for a quote older than the stored values', async () => {
    const facility = await aFacility(server.db, { taxRate: 8.25 });
    const { quote } = await draftOf(facility);
    await server.db
      .updateTable('quote')
      .set({ facility_values: null, sales_rep_id: null })
      .where('id', '=', quote.id)
      .execute();
    expect(await changesOf(quote.id)).toEqual([]);
    await change(facility, { tax_exempt: true });
    expect((await changesOf(quote.id)).map(({ part }) => part)).toEqual(['tax']);
    expect((await use(quote.id, ['tax'], { keep: true })).status).toBe(200);
    expect(await changesOf(quote.id)).toEqual([]);
  });
});

test('taking it over can be undone on the board', async () => {
  const boards = await boardStores(server);
  const { quoteId, store } = await boards.opened();
  const before = boardOf(store).quote;
  await change({ id: before.facilityId ?? 0 }, { tax_exempt: true, ship_to_line1: '2 New Dock' });
  await store.takeFromFacility(['tax', 'shipTo'], false);
  expect(boardOf(store).quote).toMatchObject({ taxExempt: true, shipTo: { line1: '2 New Dock' } });
  await store.undo();
  await store.saved();
  expect(boardOf(store).quote).toMatchObject({ taxExempt: false, shipTo: before.shipTo });
  expect(await changesOf(quoteId)).toHaveLength(2);
});
