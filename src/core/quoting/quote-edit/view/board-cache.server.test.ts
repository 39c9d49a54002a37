// Tests that every board shows what any server has saved before, although each server caches what boards show.
import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Caller, Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { promotionsFor } from '#core/prices/promotions/promotions.server.ts';
import { startOffice } from '#testing/an-office.server.ts';
import { addressOf } from '#testing/base-database.server.ts';
import { aFile, anItem, anItemClass, aProduct, aPromotion } from '#testing/factories/catalog.server.ts';
import { aContract, aGpo, anAccountPrice, aTier } from '#testing/factories/contracts.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { DOLLAR_INDEX, EURO_INDEX } from '#platform/shared/money.ts';
import { loadQuoteEditData } from './load-quote.server.ts';

const { server, office, aDraft } = await startOffice();
const { db } = server;
/** A cache belongs to the database object that a server has opened. */
const anotherServer = (): Services => ({ ...server.services, database: { ...server.services.database } });
const servers = [anotherServer(), anotherServer(), anotherServer()];
const user: Caller = {
  id: office.inside.id,
  userName: '',
  fullName: '',
  roles: ['insiderep'],
  sessionId: '',
  regionIds: [],
  supportedRepIds: [],
  deputyFor: [],
  mustChangePassword: false,
};
const context = (services = anotherServer(), on: Db = db) => ({ db: on, services, user });
const board = (services: Services | undefined) => loadQuoteEditData(context(services), quoteId, 'internal');
/** The board of a server whose cache is still empty. */
const boardFromTables = () => board(anotherServer());

/** Each client has its own item, rule, representative, and facility that looks like the quote's, so that the clients do not wait for each other. */
const CLIENTS = 2;
let clients: pg.Client[] = [];
let quoteId = 0;
const own: Record<'item' | 'class' | 'product' | 'image' | 'promotion' | 'rule' | 'person' | 'alike', number[]> = {
  item: [],
  class: [],
  product: [],
  image: [],
  promotion: [],
  rule: [],
  person: [],
  alike: [],
};
let [gpoId, contractId, tierId] = [0, 0, 0];
beforeAll(async () => {
  gpoId = (await aGpo(db)).id;
  contractId = (await aContract(db, { gpoId })).id;
  tierId = (await aTier(db, { contractId, no: 9 })).id;
  for (let n = 0; n < CLIENTS; n++) {
    const classId = (await anItemClass(db)).id;
    const item = await anItem(db, { classId, units: { EA: 1, BX: 10 } });
    const fileIds = [await aFile(db, server.services.files), await aFile(db, server.services.files)];
    const product = await aProduct(db, { itemIds: [item.id], images: fileIds.map(({ id }) => ({ fileId: id })) });
    const rule = await sql<{
      id: number;
    }>`insert into approval_rule (position, name, metric, operator, threshold, filters, role)
      values (${90 + n}, 'Any quote', 'quoteTotal', '>', ${n}, '{}', 'salesadmin') returning id`.execute(db);
    const alike = await aFacility(db, { name: office.facility.name, zip: office.zip });
    await anAccountPrice(db, { facilityId: alike.id, itemId: item.id, price: 5 });
    own.item.push(item.id);
    own.class.push(classId);
    own.product.push(product.id);
    own.image.push(product.imageIds[0] ?? 0);
    own.promotion.push((await aPromotion(db, { itemId: item.id })).id);
    own.rule.push(rule.rows[0]?.id ?? 0);
    own.person.push([office.rep.id, office.cs.id][n] ?? 0);
    own.alike.push(alike.id);
  }
  quoteId = (await aDraft(own.item.map((itemId) => ({ itemId, qty: 3 })))).quote.id;
  clients = Array.from(
    { length: CLIENTS },
    () => new pg.Client({ connectionString: addressOf(server.services.database) }),
  );
  for (const client of clients) await client.connect();
});
afterEach(async () => {
  for (const client of clients) await client.query('rollback');
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await server.close();
});

