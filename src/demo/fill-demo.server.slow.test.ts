// Tests that the demo company has real content on every screen of the catalog.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readModel } from '#addons/configurable-models/model-record.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { dayIn } from '#platform/shared/dates.ts';
import { badMarch } from './demo-market.server.ts';
import { fillDemo } from './fill-demo.server.ts';

let server: TestServer;
beforeAll(async () => {
  const importInbox = fs.mkdtempSync(path.join(os.tmpdir(), 'demo-imports-'));
  server = await startTestServer({ config: { demoScale: 0.1, importInbox } });
  await fillDemo(server.services, () => {});
  // The folder is checked every ten seconds.
  for (let minute = 1; minute <= 8; minute++) {
    server.setNow(new Date(Date.now() + minute * 60_000).toISOString());
    await server.drain();
  }
  server.setNow(null);
  fs.rmSync(importInbox, { recursive: true });
}, 600_000);
afterAll(() => server.close());

const first = async (query: ReturnType<typeof sql<Record<string, unknown>>>) =>
  (await query.execute(server.db)).rows[0];

test('products have pictures in all sizes; some are hidden, one is on two products, some products have none', async () => {
  expect(
    await first(sql`select count(*) > 30 as many, bool_and(thumb.size < medium.size and picture.width = 1000) as sizes,
        bool_and(print.media_type = 'image/jpeg') as print
      from picture join file thumb on thumb.id = thumb_file_id join file medium on medium.id = medium_file_id
        join file print on print.id = print_file_id where state = 'Filed'`),
  ).toEqual({ many: true, sizes: true, print: true });
  expect(
    await first(sql`select count(*) filter (where 'salesrep' = any(hidden_roles)) as roles,
        count(*) filter (where 'customer' = any(hidden_roles)) as customer,
        count(*) - count(distinct picture_id) as twice from product_image`),
  ).toEqual({ roles: 1, customer: 1, twice: 1 });
  expect(
    await first(
      sql`select count(*) > 0 as some from product where not exists (select from product_image i where i.product_id = product.id)`,
    ),
  ).toEqual({ some: true });
});

test('there are 400 cross-references of all kinds and scopes, of which some contradict each other', async () => {
  expect(
    await first(sql`select count(*)::int as all, count(distinct kind)::int as kinds, count(distinct scope)::int as scopes,
        count(*) filter (where ended) > 0 as ended, count(*) filter (where exists (select from cross_reference y
          where y.number_key = x.number_key and y.maker = x.maker and y.scope = x.scope and y.item_id <> x.item_id))::int as contradicting
      from cross_reference x`),
  ).toEqual({ all: 400, kinds: 3, scopes: 4, ended: true, contradicting: 6 });
});

