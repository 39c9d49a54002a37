// Tests the lists of quotes over HTTP: filters, pages, remembered criteria, approvals, export.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { anApprovalRequest, aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { QUOTE_SORT_FIELDS, QuoteSearch, type QuoteSortField } from './quotes.contract.ts';
import { STATUSES } from './status.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

type Criteria = Parameters<typeof search>[1];
const search = (as: { id: number }, criteria: Record<string, unknown> = {}) =>
  server.ok(QuoteSearch.SearchQuotesForSalesRep, { remember: 'none', ...criteria }, { as });
const numbers = async (as: { id: number }, criteria: Criteria) =>
  (await search(as, criteria)).records.map((row) => row.num);

describe('filters', () => {
  test('each narrows the list by its field; blank, null and empty mean any', async () => {
    const { db } = server;
    const region = await aRegion(db);
    const territory = await aTerritory(db, { regionId: region.id });
    const [rep, cs] = [await aUser(db), await aUser(db, { roles: ['csrep'] })];
    const reader = await aUser(db, { roles: ['csrep'] });
    const first = await aQuote(db, {
      facilityName: 'Mercy 100% Clinic',
      facilityAcctNo: '007_741',
      salesRepId: rep.id,
      csRepId: cs.id,
      regionId: region.id,
      territoryId: territory.id,
      statusId: 'Processing',
      quoteDate: '2031-03-10',
      itemNumbers: ['GLOVE-XL-9', 'TAPE'],
      revision: 2,
    });
    const two = await aQuote(db, {
      facilityName: 'Mercy 1000 Clinic',
      facilityAcctNo: '0070741',
      quoteDate: '2031-03-12',
      statusId: 'Won',
    });
    const both = [two.num, first.num];
    const within = { dateFrom: '2031-03-01', dateTo: '2031-03-31' };
    const cases: [Record<string, unknown>, number[]][] = [
      [{}, both],
      [{ num: '', facilityName: ' ', itemNum: null, regionId: null, qtStatuses: [], dateFrom: '03/01/2031' }, both],
      [{ num: first.num }, [first.num]],
      [{ num: `${first.num}-R2` }, [first.num]],
      [{ num: ` #${first.num} ` }, [first.num]],
      [{ num: `${first.num}9` }, []],
      [{ num: 'not a number' }, []],
      [{ facilityName: 'clinic mercy' }, both],
      [{ facilityName: "mercy's" }, []],
      [{ facilityName: 'mercy, clinic.' }, both],
      [{ facilityName: 'MERCY 100%' }, [first.num]],
      [{ facilityName: '007' }, []],
      [{ facilityAccountNo: '7_7' }, [first.num]],
      [{ facilityAccountNo: '0741' }, [two.num]],
      [{ itemNum: 'love-x' }, [first.num]],
      [{ itemNum: 'love_x' }, []],
      [{ dateFrom: '03/12/2031' }, [two.num]],
      [{ dateTo: '2031-03-10' }, [first.num]],
      [{ dateFrom: '2031-03-10', dateTo: '2031-03-12' }, both],
      [{ regionId: region.id }, [first.num]],
      [{ territoryId: territory.id }, [first.num]],
      [{ qtStatuses: ['Processing', 'Lost'] }, [first.num]],
      [{ qtStatuses: ['Processing', 'Won'] }, both],
      [{ salesRepId: rep.id }, [first.num]],
      [{ csRepId: cs.id }, [first.num]],
      [{ csRepId: cs.id, qtStatuses: ['Won'] }, []],
    ];
    for (const [criteria, expected] of cases)
      expect([criteria, await numbers(reader, { ...within, ...criteria })]).toEqual([criteria, expected]);
  });

  test('accents do not matter, in names and item numbers', async () => {
    const reader = await aUser(server.db, { roles: ['csrep'] });
    const { num } = await aQuote(server.db, { facilityName: 'Clínica Ñuñoa', itemNumbers: ['CÁT-1'] });
    for (const criteria of [{ facilityName: 'nunoa clinica' }, { facilityName: 'CLÍNICA' }, { itemNum: 'cat-1' }])
      expect(await numbers(reader, criteria)).toEqual([num]);
  });

  test('more than 1,000 are not counted, and each of their pages exists until the end', async () => {
    const { db } = server;
    const reader = await aUser(db, { roles: ['csrep'] });
    const region = await aRegion(db);
    const first = await aQuote(db, { regionId: region.id, facilityName: 'Countless Clinic', statusId: 'Won' });
    const more = (count: number) =>
      sql`insert into quote (num, status_id, region_id, facility_name, owner_id, quote_date, valid_until)
        select 7000000 + (select count(*) from quote) + n, 'Won', ${region.id}, 'Countless Clinic', owner_id, quote_date, valid_until
        from quote, generate_series(1, ${count}::int) n where id = ${first.id}`.execute(db);
    await more(999);
    // There are two ways of counting: by the names of a few facilities, and by everything else.
    for (const criteria of [{ regionId: region.id }, { facilityName: 'countless', qtStatuses: ['Won' as const] }]) {
      const { records: _records, ...counts } = await search(reader, criteria);
      expect(counts).toEqual({ total: 1000, pageCount: 50 });
    }
    await more(5);
    for (const criteria of [{ regionId: region.id }, { facilityName: 'countless', qtStatuses: ['Won' as const] }]) {
      for (const [page, length] of [
        [1, 20],
        [50, 20],
        [51, 5],
        [52, 0],
      ] as const) {
        const { records, ...counts } = await search(reader, { ...criteria, page });
        expect([page, records.length, counts]).toEqual([page, length, { total: 1000, more: true, pageCount: 50 }]);
      }
    }
  });

  test('text that a database rejects finds nothing', async () => {
    const reader = await aUser(server.db, { roles: ['csrep'] });
    for (const facilityName of ["'; drop table quote; --", '\\', '\u0000;', '%'.repeat(200)]) {
      expect((await search(reader, { facilityName })).total).toBe(0);
    }
  });

  test('wrong input is refused under its field', async () => {
    const as = await aUser(server.db);
    for (const [wrong, path] of [
      [{ dateFrom: '02/30/2026' }, 'dateFrom'],
      [{ dateFrom: '2026-11-02', dateTo: '11/01/2026' }, 'dateTo'],
      [{ qtStatuses: ['Open'] }, 'qtStatuses.0'],
      [{ page: 0 }, 'page'],
      [{ pageSize: 5000 }, 'pageSize'],
      [{ sort: { field: 'password_hash', dir: 'asc' } }, 'sort.field'],
      [{ regionId: 'West' }, 'regionId'],
    ] as const) {
      const { status, body } = await server.call(QuoteSearch.SearchQuotesForSalesRep, wrong, { as });
      expect(status).toBe(422);
      expect((body as unknown as { errors: { path: string }[] }).errors[0]?.path).toBe(path);
    }
  });

  test('a call without a token is refused', async () => {
    for (const endpoint of Object.values(QuoteSearch)) expect((await server.call(endpoint, {})).status).toBe(401);
  });
});