/** The changes that a client may make to its own records. */
const CHANGES: Record<string, (n: number) => string> = {
  'a rule': (n) => `update approval_rule set active = not active where id = ${own.rule[n]}`,
  'a new rule': (n) => `insert into approval_rule (position, name, metric, operator, threshold, filters, role)
    select 100, 'Another ' || count(*), 'quoteTotal', '>', ${n}, '{}', 'salesadmin' from approval_rule`,
  'a name': (n) => `update app_user set full_name = full_name || '.' where id = ${own.person[n]}`,
  'a status of an item': (n) =>
    `update item set status = case status when 'Active' then 'Discontinued' else 'Active' end where id = ${own.item[n]}`,
  'a unit': (n) =>
    `insert into item_unit select ${own.item[n]}, 'U' || count(*), count(*) + 1 from item_unit where item_id = ${own.item[n]}`,
  'a class': (n) => `update item_class set visible_in_web_quote = not visible_in_web_quote where id = ${own.class[n]}`,
  'a product': (n) => `update product set name = name || '.' where id = ${own.product[n]}`,
  'another product': (n) =>
    `update item set product_id = case when product_id is null then ${own.product[n]} end where id = ${own.item[n]}`,
  'a picture': (n) =>
    `update product_image set removed_at = case when removed_at is null then now() end where id = ${own.image[n]}`,
  'who sees a picture': (n) =>
    `update product_image set hidden_roles = case hidden_roles when '{}' then '{insiderep}'::text[] else '{}' end where id = ${own.image[n]}`,
  'a promotion': (n) => `update promotion set active = not active where id = ${own.promotion[n]}`,
  'a price of a facility alike': (n) =>
    `update account_price set valid_to = case when valid_to is null then date '2020-01-01' end where facility_id = ${own.alike[n]}`,
  'a facility alike': (n) => `update facility set active = not active where id = ${own.alike[n]}`,
};
/** Changes that only one transaction at a time may make, or that are visible only after another change. */
const OTHER_CHANGES: Record<string, string[]> = {
  'no more units': [`delete from item_unit where item_id = ITEM and unit <> 'EA'`],
  'facilities that are not the same': [
    `insert into facility_apart (first_id, second_id, told_by) select least(a, b), greatest(a, b), (select min(id) from app_user)
       from (select (select facility_id from quote where id = QUOTE) as a, ALIKE as b) pair`,
    'delete from facility_apart',
  ],
  'a membership': [
    'delete from account_price where facility_id = ALIKE',
    `insert into gpo_membership (facility_id, gpo_id, valid_from) values (ALIKE, GPO, '2020-01-01')`,
    'delete from gpo_membership where facility_id = ALIKE',
  ],
  'a roster': [
    `insert into contract_roster (contract_id, facility_id, tier_id, valid_from) values (CONTRACT, ALIKE, TIER, '2020-01-01')`,
    'delete from contract_roster where facility_id = ALIKE',
  ],
  'a model': [`insert into configurable_model (name, active) values ('Bed', true)`, 'delete from configurable_model'],
  'the time zone': [
    // The quote was valid until the day before, which is still the current day in Honolulu.
    `update quote set status_id = 'SentToCustomer', valid_until = date '2026-11-20' where id = QUOTE`,
    `update company set time_zone = 'Pacific/Pago_Pago'`,
    `update company set time_zone = 'America/Chicago'`,
  ],
};

test.for([...Object.keys(CHANGES), ...Object.keys(OTHER_CHANGES)])(
  '%s: the next board of every server shows it',
  async (what) => {
    // In Chicago it is the 21st, and in Pago Pago the 20th.
    server.setNow('2026-11-21T08:00:00Z');
    for (const statement of OTHER_CHANGES[what] ?? [0, 1, 0, 1].map((n) => CHANGES[what]?.(n) ?? '')) {
      const before = await board(servers[0]);
      await board(servers[1]);
      const input = {
        QUOTE: quoteId,
        ITEM: own.item[0],
        ALIKE: own.alike[0],
        GPO: gpoId,
        CONTRACT: contractId,
        TIER: tierId,
      };
      await sql.raw(statement.replaceAll(/[A-Z]{3,}/g, (word) => String(Reflect.get(input, word) ?? word))).execute(db);
      const now = await boardFromTables();
      expect(now).not.toEqual(before);
      expect(await board(servers[0])).toEqual(now);
      expect(await board(servers[1])).toEqual(now);
    }
  },
);

const RULE = `update approval_rule set active = not active where id = `;
const rulesOn = (visible: Awaited<ReturnType<typeof board>>) => visible.approvalNeeded.map(({ ruleId }) => ruleId);

/** Without triggers, so that the database does not record the change. */
const CHANGE_UNSAID = `begin; set local session_replication_role = replica; ${RULE}`;
/** Waits until only this many writers older than the latest change are still active. The tests in other files write to the same PostgreSQL. */
const olderWriters = (count: number) =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ older: number }>`select count(*)::int as older
        from pg_snapshot_xip(pg_current_snapshot()) writing
        where writing < (select max(changed_in) from board_change)`.execute(db);
      return rows[0]?.older;
    })
    .toBe(count);

test('nothing is read again while nothing says that it has changed', async () => {
  await olderWriters(0);
  const before = await board(servers[0]);
  await clients[0]?.query(`${CHANGE_UNSAID}${own.rule[0]}; commit`);
  expect(rulesOn(await board(servers[0]))).toEqual(rulesOn(before));
  expect(rulesOn(await boardFromTables())).not.toEqual(rulesOn(before));
});

