// Tests a facility's page over HTTP: figures of visible quotes, the price list and its export, and that only signed-in users read it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { QuoteSearch } from '#core/quoting/quotes/quotes.contract.ts';
import { anItem, anItemClass, aPromotion } from '#testing/factories/catalog.server.ts';
import { aContract, aGpo, aMembership, anAccountPrice } from '#testing/factories/contracts.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { FacilityView } from './facility-view.contract.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-11-21T15:00:00Z');
});
afterAll(() => server.close());

describe('GetFacilityQuoteFigures', () => {
  test('counts and adds up the visible quotes by status and currency, as the list shows them', async () => {
    const { db } = server;
    const [rep, other, inside] = [await aUser(db), await aUser(db), await aUser(db, { roles: ['insiderep'] })];
    const facility = await aFacility(db);
    await aQuote(db, { facility, ownerId: rep.id, totalAmount: 10.1, statusId: 'Won' });
    await aQuote(db, { facility, ownerId: rep.id, totalAmount: 20.2, statusId: 'Won' });
    await aQuote(db, { facility, ownerId: rep.id, totalAmount: 7, currnIdx: 1009, statusId: 'Won' });
    await aQuote(db, { facility, ownerId: rep.id, totalAmount: 5 });
    await aQuote(db, { facility, ownerId: other.id, totalAmount: 1000 });
    await aQuote(db, { ownerId: rep.id, totalAmount: 9999 });
    const request = { facilityId: facility.id };
    const figures = await server.ok(FacilityView.GetFacilityQuoteFigures, request, { as: rep });
    expect(figures).toEqual([
      { statusId: 'Editing', currnIdx: 1007, count: 1, amount: 5 },
      { statusId: 'Won', currnIdx: 1007, count: 2, amount: 30.3 },
      { statusId: 'Won', currnIdx: 1009, count: 1, amount: 7 },
    ]);
    const list = await server.ok(QuoteSearch.SearchQuotesForSalesRep, { ...request, remember: 'none' }, { as: rep });
    expect(list.total).toBe(4);
    const all = await server.ok(FacilityView.GetFacilityQuoteFigures, request, { as: inside });
    expect(all[0]).toEqual({ statusId: 'Editing', currnIdx: 1007, count: 2, amount: 1005 });
    expect(await server.ok(FacilityView.GetFacilityQuoteFigures, request, { as: await aUser(db) })).toEqual([]);
  });

  test('is empty for an unknown facility, and refuses callers who are signed out', async () => {
    const request = { facilityId: 2_000_000_000 };
    const as = await aUser(server.db, { roles: ['systemadmin'] });
    expect(await server.ok(FacilityView.GetFacilityQuoteFigures, request, { as })).toEqual([]);
    expect((await server.call(FacilityView.GetFacilityQuoteFigures, request)).status).toBe(401);
  });
});