test('one territory plan is in draft and fits the assignments, one is published and begins later', async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select state, (select count(*) from territory_plan_move m where m.plan_id = p.id) > 50 as moves,
           (select count(*) from territory_plan_write w where w.plan_id = p.id) > 0 as written
      from territory_plan p order by id`.execute(server.db);
  expect(rows).toEqual([
    { state: 'Draft', moves: true, written: false },
    { state: 'Published', moves: true, written: true },
  ]);
});

test('a bed is put together from 40 options', async () => {
  const { id } = await server.db.selectFrom('configurable_model').select('id').executeTakeFirstOrThrow();
  const bed = await readModel(server.db, id);
  expect(bed.groups.flatMap(({ options }) => options)).toHaveLength(40);
});

test('documents are there in every category; some end soon, one belongs to nothing', async () => {
  expect(
    await first(sql`select count(distinct category_id) = (select count(*) from document_category) as every,
        count(*) filter (where exists (select from document_revision r where r.document_id = document.id
          and r.valid_to < current_date + 60)) > 0 as ending,
        count(*) filter (where not exists (select from document_link l where l.document_id = document.id)) as unlinked
      from document`),
  ).toEqual({ every: true, ending: true, unlinked: 1 });
});

test('the inbox has pictures of every kind, and items wait to be mapped in every state', async () => {
  const { rows } = await sql<{ state: string; match: string; problem: string; step: string }>`
    select state, match, problem, step from picture where state <> 'Filed' order by id`.execute(server.db);
  expect(rows.map(({ state, match }) => [state, match])).toEqual([
    ['Waiting', 'matched'],
    ['Waiting', 'matched'],
    ['Waiting', 'ambiguous'],
    ['Waiting', 'unmatched'],
    ['Waiting', 'unmatched'],
    ['Refused', 'unmatched'],
  ]);
  expect(rows[4]?.problem).toContain('has no product yet');
  expect(rows[5]?.problem).toContain('damaged');
  expect(rows.every(({ step }) => step === '')).toBe(true);
  const states = await sql<{ state: string }>`select distinct mapping_state as state from item order by 1`.execute(
    server.db,
  );
  expect(states.rows.map(({ state }) => state)).toEqual(['Conflict', 'Ignored', 'Mapped', 'Suggested', 'Unmapped']);
});

test('open quotes lose and gain by changes to come, for several reasons', async () => {
  const { rows } = await sql<{ kind: string; loses: boolean }>`
    select kind, bool_or(difference > 0) as loses from quote_risk
     where kind <> 'Rebill' group by 1 order by 1`.execute(server.db);
  expect(rows.filter(({ loses }) => loses).map(({ kind }) => kind)).toEqual(['Eligibility', 'Ends', 'Price']);
  expect(rows.map(({ kind }) => kind)).toContain('Better');
});

test('two years of quotes were won and lost, and the South lost March to one competitor, by its price', async () => {
  const march = badMarch(dayIn('America/Chicago', server.services.clock.now()));
  const { rows } = await sql<{ won: number; lost: number; months: number }>`
    select count(*) filter (where action = 'MarkWon')::int as won, count(*) filter (where action = 'MarkLost')::int as lost,
           count(distinct to_char(at, 'YYYY-MM'))::int as months from quote_event where action in ('MarkWon', 'MarkLost')`.execute(
    server.db,
  );
  expect(rows[0]?.months).toBeGreaterThanOrEqual(23);
  // There are about 190 decided quotes. The share of won ones differs from day to day.
  expect(rows[0]?.won).toBeGreaterThan(rows[0]?.lost ?? 0);
  expect(
    await first(sql`select count(*) filter (where e.action = 'MarkLost') > count(*) filter (where e.action = 'MarkWon') as bad,
        count(*) filter (where q.lost_competitor = 'Northline Medical') * 2 > count(*) filter (where e.action = 'MarkLost') as to_them,
        avg(q.total_amount / q.lost_competitor_price) filter (where q.lost_competitor = 'Northline Medical') > 1.1 as dear
      from quote_event e join quote q on q.id = e.quote_id join region r on r.id = q.region_id
      where e.action in ('MarkWon', 'MarkLost') and r.name = 'South' and to_char(e.at, 'YYYY-MM') = ${march}`),
  ).toEqual({ bad: true, to_them: true, dear: true });
});

test('the history of each quote is in order, ends in its status, and has the requests and revisions that it tells of', async () => {
  expect(
    await first(sql`
      with event as (select *, lag(to_status) over w as before, lag(at) over w as earlier from quote_event
          where action <> 'TakeConfigured' window w as (partition by quote_id order by id)),
        last as (select distinct on (quote_id) * from event order by quote_id, id desc)
      select (select count(*)::int from event where before is distinct from from_status or at < earlier or at > now()) as wrong_steps,
        (select count(*)::int from last join quote q on q.id = last.quote_id
          where q.status_id <> last.to_status or q.revision <> last.revision) as wrong_ends,
        (select count(*)::int from quote q where (select count(*) from quote_revision r where r.quote_id = q.id)
          <> (select count(*) from quote_event e where e.quote_id = q.id and e.action = 'Send')) as wrong_revisions,
        (select count(*)::int from quote q where (select count(*) from approval_request r where r.quote_id = q.id)
          <> (select count(*) from quote_event e where e.quote_id = q.id and e.action = 'RequestApproval')) as wrong_requests,
        (select count(*)::int from quote_event, jsonb_array_elements(changes) c where c ->> 'before' = c ->> 'after') as no_change,
        (select count(*)::int from quote q where not exists (select from quote_event e where e.quote_id = q.id
          and e.action = 'Edit' and e.changes @> jsonb_build_array(jsonb_build_object('field', 'Total')))) as no_total`),
  ).toEqual({ wrong_steps: 0, wrong_ends: 0, wrong_revisions: 0, wrong_requests: 0, no_change: 0, no_total: 0 });
});

test('approval requests have a comment', async () => {
  expect(
    await first(sql`select count(*) > 0 as some, bool_and(comment <> '') as explained from approval_request`),
  ).toEqual({
    some: true,
    explained: true,
  });
});

test('the history of imports has a whole file and one with a refused row', async () => {
  const { rows } = await sql<{ name: string; state: string; refused: number }>`
    select file_name as name, state, (report ->> 'refused')::int as refused from data_import order by id`.execute(
    server.db,
  );
  expect(rows).toEqual([
    { name: 'new-items.csv', state: 'Applied', refused: 1 },
    { name: expect.stringMatching(/^list-\d{4}\.csv$/) as string, state: 'Applied', refused: 0 },
  ]);
});

test('approved letters of commitment were signed', async () => {
  expect(
    await first(
      sql`select count(*) > 0 as some, bool_and(signer <> '' and signed_on < valid_from) as signed
        from contract_loc where state = 'Approved'`,
    ),
  ).toEqual({ some: true, signed: true });
});

test('a health system is on a roster with its children, but for one that is excluded', async () => {
  const { rows } = await sql<{ covers: boolean; excluded: boolean; children: number }>`
    select r.covers_children as covers, r.excluded, (select count(*)::int from facility where parent_id = r.facility_id) as children
    from contract_roster r join facility f on f.id = r.facility_id where r.covers_children or r.excluded order by r.excluded`.execute(
    server.db,
  );
  expect(rows).toEqual([
    { covers: true, excluded: false, children: 3 },
    { covers: false, excluded: true, children: 0 },
  ]);
  expect(
    await first(sql`select count(*)::int as rows from contract_roster r join facility child on child.id = r.facility_id
      join contract_roster p on p.facility_id = child.parent_id and p.contract_id = r.contract_id
        and p.covers_children where not r.excluded`),
  ).toEqual({ rows: 0 });
});

test('a configuration was taken over on one quote and changed since, and one waits on another', async () => {
  const { rows } = await sql<{ config_id: string; waits: number; lines: number }>`
    select c.config_id, (select count(*)::int from configured_item where configuration_id = c.id) as waits,
           (select count(*)::int from quote_item i where i.quote_id = c.quote_id and i.configured -> 'taken' <> 'null') as lines
      from configuration c order by c.config_id`.execute(server.db);
  expect(rows).toEqual([
    { config_id: 'bed-7', waits: 4, lines: 4 },
    { config_id: 'bed-8', waits: 5, lines: 0 },
  ]);
});

test('a hospital sent its usage file: some rows are certain, some to look at, some none of ours, and it saves', async () => {
  expect(
    await first(sql`select state, count(*) > 20 as rows, count(*) filter (where taken) > 10 as taken,
        count(*) filter (where decision = 'open' and item_id is null) > 0 as strange,
        count(*) filter (where not taken and item_id is not null) > 0 as proposed,
        sum(their_year) filter (where taken) > sum(our_year) filter (where taken) as saves
      from savings_analysis a join savings_row r on r.analysis_id = a.id group by a.id`),
  ).toEqual({ state: 'to-match', rows: true, taken: true, strange: true, proposed: true, saves: true });
});