test('nothing is read again while an older transaction stays open, and all once it has ended', async () => {
  const [older, other] = clients;
  await older?.query('begin; select pg_current_xact_id()');
  await other?.query(`${RULE}${own.rule[1]}`);
  await olderWriters(1);
  const before = await board(servers[0]);
  await other?.query(`${CHANGE_UNSAID}${own.rule[1]}; commit`);
  expect(rulesOn(await board(servers[0]))).toEqual(rulesOn(before));
  await older?.query('commit');
  expect(rulesOn(await board(servers[0]))).not.toEqual(rulesOn(before));
});

test('a change is shown although another one, begun later, has ended before it', async () => {
  const [first, second] = clients;
  await first?.query(`begin; ${RULE}${own.rule[0]}`);
  // This does not wait for the first transaction.
  await second?.query(`${RULE}${own.rule[1]}`);
  const between = await boardFromTables();
  expect(await board(servers[0])).toEqual(between);
  await first?.query('commit');
  const after = await boardFromTables();
  expect(after).not.toEqual(between);
  expect(await board(servers[0])).toEqual(after);
});

test('a transaction sees its own change, and nobody else one that was taken back', async () => {
  const before = await board(servers[0]);
  const within = await db
    .transaction()
    .execute(async (trx) => {
      await sql.raw(`${RULE}${own.rule[0]}`).execute(trx);
      const result = await loadQuoteEditData(context(servers[0], trx), quoteId, 'internal');
      throw Object.assign(new Error('taken back'), { shown: result });
    })
    .catch((error: { shown: typeof before }) => error.shown);
  expect(rulesOn(within)).not.toEqual(rulesOn(before));
  expect(await board(servers[0])).toEqual(before);
});

test('what another database counted, before it was restored here, changes nothing', async () => {
  await sql`insert into board_change values ('99999999999')`.execute(db);
  const before = await board(servers[0]);
  await sql.raw(`${RULE}${own.rule[0]}`).execute(db);
  expect(rulesOn(await board(servers[0]))).not.toEqual(rulesOn(before));
  await sql`delete from board_change where changed_in = '99999999999'`.execute(db);
});

const EACH_OPENS = [0, 1, 2].map((n) => ['open', n, ''] as const);

test('whatever transactions change, in whatever order they end, every board is right, and few of them are kept', async () => {
  const client = fc.integer({ min: 0, max: CLIENTS - 1 });
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(fc.constant('change' as const), client, fc.constantFrom(...Object.keys(CHANGES))),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(
        fc.constantFrom('begin' as const, 'commit' as const, 'rollback' as const),
        client,
        fc.constant(''),
      ),
    },
    { weight: 4, arbitrary: fc.tuple(fc.constant('open' as const), fc.integer({ min: 0, max: 2 }), fc.constant('')) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      for (const entry of clients) await entry.query('rollback');
      const opened: unknown[] = [];
      const right: unknown[] = [];
      for (const [kind, n, what] of [...steps, ...EACH_OPENS]) {
        if (kind !== 'open') await clients[n]?.query(kind === 'change' ? (CHANGES[what]?.(n) ?? '') : kind);
        else {
          opened.push(await board(servers[n]));
          right.push(await boardFromTables());
        }
      }
      expect(opened).toEqual(right);
    }),
    { numRuns: 30 },
  );
  const { rows } = await sql<{ kept: number }>`select count(*) as kept from board_change`.execute(db);
  expect(rows[0]?.kept).toBeLessThanOrEqual(CLIENTS + 3);
});

test('promotions run on the days and in the currencies in which pricing finds them', async () => {
  const item = await anItem(db);
  const ends = [
    ['2026-11-01', null],
    ['2026-11-22', null],
    ['2026-01-01', '2026-11-20'],
    ['2026-11-21', '2026-11-21'],
  ] as const;
  for (const type of ['BuyXGetYFree', 'DiscountPct', 'FixedPrice'])
    for (const currnIdx of [DOLLAR_INDEX, EURO_INDEX])
      for (const [from, to] of ends) await aPromotion(db, { itemId: item.id, type, currnIdx, from, to });
  await aPromotion(db, { itemId: item.id, active: false });
  for (const currnIdx of [DOLLAR_INDEX, EURO_INDEX]) {
    const { items } = await aDraft([{ itemId: item.id, qty: 1 }]).then(async ({ quote }) => {
      await db.updateTable('quote').set({ currn_idx: currnIdx }).where('id', '=', quote.id).execute();
      return loadQuoteEditData(context(servers[0]), quote.id, 'internal');
    });
    const result = await promotionsFor(db, [item.id], { currnIdx, date: '2026-11-21' });
    expect(items[0]?.promotions.map(({ id }) => id)).toEqual(result.get(item.id)?.map(({ id }) => id));
    expect(items[0]?.promotions).toHaveLength(10);
  }
});
