// Tests a contract file over HTTP: it creates and changes heads and tiers, is checked like the form, and is undone.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anImporter, figures, type Importer, refusals } from '#testing/an-importer.server.ts';
import { aContract, aGpo } from '#testing/factories/contracts.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
let ada: Importer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-10-20T15:00:00Z');
  ada = await anImporter(server);
  await aGpo(server.db, { name: 'Vizient' });
});
afterAll(() => server.close());

const start = async (text: string, options?: Record<string, unknown>) =>
  ada.check(await ada.upload('contracts', text), options);

async function stored(): Promise<string[]> {
  const { rows } = await sql<{ contract: string }>`
    select concat_ws('|', c.number, g.name, c.title, c.category, c.award_type, c.effective_from, c.effective_to,
      c.extended_to, c.open_to, c.state, 'after ' || p.number,
      (select string_agg(concat_ws(' ', t.tier_no, t.name, nullif(t.requirement, ''),
        case when t.needs_loc then 'LOC' end, '>' || f.tier_no), ', ' order by t.tier_no)
        from contract_tier t left join contract_tier f on f.id = t.fallback_tier_id where t.contract_id = c.id)) as contract
    from gpo_contract c left join gpo g on g.id = c.gpo_id left join gpo_contract p on p.id = c.predecessor_id order by c.number`.execute(
    server.db,
  );
  return rows.map(({ contract }) => contract);
}

const HEAD =
  'Contract #,GPO,Contract Title,Category,Award Type,Effective Date,Expiration Date,Extension,Replaces,Open To,State,Tier,Tier Name,Requirement,LOC,Fallback';
const file = (...rows: string[]): string => [HEAD, ...rows].join('\n');

test('contracts with tiers over several rows, a new GPO and a successor are imported, repeated, changed and undone', async () => {
  const before = await stored();
  const rows = file(
    'MS-1,vizient,Gloves,Exam,Dual Source,01/01/2026,12/31/2027,,,members,Active,1,Base,,,',
    'MS-1,,,,,,,,,,,Tier 2,Committed,80% of gloves,yes,1',
    'ms-1,,,,,,,,,,,3,Sole,95% of gloves,required,2',
    'MS-2,Premier,Gowns,,,06/01/2026,05/31/2029,,MS-1,,,,,,,',
    'MS-3,,Own deal,,,01/01/2026,12/31/2026,03/31/2027,,,,1,,,,',
  );
  expect(refusals(await start(rows))).toEqual([
    "5 GPO 'Premier' is not a known GPO: correct it, or check Create missing GPOs",
  ]);
  const tiers = file(
    'MS-9,Premier,Gowns,,,06/01/2026,05/31/2029,,,,,1,,,,',
    'MS-9,,,,,,,,,,,2,,,,',
    'MS-8,,,,,,,,,,,1,,,,',
  );
  expect(refusals(await start(tiers))).toEqual([
    "2 GPO 'Premier' is not a known GPO: correct it, or check Create missing GPOs",
    "3 Contract Title '' is only in line 2 of this contract, which is refused",
    "4 Contract Title '' is empty: a new contract needs a title",
  ]);
  const checked = await start(rows, { createGpos: true });
  expect(refusals(checked)).toEqual([]);
  expect(figures(checked)).toEqual({
    New: 3,
    Changed: 0,
    Same: 0,
    'New tiers': 4,
    'Changed tiers': 0,
    'New GPOs': 1,
    Refused: 0,
  });
  expect(checked.report?.notes).toEqual([
    '2 new contracts are drafts: no one has their prices before they are activated.',
    '1 new contract has no GPO: a local agreement of the facilities on its roster.',
  ]);
  const applied = await ada.apply(checked);
  expect(applied).toMatchObject({ state: 'Applied', error: '' });
  expect(await stored()).toEqual([
    'MS-1|Vizient|Gloves|Exam|dual|2026-01-01|2027-12-31|members|Active|1 Base, 2 Committed 80% of gloves LOC >1, 3 Sole 95% of gloves LOC >2',
    'MS-2|Premier|Gowns||multi|2026-06-01|2029-05-31|roster|Draft|after MS-1',
    'MS-3|Own deal||local|2026-01-01|2026-12-31|2027-03-31|roster|Draft|1 Tier 1',
  ]);
  const again = await start(rows);
  expect(figures(again)).toMatchObject({ New: 0, Changed: 0, Same: 3, 'New tiers': 0, 'Changed tiers': 0 });

  // A file changes only the values that it contains.
  const now = await stored();
  const more = await ada.apply(
    await start(
      'Contract,Expiration Date,Predecessor,Tier,Fallback,Title\nMS-2,05/31/2030,,1,,\nMS-3,,MS-4,4,,\nMS-3,,,5,4,\nMS-3,,,1,,\n'.replace(
        'MS-4',
        'ms-2',
      ),
    ),
  );
  expect(figures(more)).toMatchObject({ Changed: 2, 'New tiers': 3, Refused: 0 });
  expect((await stored()).slice(1)).toEqual([
    'MS-2|Premier|Gowns||multi|2026-06-01|2030-05-31|roster|Draft|after MS-1|1 Tier 1',
    'MS-3|Own deal||local|2026-01-01|2026-12-31|2027-03-31|roster|Draft|after MS-2|1 Tier 1, 4 Tier 4, 5 Tier 5 >4',
  ]);
  const events = await server.db
    .selectFrom('record_event')
    .select(['record_name', 'action'])
    .where('record_type', '=', 'contract')
    .orderBy('id')
    .execute();
  expect(events.map(({ record_name: name, action }) => `${name} ${action}`).toSorted()).toEqual([
    'MS-1 Create',
    'MS-2 Create',
    'MS-2 Edit',
    'MS-3 Create',
    'MS-3 Edit',
  ]);
  expect(await ada.undo(more)).toMatchObject({ state: 'Undone', error: '' });
  expect(await stored()).toEqual(now);
  expect(before).toEqual([]);
});