describe('pages', () => {
  test('the pages together are the whole list, whatever the size and order', async () => {
    const { db } = server;
    const rep = await aUser(db);
    const reps = [
      await aUser(db, { fullName: 'Same Name' }),
      await aUser(db, { fullName: 'Same Name' }),
      await aUser(db, { fullName: 'ann lower' }),
    ];
    for (let n = 0; n < 23; n++) {
      const cs = reps[n % 4];
      await aQuote(db, {
        ownerId: rep.id,
        ...(cs ? { csRepId: cs.id } : {}),
        facilityName: n % 3 === 0 ? 'same' : `Name ${n % 5}`,
        statusId: STATUSES[n % 4] ?? 'Won',
        quoteDate: `2026-0${1 + (n % 6)}-01`,
        totalAmount: (n * 7) % 5,
      });
    }
    const orders = fc.record({
      field: fc.constantFrom<QuoteSortField[]>(...QUOTE_SORT_FIELDS),
      dir: fc.constantFrom('asc', 'desc'),
    });
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 1, max: 30 }), async ({ field, dir }, pageSize) => {
        const sort = { field, dir };
        const whole = await search(rep, { sort, pageSize: 200 });
        expect(whole.total).toBe(23);
        const first = await search(rep, { sort, pageSize });
        expect(first.pageCount).toBe(Math.ceil(23 / pageSize));
        const parts = [first.records];
        for (let page = 2; page <= first.pageCount; page++)
          parts.push((await search(rep, { sort, pageSize, page })).records);
        expect(parts.flat()).toEqual(whole.records);
        expect((await search(rep, { sort, pageSize, page: first.pageCount + 1 })).records).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('sorted by a column, missing names come last in both directions', async () => {
    const { db } = server;
    const rep = await aUser(db);
    const [ann, bob] = [await aUser(db, { fullName: 'ann' }), await aUser(db, { fullName: 'Bob' })];
    for (const isRepId of [bob.id, undefined, ann.id])
      await aQuote(db, { ownerId: rep.id, ...(isRepId ? { isRepId } : {}) });
    const names = async (dir: 'asc' | 'desc') =>
      (await search(rep, { sort: { field: 'isRep', dir } })).records.map((row) => row.isRep.name);
    expect(await names('asc')).toEqual(['ann', 'Bob', '']);
    expect(await names('desc')).toEqual(['Bob', 'ann', '']);
  });

  test('a row has what the list shows, and whether the quote has expired at the company', async () => {
    const { db } = server;
    const rep = await aUser(db, { fullName: 'Sam Seller' });
    const sent = {
      ownerId: rep.id,
      statusId: 'SentToCustomer',
      currnIdx: 1009,
      totalAmount: 12.5,
      revision: 3,
    } as const;
    const last = await aQuote(db, { ...sent, validUntil: '2026-06-30' });
    await server.tokenOf(rep);
    // 4:30 AM in Greenwich is still the previous day in Chicago.
    server.setNow('2026-07-01T04:30:00Z');
    expect((await search(rep)).records).toEqual([
      {
        id: last.id,
        num: last.num,
        revision: 3,
        version: 1,
        statusId: 'SentToCustomer',
        expired: false,
        facilityName: expect.any(String),
        facilityAcctNo: expect.any(String),
        quoteDate: '2026-11-02',
        totalAmount: 12.5,
        currnIdx: 1009,
        totalAmountCurrnIdx: 1009,
        contactName: 'Pat Buyer',
        phone: '312-555-0100',
        salesRep: { name: 'Sam Seller' },
        csRep: { name: '' },
        isRep: { name: '' },
        openQuestions: 0,
        mailTrouble: 0,
        opened: null,
      },
    ]);
    server.setNow('2026-07-01T05:30:00Z');
    expect((await search(rep)).records[0]?.expired).toBe(true);
    server.setNow(null);
  });
});

describe('criteria', () => {
  const defaults = (as: { id: number }) => server.ok(QuoteSearch.GetUserDefaultQuoteSearchCriteria, {}, { as });

  test('at first everything, newest first; then the last search', async () => {
    const region = await aRegion(server.db);
    const user = await aUser(server.db, { roles: ['csrep'] });
    const first = await defaults(user);
    expect(first).toMatchObject({
      page: 1,
      qtStatuses: [],
      num: null,
      regionId: null,
      sort: { field: 'quoteDate', dir: 'desc' },
    });
    const request = {
      page: 3,
      facilityName: 'mercy',
      qtStatuses: ['Won' as const],
      regionId: region.id,
      dateFrom: '01/02/2026',
    };
    await server.ok(QuoteSearch.SearchQuotesForSalesRep, request, { as: user });
    expect(await defaults(user)).toMatchObject({ ...request, dateFrom: '2026-01-02' });
    await server.ok(QuoteSearch.SearchQuotesForSalesRep, { num: 1, remember: 'none' }, { as: user });
    expect((await defaults(user)).facilityName).toBe('mercy');
    expect((await defaults(await aUser(server.db))).facilityName).toBe(null);
  });

  test('a choice no longer offered is not restored', async () => {
    const region = await aRegion(server.db);
    const user = await aUser(server.db, { roles: ['csrep'] });
    await server.ok(QuoteSearch.SearchQuotesForSalesRep, { regionId: region.id, num: '5' }, { as: user });
    await server.db.updateTable('region').set({ active: false }).where('id', '=', region.id).execute();
    expect(await defaults(user)).toMatchObject({ regionId: null, num: '5' });
  });

  test('the home screen keeps its own', async () => {
    const rep = await aUser(server.db);
    const user = await aUser(server.db, { roles: ['csrep'] });
    await server.ok(QuoteSearch.SearchQuotesForSalesRep, { salesRepId: rep.id, remember: 'home' }, { as: user });
    expect((await defaults(user)).salesRepId).toBe(null);
    const { home } = await server.ok(QuoteSearch.GetUserDefaultQuoteSearchLookups, {}, { as: user });
    expect(home).toEqual({ salesRepId: rep.id, csRepId: null });
  });
});

describe('lookups', () => {
  const lookups = (as: { id: number }) => server.ok(QuoteSearch.GetUserDefaultQuoteSearchLookups, {}, { as });
  const ALL = { id: null, name: 'All' };

  test("'All' and whom each role may choose", async () => {
    const { db } = server;
    const region = await aRegion(db);
    const [rep, far] = [await aUser(db, { fullName: 'Near Rep' }), await aUser(db, { fullName: 'Far Rep' })];
    const gone = await aUser(db, { active: false, fullName: 'Gone Rep' });
    await aUser(db, { roles: ['csrep'] });
    await aUser(db, { roles: ['csrep'] });
    const territory = await aTerritory(db, { regionId: region.id, sales: rep.id });
    await aTerritory(db, { sales: far.id });
    const entry = (user: { id: number; fullName: string }) => ({ id: user.id, name: user.fullName });

    const ofRep = await lookups(rep);
    expect(ofRep.salesReps).toEqual([ALL, entry(rep)]);
    expect(ofRep.csReps[0]).toEqual(ALL);
    expect(ofRep.regions[0]).toEqual(ALL);
    expect(ofRep.territories[0]).toEqual({ ...ALL, regionId: null });
    expect(ofRep.statuses.map(({ id }) => id)).toEqual([...STATUSES]);

    const ofSupport = await lookups(await aUser(db, { roles: ['salessupport'], supports: [rep.id, gone.id] }));
    expect(ofSupport.salesReps).toEqual([ALL, entry(rep)]);

    const ofManager = await lookups(await aUser(db, { roles: ['salesQuoteManager'], regionIds: [region.id] }));
    expect(ofManager.salesReps).toEqual([entry(rep)]);
    expect(ofManager.regions).toEqual([region]);
    expect(ofManager.territories).toEqual([territory]);

    const ofAdmin = await lookups(await aUser(db, { roles: ['systemadmin'] }));
    expect(ofAdmin.salesReps[0]).toEqual(ALL);
    expect(ofAdmin.salesReps).toEqual(expect.arrayContaining([entry(rep), entry(far)]));
    expect(ofAdmin.salesReps).not.toContainEqual(entry(gone));
  });
});

test('an empty company gets what it lacks, and who can help', async () => {
  const empty = await startTestServer();
  try {
    const setup = async (as: { id: number }) =>
      (await empty.ok(QuoteSearch.GetUserDefaultQuoteSearchLookups, {}, { as })).setup;
    const admin = await aUser(empty.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
    expect(await setup(admin)).toEqual({ missing: ['people', 'facilities', 'items'], administrators: ['Ada Admin'] });
    await aFacility(empty.db);
    expect(await setup(await aUser(empty.db))).toEqual({ missing: ['items'], administrators: ['Ada Admin'] });
    await anItem(empty.db);
    expect(await setup(admin)).toEqual({ missing: [], administrators: [] });
  } finally {
    await empty.close();
  }
});

describe('approval', () => {
  const waiting = async (as: { id: number }) =>
    (await server.ok(QuoteSearch.SearchQuotesForApproval, {}, { as })).records;

  test('each approver gets requests in sight that they may decide, never their own, longest waiting first', async () => {
    const { db } = server;
    const [north, south] = [await aRegion(db), await aRegion(db)];
    const asker = await aUser(db, { roles: ['insiderep'], fullName: 'Kim Asker' });
    const manager = await aUser(db, { roles: ['salesQuoteManager'], regionIds: [north.id] });
    const admin = await aUser(db, { roles: ['salesadmin'] });
    const contracts = await aUser(db, { roles: ['contractdept'] });
    const root = await aUser(db, { roles: ['systemadmin'] });
    const pending = async (
      regionId: number,
      roles: ('salesQuoteManager' | 'salesadmin' | 'contractdept')[],
      day: number,
      by = asker,
    ) => {
      const quote = await aQuote(db, { regionId, statusId: 'Processing' });
      await anApprovalRequest(db, {
        quoteId: quote.id,
        requestedBy: by.id,
        roles,
        requestedAt: `2026-03-0${day}T10:00:00Z`,
      });
      return quote.id;
    };
    const b = await pending(north.id, ['salesQuoteManager'], 2);
    const a = await pending(north.id, ['salesQuoteManager'], 1);
    const own = await pending(north.id, ['salesQuoteManager'], 3, manager);
    const far = await pending(south.id, ['salesQuoteManager'], 4);
    const big = await pending(north.id, ['salesQuoteManager', 'salesadmin'], 5);
    const floor = await pending(north.id, ['contractdept'], 6);
    const decided = await aQuote(db, { regionId: north.id });
    await anApprovalRequest(db, {
      quoteId: decided.id,
      requestedBy: asker.id,
      roles: ['salesQuoteManager'],
      state: 'Approved',
    });

    const ids = async (as: { id: number }) => (await waiting(as)).map((row) => row.id);
    expect(await ids(manager)).toEqual([a, b, big]);
    expect(await ids(admin)).toEqual([a, b, own, far, big, floor]);
    expect(await ids(contracts)).toEqual([floor]);
    expect(await ids(root)).toEqual([a, b, own, far, big, floor]);
    expect(await ids(asker)).toEqual([]);
    expect(await ids(await aUser(db))).toEqual([]);
    expect((await waiting(manager))[0]).toMatchObject({
      statusId: 'Processing',
      approval: {
        requestedBy: 'Kim Asker',
        requestedAt: '2026-03-01T10:00:00.000Z',
        reasons: ['Discount 18% > 15%'],
      },
    });
  });

  test('a null body is the same as none', async () => {
    const { status, body } = await server.call(QuoteSearch.SearchQuotesForApproval, null, {
      as: await aUser(server.db),
    });
    expect([status, body]).toEqual([200, { records: [], pageCount: 0, total: 0 }]);
  });
});

describe('export', () => {
  test('every match as CSV, safe in a spreadsheet', async () => {
    const { db } = server;
    const rep = await aUser(db, { fullName: 'Réné "Ace", Jr.' });
    const quote = await aQuote(db, {
      ownerId: rep.id,
      facilityName: '=HYPERLINK("http://x")',
      revision: 2,
      totalAmount: 1234.5,
      phone: '+1 312',
      statusId: 'Won',
    });
    const later = await aQuote(db, { ownerId: rep.id, quoteDate: '2026-12-24' });
    const { status, bytes, headers } = await server.call(QuoteSearch.ExportQuotes, { pageSize: 1 }, { as: rep });
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/csv');
    expect(headers['content-disposition']).toMatch(/quotes-\d{4}-\d\d-\d\d\.csv/);
    const lines = bytes.toString('utf8').split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFF#,Status,Facility,Quote Date,Total Amt.,Currency,Acct. #,Contact,Phone,Sales Rep.,CS Rep.,IS Rep.,Customer reference,PO number',
    );
    expect(lines[1]).toMatch(new RegExp(`^${later.num},Editing,.*,12/24/2026,100.00,USD`));
    expect(lines[2]).toContain(`${quote.num}-R2,Won,"'=HYPERLINK(""http://x"")",11/02/2026,1234.50,USD`);
    expect(lines[2]).toContain(`Pat Buyer,'+1 312,"Réné ""Ace"", Jr."`);
    expect(lines.length).toBe(4);
  });
});
