// A company with half a year of quotes for reports: every status, outcome and kind of line, with the events that led there, the same each time.
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.server.ts';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import { addDays } from '#platform/shared/dates.ts';
import { add, extend, formatAmount } from '#platform/shared/money.ts';
import { anItem, anItemClass } from './factories/catalog.server.ts';
import { aContract } from './factories/contracts.server.ts';
import { aFacility, aRegion, aTerritory, aUser } from './factories/people.server.ts';

/** The instant at which tests of this company look at it: a Saturday, 10:00 in the company's zone. */
export const REPORT_NOW = '2026-11-21T15:00:00Z';
export const REPORT_DAYS = { from: '2026-06-01', to: '2026-11-21' };

type Step = { action: string; to: StatusId };
/** The steps that lead to each status, one way or another. */
const COURSES: { statusId: StatusId; steps: Step[] }[] = [
  { statusId: 'Editing', steps: [] },
  { statusId: 'WaitingForProcess', steps: [{ action: 'Submit', to: 'WaitingForProcess' }] },
  ...(['Processing', 'NeedMoreInfo', 'DiscountApproved', 'SentToCustomer', 'Won', 'Lost', 'Won', 'Lost'] as const).map(
    (statusId) => ({
      statusId,
      steps: [
        { action: 'Submit', to: 'WaitingForProcess' as const },
        { action: 'StartProcess', to: 'Processing' as const },
        ...(statusId === 'NeedMoreInfo' ? [{ action: 'RequestInfo', to: statusId }] : []),
        ...(statusId === 'DiscountApproved' ? [{ action: 'ApproveDiscount', to: statusId }] : []),
        ...(['SentToCustomer', 'Won', 'Lost'].includes(statusId)
          ? [{ action: 'Send', to: 'SentToCustomer' as const }]
          : []),
        ...(statusId === 'Won' ? [{ action: 'MarkWon', to: statusId }] : []),
        ...(statusId === 'Lost' ? [{ action: 'MarkLost', to: statusId }] : []),
      ],
    }),
  ),
  { statusId: 'Cancelled', steps: [{ action: 'Cancel', to: 'Cancelled' }] },
  {
    statusId: 'Revising',
    steps: [
      { action: 'StartProcess', to: 'Processing' },
      { action: 'Send', to: 'SentToCustomer' },
      { action: 'Revise', to: 'Revising' },
    ],
  },
];

const REASONS = ['price', 'competitor', 'timing'];
const COMPETITORS = ['Acme', 'acme', 'Medco', ''];
const TRADES = ['Hospital', 'Clinic', ''];

/** A fixed sequence of numbers below `most`. */
function dice(): (most: number) => number {
  let state = 7;
  return (most) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
}