test('an old tier that falls back to a new one, and an old contract that follows a new one, are undone as well', async () => {
  await aContract(server.db, { number: 'OLD-1' });
  const before = await stored();
  const done = await ada.apply(
    await start(
      'Contract,Title,From,To,Predecessor,Tier,Fallback\nOLD-1,,,,NEW-1,2,1\nOLD-1,,,,,3,2\nNEW-1,New,01/01/2019,12/31/2019,,1,\n',
    ),
  );
  expect(figures(done)).toMatchObject({ New: 1, Changed: 1, 'New tiers': 3, Refused: 0 });
  expect(await ada.undo(done)).toMatchObject({ state: 'Undone', error: '' });
  expect(await stored()).toEqual(before);
  // The refusal names the record that uses an imported record.
  const again = await ada.imported('contracts', 'Contract,Title,From,To,Tier\nNEW-2,New,01/01/2026,12/31/2027,1\n');
  const { id } = await server.db
    .selectFrom('gpo_contract')
    .select('id')
    .where('number', '=', 'NEW-2')
    .executeTakeFirstOrThrow();
  const item = await server.db
    .insertInto('item')
    .values({ item_number: 'USED', description: 'Used' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await server.db.insertInto('contract_line').values({ contract_id: id, item_id: item.id, unit: 'EA' }).execute();
  expect((await ada.undo(again)).error).toBe(
    'This import cannot be undone: 1 of its contracts was used by contract lines since: NEW-2.',
  );
});

test('each refused row says why', async () => {
  const { id } = await aContract(server.db, { number: 'ENDED' });
  await server.db
    .updateTable('gpo_contract')
    .set({ state: 'Terminated', terminated_on: '2026-01-31' })
    .where('id', '=', id)
    .execute();
  await aContract(server.db, { number: 'RUNS' });
  const view = await start(
    file(
      'R-1,Vizient,One,,,01/01/2026,12/31/2027,,,,,1,Base,,,',
      'R-1,Vizient,Another,,,,,,,,,2,,,,',
      'R-2,,,,,01/01/2026,12/31/2027,,,,,,,,,',
      'R-3,,Three,,,01/01/2026,12/31/2025,,,,,,,,,',
      'R-4,,Four,,,01/01/2026,12/31/2027,06/30/2027,,,,,,,,',
      'R-5,,Five,,,01/01/2026,12/31/2027,,,members,,,,,,',
      'R-6,Vizient,Six,,,01/01/2026,12/31/2027,,,,Active,,,,,',
      'R-7,Vizient,Seven,,triple,01/01/2026,12/31/2027,,,,,,,,,',
      'R-8,Vizient,Eight,,,01/01/2026,12/31/2027,,NOPE,,,,,,,',
      'R-9,Vizient,Nine,,,01/01/2026,12/31/2027,,,,,1,,,,2',
      'R-10,Vizient,Ten,,,01/01/2026,12/31/2027,,,,,,Base,,,',
      'R-11,Vizient,Eleven,,,01/01/2026,12/31/2027,,R-12,,,1,,,,',
      'R-12,Vizient,Twelve,,,01/01/2026,12/31/2027,,R-11,,,1,,,,',
      'R-13,Vizient,Thirteen,,,01/01/2026,12/31/2027,,,,,1,Base,,yes,',
      'R-13,,,,,,,,,,,1,Other,,,',
      'ENDED,,,,,,,,,,Active,,,,,',
      'RUNS,,,,,,,,,,Draft,,,,,',
      'R-14,,X,,,12/31/9999,12/31/2027,,,,,,,,,',
      'R-15,,X,,,01/01/2026,12/31/9999,Evergreen,,,,,,,,',
    ),
  );
  expect(refusals(view)).toEqual([
    "2 Contract Title 'One' is Another in line 3",
    "3 Contract Title 'Another' is One in line 2",
    "4 Contract Title '' is empty: a new contract needs a title",
    "5 Expiration Date '12/31/2025' is before the first day, 01/01/2026",
    "6 Extension '06/30/2027' is not after the last day that was agreed, 12/31/2027",
    "7 Open To 'members' has no meaning: an agreement without a GPO has no members",
    "8 State 'Active' is not possible: the contract has no tier yet. Add a column Tier, or leave it empty and activate the contract on its page",
    "9 Award Type 'triple' is not an award type: write sole, dual, multi or local",
    "10 Replaces 'NOPE' is not a known contract, nor one in the file",
    "11 Fallback '2' is no lower tier than 1",
    "12 Tier '' is empty: write the number of the tier",
    "13 Replaces 'R-12' closes a circle: that contract follows this one already",
    "14 Replaces 'R-11' closes a circle: that contract follows this one already",
    "15 Tier Name 'Base' is Other in line 16 of the same tier",
    "16 Tier Name 'Other' is Base in line 15 of the same tier",
    "17 State 'Active' is not possible: the contract was terminated. Take that back on its page",
    "18 State 'Draft' is not possible: the contract is active already",
    "19 Effective Date '12/31/9999' means that there is no end: it is no first day",
    "20 Expiration Date '12/31/9999' means that there is no end: write the last day of the contract",
    "20 Extension 'Evergreen' means that there is no end: write the last day of the contract",
  ]);
  expect(view.report).toMatchObject({ writes: 0, read: 0 });
});

test('asks about columns of tiers, which would be dropped', async () => {
  const { missing } = await ada.upload('contracts', 'Contract #,Contract Title,Tier 1,Tier 2\nMS-7,Gowns,Base,Best\n');
  expect(missing).toContain("'Tier 1' may be a tier, 'Tier 2' may be a tier");
});