describe('the price list', () => {
  const prices = async (criteria: { facilityId: number; [field: string]: unknown }, as: { id: number }) =>
    server.ok(FacilityView.GetFacilityPrices, criteria, { as });

  test('gives each item the price of a quote line, with its source in words and its saving', async () => {
    const { db } = server;
    const rep = await aUser(db);
    const facility = await aFacility(db);
    const gpo = await aGpo(db, { name: 'Plover Group' });
    await aMembership(db, { facilityId: facility.id, gpoId: gpo.id });
    const list = await anItem(db, { number: 'PLV-1', price: 10, cost: 3.37, floor: 4.41 });
    const account = await anItem(db, { number: 'plv-2', price: 10, units: { EA: 1, BX: 10 } });
    const contract = await anItem(db, { number: 'PLV-3', price: 10 });
    const offered = await anItem(db, { number: 'PLV-4', price: 10 });
    const none = await anItem(db, { number: 'PLV-5', prices: [] });
    await anItem(db, { number: 'PLV-6', status: 'Discontinued' });
    await anItem(db, { number: 'PLV-7', classId: (await anItemClass(db, { hidden: true })).id });
    await anItem(db, { number: 'PLV-8', price: 10, lastSold: null });
    await anAccountPrice(db, { facilityId: facility.id, itemId: account.id, unit: 'BX', price: 85, reference: 'A-77' });
    await anAccountPrice(db, { facilityId: (await aFacility(db)).id, itemId: list.id, price: 1 });
    await aContract(db, {
      number: 'V-PLV',
      gpoId: gpo.id,
      facilityIds: [facility.id],
      lines: [{ itemId: contract.id, price: 7.25 }],
    });
    await aPromotion(db, { itemId: offered.id, amount: 5, minQty: 10, uom: 'EA', to: '2026-12-31' });
    const answer = await prices({ facilityId: facility.id, keyword: 'plv-' }, rep);
    expect(answer).toMatchObject({ total: 6, pageCount: 1, date: '2026-11-21' });
    expect(
      answer.records.map(({ itemNumber, price, source, saving, savingPct }) => [
        itemNumber,
        price,
        source,
        saving,
        savingPct,
      ]),
    ).toEqual([
      ['PLV-1', 10, 'List price', 0, 0],
      ['plv-2', 8.5, 'Account price (A-77)', 1.5, 15],
      ['PLV-3', 7.25, 'Contract V-PLV, tier 1 (Plover Group)', 2.75, 27.5],
      ['PLV-4', 10, 'List price', 0, 0],
      ['PLV-5', null, 'No price', null, null],
      ['PLV-8', 10, 'List price', 0, 0],
    ]);
    expect(answer.records[3]?.promotions).toEqual([{ offer: '5% discount, from 10 EA, to 12/31/2026', price: 9.5 }]);
    expect(answer.records[4]?.problem).toBe('There is no price in USD for item PLV-5 on 11/21/2026.');
    for (const { id, price, unit } of answer.records.filter((row) => row.id !== none.id)) {
      const ladder = await server.ok(ItemSearch.SearchItemPrices, { itemId: id, facilityId: facility.id }, { as: rep });
      expect({ price: ladder.resolved?.systemPrice, unit: ladder.item.unit }).toEqual({ price, unit });
    }
  });

  test('filters by day, class and keyword, pages, and uses the currency of the facility', async () => {
    const { db } = server;
    const rep = await aUser(db);
    const facility = await aFacility(db);
    const euro = await aFacility(db, { currnIdx: 1009 });
    const beds = await anItemClass(db, { name: 'Sanderling beds' });
    const bed = await anItem(db, { number: 'SND-1', description: 'Bed, wide', classId: beds.id });
    await anItem(db, { number: 'SND-2', prices: [{ unit: 'EA', price: 30, currnIdx: 1009 }] });
    await anItem(db, { number: 'SND-3' });
    await anAccountPrice(db, { facilityId: facility.id, itemId: bed.id, price: 6, from: '2027-01-01' });
    const numbers = async (criteria: object) =>
      (await prices({ facilityId: facility.id, keyword: 'snd', ...criteria }, rep)).records.map(
        (row) => row.itemNumber,
      );
    expect(await numbers({})).toEqual(['SND-1', 'SND-2', 'SND-3']);
    expect(await numbers({ keyword: 'snd wide' })).toEqual(['SND-1']);
    expect(await numbers({ classId: beds.id })).toEqual(['SND-1']);
    expect(await numbers({ page: 2, pageSize: 2 })).toEqual(['SND-3']);
    expect(await numbers({ page: 3, pageSize: 2 })).toEqual([]);
    expect(await numbers({ sort: { field: 'itemNumber', dir: 'desc' } })).toEqual(['SND-3', 'SND-2', 'SND-1']);
    const on = async (date: string) => {
      const answer = await prices({ facilityId: facility.id, keyword: 'SND-1', date }, rep);
      return [answer.date, answer.records[0]?.price];
    };
    expect(await on('')).toEqual(['2026-11-21', 10]);
    expect(await on('01/01/2027')).toEqual(['2027-01-01', 6]);
    const inEuros = await prices({ facilityId: euro.id, keyword: 'snd' }, rep);
    expect(inEuros.records.map(({ currnIdx, price }) => [currnIdx, price])).toEqual([
      [1009, null],
      [1009, 30],
      [1009, null],
    ]);
  });

  test('the file has the whole list and never a formula', async () => {
    const { db } = server;
    const rep = await aUser(db);
    const facility = await aFacility(db, { acctNo: 'TRN/9' });
    await anItem(db, { number: '=TRN+1', description: '@SUM(A1)', price: 12.5 });
    await db
      .insertInto('item')
      .values(
        Array.from({ length: 1101 }, (_, n) => ({
          item_number: `TRN-${1000 + n}`,
          description: 'Tern',
          base_unit: 'EA',
        })),
      )
      .execute();
    const { status, bytes, headers } = await server.call(
      FacilityView.ExportFacilityPrices,
      { facilityId: facility.id, keyword: 'trn', pageSize: 1, page: 7 },
      { as: rep },
    );
    expect(status).toBe(200);
    expect(String(headers['content-disposition'])).toContain('prices-TRN-9-2026-11-21.csv');
    const lines = bytes.toString('utf8').trimEnd().split('\r\n');
    expect(lines).toHaveLength(1103);
    expect(lines[0]).toBe(
      '\uFEFFItem #,Description,Class,Unit,List price,Price,Currency,Price source,Saving,Saving %,Price ends,Promotions',
    );
    expect(lines[1]).toBe("'=TRN+1,'@SUM(A1),,EA,12.5,12.5,USD,List price,0,0,,");
    expect(lines[2]).toBe('TRN-1000,Tern,,EA,,,USD,There is no price in USD for item TRN-1000 on 11/21/2026.,,,,');
    expect(lines.at(-1)).toContain('TRN-2100');
  });

  test('shows cost and margin to nobody', async () => {
    const { db } = server;
    const facility = await aFacility(db);
    await anItem(db, { number: 'AVOCET-1', price: 10, cost: 3.37, floor: 4.41 });
    for (const role of ['salesrep', 'systemadmin'] as const) {
      const as = await aUser(db, { roles: [role] });
      for (const call of [FacilityView.GetFacilityPrices, FacilityView.ExportFacilityPrices]) {
        const { status, bytes } = await server.call(call, { facilityId: facility.id, keyword: 'avocet' }, { as });
        expect(status).toBe(200);
        expect(bytes.toString('utf8')).toContain('AVOCET-1');
        expect(bytes.toString('utf8')).not.toMatch(/cost|margin|floor|3\.37|4\.41/i);
      }
    }
  });

  test('refuses an unknown facility, an invalid day, and callers who are signed out', async () => {
    const as = await aUser(server.db);
    const facility = await aFacility(server.db);
    for (const call of [FacilityView.GetFacilityPrices, FacilityView.ExportFacilityPrices]) {
      expect((await server.call(call, { facilityId: 2_000_000_000 }, { as })).status).toBe(404);
      const wrong = await server.call(call, { facilityId: facility.id, date: '02/30/2026' }, { as });
      expect(wrong.status).toBe(422);
      expect(wrong.bytes.toString('utf8')).toContain('February 2026 has only 28 days');
      expect((await server.call(call, { facilityId: facility.id })).status).toBe(401);
    }
  });
});