/** Fills an empty company with 90 quotes of three reps in two regions. Some are in euros. */
export async function aReportCompany(db: Db) {
  const throwOf = dice();
  const pick = <T>(from: readonly T[]) => from[throwOf(from.length)] as T;
  const regions = [await aRegion(db), await aRegion(db)];
  const reps = [await aUser(db), await aUser(db), await aUser(db)];
  const approver = await aUser(db, { roles: ['salesQuoteManager'] });
  const territories = [];
  for (const [index, region] of [regions[0], regions[1], regions[1]].entries())
    territories.push(await aTerritory(db, { regionId: region?.id ?? 0, zips: [], sales: reps[index]?.id ?? 0 }));
  const facilities = [];
  for (const trade of TRADES) {
    const facility = await aFacility(db);
    await db.updateTable('facility').set({ class_of_trade: trade }).where('id', '=', facility.id).execute();
    facilities.push(facility);
  }
  const classes = [await anItemClass(db), await anItemClass(db)];
  const items: Awaited<ReturnType<typeof anItem>>[] = [];
  for (const entry of [classes[0], classes[0], classes[1], undefined])
    items.push(await anItem(db, { price: 10, ...(entry ? { classId: entry.id } : {}) }));

  // It ends within the next weeks, and prices the first and the third item.
  const contracted = [items[0], items[2]].map((item) => item?.id ?? 0);
  const contract = await aContract(db, {
    to: '2026-12-31',
    facilityIds: [...facilities, await aFacility(db)].map(({ id }) => id),
    lines: contracted.map((itemId) => ({ itemId, price: 9 })),
  });

  const ids: number[] = [];
  for (let number = 0; number < 90; number++) {
    const which = throwOf(3);
    const { statusId, steps } = COURSES[number % COURSES.length] ?? { statusId: 'Editing' as const, steps: [] };
    const createdAt = new Date(Date.parse('2026-06-02T09:30:00Z') + throwOf(172 * 24) * 3_600_000);
    const stepHours = 1 + throwOf(60);
    const [facility, rep, territory] = [pick(facilities), reps[which], territories[which]];
    const lines = Array.from({ length: 1 + throwOf(4) }, () => {
      const [qty, list, off] = [1 + throwOf(9), 10 + throwOf(90), throwOf(40)];
      const system = add(list, -throwOf(6));
      const unit = Number(((system * (100 - off)) / 100).toFixed(2));
      const cost = throwOf(4) === 0 ? null : Number((list / 2).toFixed(2));
      return { item: pick(items), qty, list, system, unit, cost, optional: throwOf(8) === 0 };
    });
    const counted = lines.filter(({ optional }) => !optional);
    const list = add(...counted.map((line) => extend(line.list, line.qty)));
    const net = add(...counted.map((line) => extend(line.unit, line.qty)));
    const freight = throwOf(3) * 5;
    const day = createdAt.toISOString().slice(0, 10);
    const isLost = statusId === 'Lost';
    const currnIdx = throwOf(9) === 0 ? 1009 : 1007;
    const total = add(net, freight);
    const { id } = await db
      .insertInto('quote')
      .values({
        status_id: statusId,
        revision: statusId === 'Revising' ? 2 : 1,
        facility_id: facility.id,
        facility_name: facility.name,
        facility_acct_no: facility.acctNo,
        owner_id: rep?.id ?? 0,
        sales_rep_id: throwOf(12) === 0 ? null : (rep?.id ?? null),
        region_id: throwOf(12) === 0 ? null : ((which === 0 ? regions[0] : regions[1])?.id ?? null),
        territory_id: throwOf(10) === 0 ? null : (territory?.id ?? null),
        quote_date: day,
        valid_until: addDays(day, 30),
        currn_idx: currnIdx,
        freight_amount: freight,
        list_total: list,
        subtotal: net,
        total_amount: total,
        created_at: createdAt,
        updated_at: createdAt,
        lost_reason: isLost ? pick(REASONS) : '',
        lost_competitor: isLost ? pick(COMPETITORS) : '',
        lost_competitor_price: isLost && throwOf(2) === 0 ? Number((total * (0.8 + throwOf(5) / 10)).toFixed(2)) : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(id);
    for (const [index, line] of lines.entries()) {
      const lineId = contract.lineIds[contracted.indexOf(line.item.id)] ?? null;
      await db
        .insertInto('quote_item')
        .values({
          quote_id: id,
          line_no: index + 1,
          item_id: line.item.id,
          item_number: line.item.itemNumber,
          qty: line.qty,
          unit: 'EA',
          optional: line.optional,
          list_price: line.list,
          system_price: line.system,
          unit_price: line.unit,
          line_total: extend(line.unit, line.qty),
          cost: line.cost,
          contract_line_id: lineId,
          price_proof: JSON.stringify(
            lineId === null
              ? []
              : [
                  {
                    step: 'Contract',
                    source: '',
                    ref: `contract_line ${lineId} tier ${contract.tierId}`,
                    amount: 9,
                    note: '',
                  },
                ],
          ),
        })
        .execute();
    }
    if (statusId === 'Processing' || statusId === 'DiscountApproved')
      await requestOf(db, {
        id,
        userId: rep?.id ?? 0,
        made: createdAt,
        isDecided: statusId === 'DiscountApproved',
        approver: approver.id,
      });
    await courseOf(db, { id, userId: rep?.id ?? 0, made: createdAt, stepHours, steps, total, currnIdx });
  }
  return { ids, regions, reps, territories, facilities, classes, items, contract };
}

/** Writes the events of a quote: made, its total changed once, then step by step. None lies after the instant of the tests. */
async function courseOf(
  db: Db,
  quote: { id: number; userId: number; made: Date; stepHours: number; steps: Step[]; total: number; currnIdx: number },
): Promise<void> {
  const { id, userId, made, stepHours, steps, total, currnIdx } = quote;
  const latest = Date.parse(REPORT_NOW) - 60_000;
  const before = add(total, (id % 3) * 10 - 10);
  const changes =
    before === total
      ? []
      : [{ field: 'Total', before: formatAmount(before, currnIdx), after: formatAmount(total, currnIdx) }];
  const moves = steps.map((step, index) => ({
    ...step,
    from: steps[index - 1]?.to ?? 'Editing',
    changes: [] as object[],
  }));
  const events = [
    { action: 'Create', from: null as string | null, to: 'Editing' as string | null, changes: [] as object[] },
    { action: 'Edit', from: null, to: null, changes },
    ...moves,
  ];
  for (const [index, { action, from, to, changes: stored }] of events.entries()) {
    const at = new Date(Math.min(latest, made.getTime() + index * stepHours * 3_600_000)).toISOString();
    await sql`insert into quote_event (quote_id, user_id, actor, action, from_status, to_status, revision, at, changes)
      values (${id}, ${userId}, 'Somebody', ${action}, ${from}, ${to}, 1, ${at}::timestamptz, ${JSON.stringify(stored)}::jsonb)`.execute(
      db,
    );
  }
}

/** A request for approval by two rules: the manager's is decided after five hours and more, the other one only when all is. */
async function requestOf(
  db: Db,
  quote: { id: number; userId: number; made: Date; isDecided: boolean; approver: number },
): Promise<void> {
  const { id, userId, made, isDecided, approver } = quote;
  const rules = [
    { ruleId: 1, name: 'Discount above the limit', role: 'salesQuoteManager' },
    { ruleId: 2, name: 'Large quote', role: 'salesadmin' },
  ];
  const decisions = rules.slice(0, isDecided ? 2 : 1).map(({ ruleId }) => ({
    ruleId,
    state: 'Approved',
    by: approver,
    at: new Date(made.getTime() + (5 + (id % 7)) * ruleId * 3_600_000).toISOString(),
  }));
  await db
    .insertInto('approval_request')
    .values({
      quote_id: id,
      revision: 1,
      state: isDecided ? 'Approved' : 'Pending',
      requested_by: userId,
      requested_at: made,
      content_hash: 'x',
      rules: JSON.stringify(rules),
      figures: '{}',
      decisions: JSON.stringify(decisions),
    })
    .execute();
}
