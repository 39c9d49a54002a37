// The proof of the reports of random companies by a second calculation, from what happened to their quotes, that shares no code with the answers.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '#demo/random.server.ts';
import { dayOf, plusDays } from './deal-days.ts';
import { aPlace, dealCatalog } from './deal-catalog.server.ts';
import {
  type ContractWorld,
  expectedExpiring,
  expectedNeverBought,
  expectedRisks,
  storeContractWorld,
} from './contract-world.server.ts';
import { expectedContractUse, expectedSpread } from './expected-contract-use.server.ts';
import { expectedDiscountMargin, expectedMargin, expectedTerritorySales } from './expected-discount-margin.server.ts';
import { type Asked, expectedPipeline, type Figures } from './expected-pipeline.server.ts';
import { expectedPivot } from './expected-pivot.server.ts';
import { expectedWonLost } from './expected-won-lost.server.ts';
import { expectedRevisions, expectedTimes, expectedWaiting, type Times } from './expected-speed.server.ts';
import { type Catalog, type Company, type Deal, type DealLine, randomDeals } from './random-deals.server.ts';
import { storeDeals } from './store-deals.server.ts';
import { aUser } from '../factories/people.server.ts';
import { startTestServer, type TestServer } from '../test-server.server.ts';
import { MAX_FACILITIES } from '#addons/reports/contract-use/contract-use.definitions.ts';
import { rebuildFacts } from '#addons/reports/facts/rebuild.server.ts';
import { DIMENSIONS, MEASURES, OF_LINES } from '#addons/reports/pivot-choice.ts';
import { type Outcomes, type PivotCell, type PivotInput, Report } from '#addons/reports/reports.contract.ts';
import type { ReportFilters } from '#addons/reports/report-filters.ts';

/** Lists read for each company and report. */
const LISTS = 2;
const ZONE = 'America/Chicago';
const NOW = Date.parse('2026-11-10T15:00:00Z');

type Question = { company: Company; asked: Asked; filters: ReportFilters };

type ProofExtent = {
  companies: number;
  /** Questions about all of them together. */
  whole: number;
  /** Whether so many companies must have quotes of every kind. */
  everyKind: boolean;
};

type Figure = { slice: string; count: number; amount: number };
const cents = (amount: number) => Math.round(amount * 100);

/** The figures of a report by slice, without zeros. */
function bySlice(figures: readonly Figure[]): Record<string, [count: number, cents: number]> {
  return Object.fromEntries(
    figures
      .filter(({ count }) => count > 0)
      .map(({ slice, count, amount }) => [slice, [count, cents(amount)] as const]),
  ) as Record<string, [number, number]>;
}
function summed(figures: Figures): Record<string, [count: number, cents: number]> {
  return Object.fromEntries(
    [...figures].map(([slice, members]) => [
      slice,
      [members.size, [...members.values()].reduce((a, b) => a + b, 0)] as const,
    ]),
  ) as Record<string, [number, number]>;
}

/** Both figures of won and lost quotes of a group. */
const outcomes = (all: readonly Outcomes[]): Figure[] =>
  all.flatMap((entry) => [
    { slice: entry.wonSlice, count: entry.won, amount: entry.wonAmount },
    { slice: entry.lostSlice, count: entry.lost, amount: entry.lostAmount },
  ]);

/** Declares the tests of the proof in the file that calls it. */
export function proveReports(extent: ProofExtent): void {
  let server: TestServer;
  let catalog: Catalog;
  let world: ContractWorld;
  const companies: Company[] = [];
  let reader: { id: number };

  beforeAll(async () => {
    server = await startTestServer();
    const { db } = server;
    await db.updateTable('company').set({ time_zone: ZONE }).execute();
    server.setNow(new Date(NOW).toISOString());
    catalog = await dealCatalog(db);
    reader = await aUser(db, { roles: ['systemadmin'] });
    const ids = { quote: 1000, line: 1000 };
    for (let n = 0; n < extent.companies; n++)
      companies.push(randomDeals(n + 1, await aPlace(db, n), catalog, { now: NOW, zone: ZONE, ids }));
    await storeDeals(db, companies);
    world = await storeContractWorld(db, companies, { catalog, today: dayOf(NOW, ZONE) });
  }, 120_000);
  afterAll(() => server.close());

  /** A random question about each company: a period, sometimes a rep, a territory, a class or a contract, and a currency. */
  function questions(): Question[] {
    return companies.map((company) => {
      const random = seeded(company.seed * 7919);
      const today = dayOf(NOW, ZONE);
      const from = plusDays(today, -random.int(0, 170));
      const to = plusDays(from, random.int(0, 170));
      const filters: ReportFilters = { from, to, regionId: company.regionId };
      const tests: ((deal: Deal) => boolean)[] = [];
      const currnIdx = random.chance(0.2) ? 1009 : 1007;
      if (currnIdx === 1009) filters.currnIdx = currnIdx;
      tests.push((deal) => deal.currnIdx === currnIdx);
      if (random.chance(0.2)) {
        const repId = random.pick(company.reps);
        filters.repId = repId;
        tests.push((deal) => deal.repId === repId);
      }
      if (random.chance(0.2)) {
        const territoryId = random.pick(company.territories);
        filters.territoryId = territoryId;
        tests.push((deal) => deal.territoryId === territoryId);
      }
      const lineTests: ((line: Deal['lines'][number]) => boolean)[] = [];
      if (random.chance(0.15)) {
        const classId = random.pick([...catalog.classes.values()]);
        filters.classId = classId;
        lineTests.push((line) => line.itemId !== null && catalog.classes.get(line.itemId) === classId);
      }
      if (random.chance(0.15)) {
        const { contractId } = random.pick(catalog.contractLines);
        filters.contractId = contractId;
        const own = catalog.contractLines
          .filter((contractLine) => contractLine.contractId === contractId)
          .map(({ id }) => id);
        lineTests.push((line) => line.contractLineId !== null && own.includes(line.contractLineId));
      }
      if (lineTests.length > 0)
        tests.push((deal) => deal.lines.some((line) => line.counts && lineTests.every((test) => test(line))));
      const selects = (deal: Deal) => tests.every((test) => test(deal));
      const takes = (line: DealLine) => lineTests.every((test) => test(line));
      const classOf = ({ itemId }: DealLine) => String((itemId !== null && catalog.classes.get(itemId)) || 'none');
      return { company, filters, asked: { selects, takes, classOf, from, to, now: NOW, zone: ZONE } };
    });
  }

  /** Questions about all companies together, which only kept sums of months and the days around them answer. */
  function questionsAboutAll(): Question[] {
    const deals = companies.flatMap((company) => company.deals);
    const everybody = { ...(companies[0] as Company), deals, seed: 0 };
    const today = dayOf(NOW, ZONE);
    return Array.from({ length: extent.whole }, (_, n) => {
      const random = seeded(n * 104_729 + 1);
      const day = plusDays(today, -random.int(0, 170));
      const from = random.chance(0.4) ? `${day.slice(0, 7)}-01` : day;
      const to = random.chance(0.3) ? today : plusDays(from, random.int(0, 170));
      const currnIdx = random.chance(0.2) ? 1009 : 1007;
      const [{ asked }] = questions() as [Question];
      const selects = (deal: Deal) => deal.currnIdx === currnIdx;
      return {
        company: { ...everybody, seed: n },
        filters: { from, to, ...(currnIdx === 1009 ? { currnIdx } : {}) },
        asked: { ...asked, selects, takes: () => true, from, to },
      };
    });
  }

  /** The lists behind some of the figures: the very quotes, each with what it adds. */
  async function checkLists({ company, filters }: Question, figures: Figures, most: number): Promise<number> {
    const random = seeded(company.seed);
    const slices = [...figures.keys()].toSorted(() => random.next() - 0.5).slice(0, most);
    for (const slice of slices) {
      const expected = figures.get(slice) ?? new Map<number, number>();
      const list = await server.ok(
        Report.GetReportQuotes,
        { ...filters, slice, page: 1, pageSize: 200 },
        { as: reader },
      );
      for (let page = 2; list.records.length < Math.min(list.count, expected.size); page++) {
        const more = await server.ok(
          Report.GetReportQuotes,
          { ...filters, slice, page, pageSize: 200 },
          { as: reader },
        );
        if (more.records.length === 0) break;
        list.records.push(...more.records);
      }
      const rows = Object.fromEntries(list.records.map(({ id, sliceAmount }) => [id, cents(sliceAmount)]));
      expect({ slice, seed: company.seed, rows }).toEqual({
        slice,
        seed: company.seed,
        rows: Object.fromEntries(expected),
      });
      expect(list.count).toBe(expected.size);
      expect(cents(list.amount)).toBe([...expected.values()].reduce((a, b) => a + b, 0));
    }
    return slices.length;
  }

  /** Asks a report of every company, compares all figures and some lists, and answers which kinds of figures there were. */
  async function prove(
    figuresOf: (filters: ReportFilters) => Promise<Figure[]>,
    expectedOf: (company: Company, asked: Asked) => Figures,
    more: readonly Question[] = [],
  ): Promise<Set<string>> {
    const seen = new Set<string>();
    for (const question of [...questions(), ...more]) {
      const { company, filters, asked } = question;
      const { seed } = company;
      // Of the reps of all companies only the largest travel.
      const isComplete = ([slice]: readonly [string, unknown]) =>
        filters.regionId !== undefined || !/(^|:)rep:/.test(slice);
      const expected: Figures = new Map([...expectedOf(company, asked)].filter(isComplete));
      const result = Object.fromEntries(Object.entries(bySlice(await figuresOf(filters))).filter(isComplete));
      expect({ seed, ...result }).toEqual({ seed, ...summed(expected) });
      await checkLists(question, expected, LISTS);
      for (const slice of expected.keys()) seen.add(slice.replace(/\d{4}-\d\d(-\d\d)?/, ''));
    }
    return seen;
  }

  test('the sums that are kept are those of all lines', async () => {
    await server.ok(Report.GetPipeline, { from: '2026-01-01', to: '2026-12-31' }, { as: reader });
    // A third is taken out and added once more, among others than before.
    await sql`update report_quote set summed_events = null where id % 3 = 0`.execute(server.db);
    const { differing, sums } = await rebuildFacts(server.services);
    expect({ differing, sums }).toEqual({ differing: [], sums: 0 });
  }, 300_000);

  test('pipeline', async () => {
    const seen = await prove(async (filters) => {
      const report = await server.ok(Report.GetPipeline, filters, { as: reader });
      const weeks = report.perWeek.flatMap((week) =>
        (['created', 'submitted', 'sent', 'won'] as const).map((step) => ({
          slice: `week:${week.week}:${step}`,
          count: week[step],
          amount: week[`${step}Amount`],
        })),
      );
      const ages = report.byAge.flatMap((age) => [age, ...age.statuses]);
      const { untouched, expiring, expired } = report;
      return [...report.byStatus, ...ages, ...weeks, ...report.bridge.steps, untouched, expiring, expired];
    }, expectedPipeline);
    // The companies have every step.
    expect(
      missing(
        seen,
        ['start', 'new', 'reopened', 'grown', 'shrunk', 'won', 'lost', 'cancelled', 'expired', 'end'].map(
          (step) => `bridge:${step}`,
        ),
      ),
    ).toEqual([]);
    expect(
      missing(
        seen,
        ['created', 'submitted', 'sent', 'won'].map((step) => `week::${step}`),
      ),
    ).toEqual([]);
    expect(missing(seen, ['untouched', 'expiring', 'expired'])).toEqual([]);
  }, 300_000);

  test('won and lost', async () => {
    const seen = await prove(async (filters) => {
      const report = await server.ok(Report.GetWonLost, filters, { as: reader });
      const { total, perMonth, byRep, byRegion, byClassOfTrade, byDiscountSize, daysToDecide, priceGap } = report;
      const groups = [[total], perMonth, byRep, byRegion, byClassOfTrade, byDiscountSize, daysToDecide];
      return [...groups.flatMap(outcomes), ...report.byReason, ...report.byCompetitor, priceGap, ...priceGap.bars];
    }, expectedWonLost);
    expect(
      missing(
        seen,
        ['0', '5', '10', '20', '21'].map((key) => `gap:${key}`),
      ),
    ).toEqual([]);
    expect(
      missing(
        seen,
        ['0', '1-3', '4-7', '8-14', '15-30'].map((key) => `decided:won:days:${key}`),
      ),
    ).toEqual([]);
  }, 300_000);

  test('discounts and margin', async () => {
    const seen = await prove(
      async (filters) => {
        const report = await server.ok(Report.GetDiscountMargin, filters, { as: reader });
        const { waterfall, byRep, byClass, outliers, leakage, uncosted } = report;
        const leaks = [leakage, ...leakage.byRep, ...leakage.byClass];
        return [...waterfall, ...byRep, ...byClass, outliers, ...leaks, ...(uncosted ? [uncosted] : [])];
      },
      expectedDiscountMargin,
      questionsAboutAll(),
    );
    expect(
      missing(
        seen,
        ['list', 'contract', 'promotion', 'typed', 'quoteDiscount', 'net', 'freight', 'tax', 'total'].map(
          (step) => `waterfall:${step}`,
        ),
      ),
    ).toEqual([]);
    expect(missing(seen, ['outliers', 'uncosted', 'leakage:all:'])).toEqual([]);
  }, 300_000);

  test('the margin counts lines with a known cost alone', async () => {
    let margins = 0;
    for (const { company, filters, asked } of questions().slice(0, 60)) {
      const { margin } = await server.ok(Report.GetDiscountMargin, filters, { as: reader });
      const result = margin && { costed: cents(margin.costed), amount: cents(margin.amount) };
      expect({ seed: company.seed, margin: result }).toEqual({
        seed: company.seed,
        margin: expectedMargin(company, asked),
      });
      margins += margin ? 1 : 0;
    }
    expect(margins).toBeGreaterThan(extent.everyKind ? 20 : 0);
  }, 300_000);

  test('territories', async () => {
    const seen = await prove(async (filters) => {
      const { territories } = await server.ok(Report.GetTerritorySales, filters, { as: reader });
      return territories.flatMap((territory) => [
        { slice: territory.wonSlice, count: territory.wonCount, amount: territory.won },
        { slice: territory.openSlice, count: territory.openCount, amount: territory.open },
        { slice: territory.wonYearBeforeSlice, count: territory.wonCountYearBefore, amount: territory.wonYearBefore },
      ]);
    }, expectedTerritorySales);
    expect(
      missing(
        new Set([...seen].map((slice) => slice.replace(/^(\w+:\w+).*/s, '$1'))),
        ['won', 'open'].map((kind) => `territory:${kind}`),
      ),
    ).toEqual([]);
  }, 300_000);

  test('speed', async () => {
    const seen = new Set<string>();
    for (const { company, filters, asked } of questions()) {
      const { seed } = company;
      const { inStatus, approvals, revisions } = await server.ok(Report.GetSpeed, filters, { as: reader });
      const times: Times = {};
      for (const { slice, count, median, p90 } of [...inStatus, ...approvals.byRule, ...approvals.byPerson])
        if (count > 0) times[slice] = { count, median, p90 };
      expect({ seed, times }).toEqual({ seed, times: expectedTimes(company, asked) });
      expect({ seed, ...bySlice(revisions) }).toEqual({ seed, ...expectedRevisions(company, asked) });
      for (const slice of Object.keys(times)) seen.add(slice.replace(/:\d+/, ''));
    }
    expect(
      missing(
        seen,
        [
          'Editing',
          'WaitingForProcess',
          'Processing',
          'NeedMoreInfo',
          'DiscountApproved',
          'SentToCustomer',
          'Revising',
        ].map((status) => `stay:${status}`),
      ),
    ).toEqual([]);
    expect(missing(seen, ['approval:rule', 'approval:person'])).toEqual([]);
  }, 300_000);

  test('for whom quotes wait', async () => {
    const seen = new Set<string>();
    for (const { company, filters, asked } of questions()) {
      const { seed } = company;
      const { waiting } = await server.ok(Report.GetSpeed, filters, { as: reader });
      const expected = expectedWaiting(company, asked);
      const results = waiting.map((entry) => [
        `${entry.for} ${entry.statusId} ${entry.key}`,
        { count: entry.count, amount: cents(entry.amount), oldest: entry.oldest, median: entry.median },
      ]);
      const own = [...expected].map(([name, { ids, seconds }]) => {
        const sorted = seconds.toSorted((a, b) => a - b);
        const amount = [...ids.values()].reduce((a, b) => a + b, 0);
        const median = sorted[Math.ceil(sorted.length / 2) - 1];
        return [name, { count: ids.size, amount, oldest: sorted.at(-1), median }];
      });
      expect({ seed, ...Object.fromEntries(results) }).toEqual({ seed, ...Object.fromEntries(own) });
      for (const entry of waiting.slice(0, LISTS)) {
        const { slice } = entry;
        const list = await server.ok(
          Report.GetReportQuotes,
          { ...filters, slice, page: 1, pageSize: 200 },
          { as: reader },
        );
        const ids = [...(expected.get(`${entry.for} ${entry.statusId} ${entry.key}`)?.ids.keys() ?? [])];
        expect({ slice, ids: list.records.map(({ id }) => id).toSorted((a, b) => a - b) }).toEqual({ slice, ids });
      }
      for (const entry of waiting) seen.add(`${entry.for} ${entry.statusId}`);
    }
    expect(
      missing(seen, [
        'queue WaitingForProcess',
        'sender DiscountApproved',
        'customer SentToCustomer',
        'approver Processing',
      ]),
    ).toEqual([]);
    expect(
      missing(seen, ['processor Processing', 'salesRep Editing', 'salesRep NeedMoreInfo', 'salesRep Revising']),
    ).toEqual([]);
  }, 300_000);

  test('how far prices of one item spread', async () => {
    let spreads = 0;
    for (const { company, filters, asked } of questions()) {
      const report = await server.ok(Report.GetContractUse, filters, { as: reader });
      for (const { itemId, price } of [...report.mostQuoted, ...report.mostWon, ...report.mostLost]) {
        const tenThousandths = (amount: number) => Math.round(amount * 10_000);
        const result = price && {
          low: tenThousandths(price.low),
          median: tenThousandths(price.median),
          high: tenThousandths(price.high),
          facilities: price.facilities,
        };
        const shared = { seed: company.seed, itemId };
        expect({ ...shared, price: result }).toEqual({ ...shared, price: expectedSpread(company, asked, itemId) });
        if (price && price.facilities > 1 && price.low < price.high) spreads++;
      }
    }
    expect(spreads).toBeGreaterThan(extent.everyKind ? 50 : -1);
  }, 300_000);

  test('contracts and items', async () => {
    const contractOf = new Map(catalog.contractLines.map(({ id, contractId }) => [id, contractId]));
    const seen = await prove(
      async (filters) => {
        const report = await server.ok(Report.GetContractUse, filters, { as: reader });
        const uses = report.contracts.flatMap((contract) => [contract, ...contract.tiers]);
        const items = [...report.mostQuoted, ...report.mostWon, ...report.mostLost];
        return [
          ...[...uses, ...items].flatMap((use) => [
            { slice: use.quotedSlice, count: use.quoted, amount: use.quotedAmount },
            { slice: use.wonSlice, count: use.won, amount: use.wonAmount },
          ]),
          ...items.map((item) => ({ slice: item.lostSlice, count: item.lost, amount: item.lostAmount })),
        ];
      },
      (company, request) => expectedContractUse(company, request, contractOf),
      questionsAboutAll(),
    );
    expect(
      missing(
        new Set([...seen].map((slice) => slice.replace(/^(\w+:\w+).*/s, '$1'))),
        ['contract:quoted', 'contract:won', 'tier:quoted', 'tier:won', 'item:quoted', 'item:won', 'item:lost'].map(
          (kind) => kind,
        ),
      ),
    ).toEqual([]);
  }, 300_000);

  test('who never bought, what is open under contracts that end, and risks', async () => {
    const today = dayOf(NOW, ZONE);
    const ending = [...catalog.endsOn].filter(([, day]) => day >= today && day <= plusDays(today, 90));
    const seen = { bought: 0, never: 0, expiring: 0, risks: 0 };
    for (const { company, filters, asked } of [...questions(), ...questionsAboutAll()]) {
      const report = await server.ok(Report.GetContractUse, filters, { as: reader });
      const { contractId, regionId } = filters;
      const result = {
        neverBought: Object.fromEntries(
          report.neverBought.map((entry) => [entry.contractId, { entitled: entry.entitled, never: entry.never }]),
        ),
        expiring: Object.fromEntries(
          report.expiring.map((entry) => [entry.contractId, { count: entry.count, amount: cents(entry.amount) }]),
        ),
        risks: Object.fromEntries(
          report.risks.map((risk) => [
            `${risk.month} ${risk.kind}`,
            { quotes: risk.quotes, difference: cents(risk.difference) },
          ]),
        ),
      };
      const never = expectedNeverBought(company, asked, { world, isNarrowed: regionId !== undefined, contractId });
      const expected = {
        neverBought: Object.fromEntries(
          Object.entries(never).map(([id, first]) => [id, { entitled: first.entitled, never: first.never.length }]),
        ),
        expiring: expectedExpiring(company, asked, { world, ending: ending.map(([id]) => id) }),
        risks: expectedRisks(company, asked, { world, contractId }),
      };
      expect({ seed: company.seed, ...result }).toEqual({ seed: company.seed, ...expected });
      for (const entry of report.neverBought) {
        const ids = entry.facilities.map(({ id }) => id).toSorted((a, b) => a - b);
        const all = never[entry.contractId]?.never ?? [];
        expect(ids).toEqual(all.length > MAX_FACILITIES ? all.filter((id) => ids.includes(id)) : all);
        seen.never += entry.never;
        seen.bought += entry.entitled - entry.never;
      }
      seen.expiring += report.expiring.length;
      seen.risks += report.risks.length;
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(extent.everyKind ? 40 : 0);
  }, 300_000);

  /** Every cell and total of an answer. */
  async function pivotCells(input: PivotInput, as: { id: number } = reader): Promise<PivotCell[]> {
    const { rows, columns, total } = await server.ok(Report.GetPivot, input, { as });
    const cells = rows.flatMap((row) => [row.total, ...row.cells]);
    return [total, ...columns.map((column) => column.total), ...cells].filter((cell) => cell !== null);
  }

  test('pivot', async () => {
    const contractOf = new Map(catalog.contractLines.map(({ id, contractId }) => [id, contractId]));
    const seen = new Set<string>();
    for (const question of questions()) {
      const { company, filters, asked } = question;
      const random = seeded(company.seed * 31);
      for (let n = 0; n < 3; n++) {
        const rows = random.pick(DIMENSIONS);
        const columns = random.chance(0.15) ? null : random.pick(DIMENSIONS.filter((dimension) => dimension !== rows));
        const measure = random.pick(MEASURES);
        const cells = await pivotCells({ ...filters, rows, columns, measure });
        const expected = expectedPivot(company, asked, { crossed: { rows, columns, measure }, contractOf });
        const shared = { seed: company.seed, rows, columns, measure };
        const values = cells.filter(({ value }) => value !== null).map(({ slice, value }) => [slice, value]);
        expect({ ...shared, values: Object.fromEntries(values) }).toEqual({ ...shared, values: expected.values });
        for (const { slice, count, amount } of cells) {
          const members = expected.figures.get(slice) ?? new Map<number, number>();
          const cell = { slice, count: count ?? members.size, amount: cents(amount) };
          const sum = [...members.values()].reduce((a, b) => a + b, 0);
          expect({ ...shared, ...cell }).toEqual({ ...shared, slice, count: members.size, amount: sum });
        }
        await checkLists(question, expected.figures, LISTS);
        const isOfLines = OF_LINES.has(rows) || (columns !== null && OF_LINES.has(columns));
        if (expected.figures.size > 3)
          for (const entry of [rows, columns, `${measure}${isOfLines ? ' of lines' : ''}`]) seen.add(String(entry));
      }
    }
    expect(
      missing(seen, [...DIMENSIONS, 'null', ...MEASURES, ...MEASURES.map((measure) => `${measure} of lines`)]),
    ).toEqual([]);
  }, 300_000);

  /** The kinds that no company has, where so many companies must have every kind. */
  function missing(seen: ReadonlySet<string>, kinds: readonly string[]): string[] {
    return extent.everyKind ? kinds.filter((kind) => !seen.has(kind)) : [];
  }
}
