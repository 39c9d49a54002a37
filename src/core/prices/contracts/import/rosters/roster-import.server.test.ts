// Tests roster files over HTTP: facilities found by number, suggested and remembered, tiers by day, full rosters, and undo.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataImport, type ImportView } from '#platform/data-import/data-import.contract.ts';
import { anImporter, figures, type Importer, refusals } from '#testing/an-importer.server.ts';
import { aContract, aGpo, aTier } from '#testing/factories/contracts.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
let ada: Importer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-10-20T15:00:00Z');
  ada = await anImporter(server);
});
afterAll(() => server.close());

let last = 0;

/** A contract with tiers 1 and 2 and its own GPO. */
async function aTiered() {
  const { db } = server;
  const gpo = await aGpo(db);
  const contract = await aContract(db, { number: `RO-${++last}`, gpoId: gpo.id });
  const { id: second } = await aTier(db, { contractId: contract.id, no: 2, name: 'Committed' });
  const listed = (
    facilityId: number,
    overrides: { tierId?: number; from?: string; memberId?: string; covers?: boolean } = {},
  ) =>
    db
      .insertInto('contract_roster')
      .values({
        contract_id: contract.id,
        facility_id: facilityId,
        tier_id: overrides.tierId ?? contract.tierId,
        member_id: overrides.memberId ?? '',
        covers_children: overrides.covers ?? false,
        valid_from: overrides.from ?? '2020-01-01',
      })
      .execute();
  return { ...contract, gpoId: gpo.id, second, listed };
}

async function placed(acctNo: string, where: { name?: string; line1?: string; city?: string; zip?: string } = {}) {
  const { id } = await aFacility(server.db, { acctNo, name: where.name ?? `Facility ${acctNo}` });
  await server.db
    .updateTable('facility')
    .set({
      ship_to_line1: where.line1 ?? '',
      ship_to_city: where.city ?? 'Boaz',
      ship_to_state: 'AL',
      ship_to_zip: where.zip ?? '35957',
    })
    .where('id', '=', id)
    .execute();
  return id;
}

const start = async (text: string, options?: Record<string, unknown>) =>
  ada.check(await ada.upload('rosters', text), options);
const decide = ({ id }: ImportView, decision: 'accepted' | 'rejected', lines?: number[]) =>
  server.ok(DataImport.DecideHeldRows, { id, decision, ...(lines ? { lines } : {}) }, { as: ada });

async function rosterOf({ id }: { id: number }): Promise<string[]> {
  const { rows } = await sql<{ entry: string }>`
    select f.acct_no || ': ' || t.tier_no || case when r.covers_children then '+' else '' end || ' '
      || r.valid_from || '..' || coalesce(r.valid_to::text, '') as entry
    from contract_roster r join facility f on f.id = r.facility_id join contract_tier t on t.id = r.tier_id
    where r.contract_id = ${id} order by f.acct_no, r.valid_from`.execute(server.db);
  return rows.map(({ entry }) => entry);
}

test('an account number that fits, beside another name and place, waits for a person, and is remembered', async () => {
  const first = await aTiered();
  await placed('RZ-1', { name: 'Marshall Medical Center' });
  await placed('RZ-2', { name: 'Marshall Clinic' });
  const rows = [
    'Contract,Account,Name,City,State,Tier',
    `${first.number},RZ-1,Harbor Dialysis,Boston,MA,2`,
    `${first.number},RZ-2,Harbor Dialysis,Boaz,AL,1`,
  ].join('\n');
  const view = await start(rows);
  expect(figures(view)).toMatchObject({ New: 1, Held: 1 });
  const { records } = await server.ok(DataImport.GetHeldRows, { id: view.id }, { as: ada });
  expect(records).toMatchObject([{ line: 2, hint: 'only the account number fits: another name and place' }]);
  await decide(view, 'accepted');
  const applied = await ada.apply(view);
  expect(await rosterOf(first)).toEqual(['RZ-1: 2 2026-10-20..', 'RZ-2: 1 2026-10-20..']);
  expect(figures(await start(rows))).toMatchObject({ Same: 2, New: 0 });
  await ada.undo(applied);
});

test('a facility is found by member id, HIN, GLN, membership, roster and account; a change of tier is a new row', async () => {
  const { db } = server;
  const first = await aTiered();
  const ids: number[] = [];
  for (const n of [1, 2, 3, 4, 5, 6]) ids.push(await placed(`RA-${n}`));
  const [byMember = 0, byHin = 0, byGln = 0, byMembership = 0, byRoster = 0] = ids;
  await db
    .insertInto('facility_identifier')
    .values([
      { facility_id: byMember, kind: 'GPO member', gpo_id: first.gpoId, value: 'M-1' },
      { facility_id: byHin, kind: 'HIN', value: 'HIN2' },
      { facility_id: byGln, kind: 'GLN', value: '0361234500003' },
    ])
    .execute();
  await db
    .insertInto('gpo_membership')
    .values({ facility_id: byMembership, gpo_id: first.gpoId, member_id: 'M-4', valid_from: '2020-01-01' })
    .execute();
  await first.listed(byRoster, { memberId: 'M-5', covers: true });
  const rows = [
    'Contract,Member ID,HIN,GLN,Account,Tier,Effective Date,Includes Children',
    `${first.number},m-1,,,,1,,`,
    `${first.number},,hin2,,,Committed,11/01/2026,yes`,
    `${first.number},,,0361234500003,,1,,`,
    `${first.number},M-4,,,,1,,`,
    `${first.number},M-5,,,,2,11/01/2026,`,
    `${first.number},,,,RA-6,1,,`,
  ].join('\n');
  const before = await rosterOf(first);
  const view = await start(rows);
  expect(refusals(view)).toEqual([]);
  expect(figures(view)).toEqual({ Same: 0, Changed: 1, New: 5, Refused: 0 });
  expect(view.report?.lists.find(({ title }) => title === 'Changed')?.rows).toEqual([
    ['6', first.number, 'RA-5 Facility RA-5', 'tier 1 → tier 2 from 11/01/2026'],
  ]);
  const applied = await ada.apply(view);
  expect(await rosterOf(first)).toEqual([
    'RA-1: 1 2026-10-20..',
    'RA-2: 2+ 2026-11-01..',
    'RA-3: 1 2026-10-20..',
    'RA-4: 1 2026-10-20..',
    'RA-5: 1+ 2020-01-01..2026-10-31',
    'RA-5: 2+ 2026-11-01..',
    'RA-6: 1 2026-10-20..',
  ]);
  expect(figures(await start(rows))).toMatchObject({ Same: 6, Changed: 0, New: 0 });
  expect(await ada.undo(applied)).toMatchObject({ state: 'Undone', error: '' });
  expect(await rosterOf(first)).toEqual(before);
});

describe('a facility without a known number', () => {
  test('may be another one than the suggested one, and that is remembered too', async () => {
    const first = await aTiered();
    await placed('RQ-1', { name: 'Lakeside Hospital North', line1: '1 Lake St.', city: 'Gadsden', zip: '35901' });
    const meant = await placed('RQ-2', {
      name: 'Gadsden Surgical Partners',
      line1: '9 Hill Rd.',
      city: 'Gadsden',
      zip: '35901',
    });
    const rows = [
      'Contract,Name,Address,City,State,ZIP,Tier,Effective Date',
      `${first.number},Lakeside Hospital,1 Lake Street,Gadsden,AL,35901,1,11/01/2026`,
    ].join('\n');
    const view = await start(rows);
    const { records } = await server.ok(DataImport.GetHeldRows, { id: view.id }, { as: ada });
    expect(records).toMatchObject([{ was: expect.stringContaining('RQ-1'), way: '', decision: 'open' }]);
    const pick = (way: string) =>
      server.call(DataImport.DecideHeldRows, { id: view.id, lines: [2], decision: 'accepted', way }, { as: ada });
    for (const way of ['2000000000', 'RQ-2']) {
      const refused = await pick(way);
      expect(refused.status).toBe(422);
      expect(JSON.stringify(refused.body)).toContain('It no longer exists. Choose another one.');
    }
    expect((await pick(String(meant))).status).toBe(200);
    expect(await server.ok(DataImport.GetHeldRows, { id: view.id }, { as: ada })).toMatchObject({
      records: [{ decision: 'accepted', way: String(meant), wayLabel: 'RQ-2 Gadsden Surgical Partners' }],
    });
    const applied = await ada.apply(view);
    expect(await rosterOf(first)).toEqual(['RQ-2: 1 2026-11-01..']);
    expect(figures(await start(rows))).toMatchObject({ Same: 1 });
    expect(await ada.undo(applied)).toMatchObject({ state: 'Undone', error: '' });
    expect(await rosterOf(first)).toEqual([]);
    expect(figures(await start(rows))).toMatchObject({ Held: 1 });
  });

  test('is suggested with reasons, waits for a person, and is remembered', async () => {
    const first = await aTiered();
    await placed('RS-1', { name: 'Mercy Hospital of Boaz', line1: '100 Main St.', city: 'Boaz', zip: '35957' });
    await placed('RS-2', { name: 'Valley Clinic', city: 'Boaz', zip: '35957' });
    const row = `${first.number},B-17,Mercy Hospital Boaz,100 Main St,BOAZ,AL,35957,2`;
    const text = `Contract,Member ID,Facility Name,Address,City,State,ZIP,Tier\n${row}\n${first.number},B-18,Quite Another Place,,Boaz,AL,35957,1\n`;
    const view = await start(text);
    expect(figures(view)).toMatchObject({ New: 0, Held: 1, Refused: 1, 'Unknown facility': 1 });
    expect(refusals(view)).toEqual([
      "3 Member ID 'B-18' is not a known facility by number or name: write its account number, or add the facility",
    ]);
    expect(await ada.held(view)).toEqual([
      `2 | ${first.number} B-17 | RS-1 Mercy Hospital of Boaz, 100 Main St., Boaz, AL | Mercy Hospital Boaz, 100 Main St, BOAZ, AL: tier 2 | names 87% alike, same street, same city, same ZIP`,
    ]);
    expect((await server.call(DataImport.ApplyImport, { id: view.id }, { as: ada })).status).toBe(409);
    await decide(view, 'accepted');
    const applied = await ada.apply(view);
    expect(await rosterOf(first)).toEqual(['RS-1: 2 2026-10-20..']);

    // The GPO's next file finds it by the member id in the earlier file, even under another contract.
    const other = await aContract(server.db, { number: `${first.number}-B`, gpoId: first.gpoId });
    const next = await start(`Contract,Member ID,Tier\n${first.number},b-17,1\n${other.number},B-17,1\n`, {
      from: '12/01/2026',
    });
    expect(figures(next)).toMatchObject({ Changed: 1, New: 1, Refused: 0 });
    expect(await ada.undo(applied)).toMatchObject({ state: 'Undone', error: '' });
    expect(await rosterOf(first)).toEqual([]);
    expect(await server.db.selectFrom('facility_alias').selectAll().execute()).toEqual([]);
  });

  test('may be one of two similar ones: a person chooses', async () => {
    const first = await aTiered();
    await placed('RT-1', { name: 'Twin Clinic', city: 'Salem', zip: '36104' });
    const second = await placed('RT-2', { name: 'Twin Clinic', city: 'Salem', zip: '36104' });
    const text = `Contract,Facility Name,City,State,Tier\n${first.number},Twin Clinic,Salem,AL,1\n`;
    const view = await start(text);
    expect(await ada.held(view)).toEqual([
      `2 | ${first.number}  | RT-1 Twin Clinic, Salem, AL; RT-2 Twin Clinic, Salem, AL | Twin Clinic, Salem, AL | Two facilities are equally alike.`,
    ]);
    const way = String(second);
    await server.ok(DataImport.DecideHeldRows, { id: view.id, lines: [2], decision: 'accepted', way }, { as: ada });
    const applied = await ada.apply(view);
    expect([applied.error, figures(applied)]).toMatchObject(['', { New: 1, Refused: 0 }]);
    expect((await rosterOf(first)).length).toBe(1);
  });

  test('is remembered if accepted, even if it is on the roster already', async () => {
    const first = await aTiered();
    const id = await placed('RX-1', { name: 'Lakeside General', city: 'Mobile', zip: '36602' });
    await first.listed(id);
    const view = await start(
      `Contract,Member ID,Facility Name,City,State,Tier\n${first.number},L-1,Lakeside General,Mobile,AL,1\n`,
    );
    await decide(view, 'accepted');
    const applied = await ada.apply(view);
    expect(figures(applied)).toMatchObject({ Same: 1, Refused: 0 });
    const known = await server.db
      .selectFrom('facility_alias')
      .select(['key', 'facility_id'])
      .where('facility_id', '=', id)
      .execute();
    expect(known).toEqual([{ key: 'member l-1', facility_id: id }]);
  });
});

describe('changes and full rosters', () => {
  test('rows may add, change or end, and each wrong one is refused with its reason', async () => {
    const first = await aTiered();
    for (const n of [1, 2, 3, 4]) {
      const id = await placed(`RC-${n}`);
      if (n <= 3) await first.listed(id, n === 3 ? { from: '2027-01-01' } : {});
    }
    const c = first.number;
    const text = [
      'Contract,Account,Tier,From,To,Action',
      `${c},RC-1,2,11/01/2026,,Change`,
      `${c},RC-2,,,10/31/2026,Remove`,
      `${c},RC-3,,,10/31/2026,End`,
      `${c},RC-4,1,,,Change`,
      `${c},RC-4,,,10/31/2026,End`,
      `${c},NOBODY,1,,,Add`,
      `${c},RC-1,,11/01/2026,,End`,
      `${c},RC-1,1,,,Swap`,
      `${c},,,,,Add`,
    ].join('\n');
    const view = await start(text);
    expect(refusals(view)).toEqual([
      "4 To '10/31/2026' lies before the first day of the roster row, 01/01/2027",
      "5 Action 'change' is for a facility that is not on the roster: write add",
      "6 To '10/31/2026' ends nothing: the facility is not on the roster",
      "7 Account 'NOBODY' is not a known facility by number or name: write its account number, or add the facility",
      "8 From '11/01/2026' is a first day, but the row ends something: write the last day",
      "9 Action 'Swap' is neither add, change nor end",
      "10 name '' is empty: enter which facility it is",
    ]);
    expect(figures(view)).toMatchObject({ Changed: 1, Ended: 1, New: 0, Refused: 7 });
    const applied = await ada.apply(view);
    expect(await rosterOf(first)).toEqual([
      'RC-1: 1 2020-01-01..2026-10-31',
      'RC-1: 2 2026-11-01..',
      'RC-2: 1 2020-01-01..2026-10-31',
      'RC-3: 1 2027-01-01..',
    ]);
    await ada.undo(applied);
    const [both] = [
      await start(`Contract,Account,Tier,From,To,Action\n${c},RC-1,2,11/01/2026,,Add\n${c},RC-1,,,10/31/2026,End\n`),
    ];
    expect(figures(both)).toMatchObject({ Contradiction: 2, Refused: 2 });
    const twice = await start(`Contract,Account,Tier,From\n${c},RC-1,2,11/01/2026\n${c},RC-1,1,11/01/2026\n`);
    expect(refusals(twice)).toEqual([
      "2 Tier '2' contradicts line 3, which says tier 1 from 11/01/2026",
      "3 Tier '1' contradicts line 2, which says tier 2 from 11/01/2026",
    ]);
  });

  test('a full roster shows missing facilities, and ends them only if that is ticked', async () => {
    const first = await aTiered();
    for (const n of [1, 2, 3]) await first.listed(await placed(`RF-${n}`));
    const text = `Contract,Account,Tier\n${first.number},RF-1,1\n`;
    expect(figures(await start(text))).not.toHaveProperty('Absent');
    const view = await start(text, { mode: 'replace' });
    expect(figures(view)).toMatchObject({ Same: 1, Absent: 2 });
    expect(view.report?.writes).toBe(0);
    const hidden = await start(`${text}${first.number},UNKNOWN,1\n`, { mode: 'replace', endAbsent: true });
    expect(hidden.report).toMatchObject({
      writes: 0,
      notes: ['Absent roster rows are not ended, because refused rows may name them. Fix those rows first.'],
    });
    const applied = await ada.apply(await start(text, { mode: 'replace', endAbsent: true, from: '11/01/2026' }));
    expect(applied.report).toMatchObject({ writes: 2, notes: ['2 absent roster rows end the day before 11/01/2026.'] });
    const all = ['RF-1: 1 2020-01-01..', 'RF-2: 1 2020-01-01..2026-10-31', 'RF-3: 1 2020-01-01..2026-10-31'];
    expect(await rosterOf(first)).toEqual(all);
    await ada.undo(applied);
    expect(await rosterOf(first)).toEqual(all.map((row) => row.replace('2026-10-31', '')));
  });

  test('a full roster removes missing facilities that have not begun, and its undo brings them back', async () => {
    const first = await aTiered();
    const ids: number[] = [];
    for (const n of [1, 2, 3]) ids.push(await placed(`RN-${n}`));
    const [stored = 0, dropped = 0, later = 0] = ids;
    await first.listed(stored);
    await first.listed(dropped);
    await first.listed(dropped, { from: '2027-01-01', tierId: first.second });
    await first.listed(later, { from: '2026-10-20' });
    const text = `Contract,Account,Tier\n${first.number},RN-1,1\n`;
    const seen = await start(text, { mode: 'replace' });
    expect(figures(seen)).toMatchObject({ Absent: 3 });
    expect(seen.report?.lists.map(({ title, total }) => [title, total])).toEqual([['Absent, left as they are', 3]]);
    const before = await rosterOf(first);
    const view = await start(text, { mode: 'replace', endAbsent: true });
    expect(view.report).toMatchObject({
      writes: 3,
      notes: [
        '1 absent roster row ends the day before 10/20/2026.',
        '2 absent roster rows that have not begun yet are removed.',
      ],
      lists: [
        { title: 'Absent, ended', rows: [[first.number, 'RN-2 Facility RN-2']] },
        { title: 'Absent, removed before they begin', total: 2 },
      ],
    });
    const applied = await ada.apply(view);
    expect(await rosterOf(first)).toEqual(['RN-1: 1 2020-01-01..', 'RN-2: 1 2020-01-01..2026-10-19']);
    await first.listed(later, { from: '2028-01-01' });
    expect((await ada.undo(applied)).error).toMatch(/1 roster row was added in days that it would give back: .*RN-3/);
    await server.db.deleteFrom('contract_roster').where('facility_id', '=', later).execute();
    expect(await ada.undo(applied)).toMatchObject({ state: 'Undone', error: '' });
    expect(await rosterOf(first)).toEqual(before);
  });

  test('a full roster that begins later ends missing facilities the day before it begins', async () => {
    const first = await aTiered();
    for (const n of [1, 2]) await first.listed(await placed(`RL-${n}`));
    const other = await aTiered();
    await other.listed(await placed('RL-3'));
    const text = [
      'Contract,Account,Tier,From,To,Action',
      `${first.number},RL-1,2,01/01/2027,,Add`,
      `${other.number},RL-1,1,,,Add`,
    ].join('\n');
    const applied = await ada.apply(await start(text, { mode: 'replace', endAbsent: true }));
    expect(applied.report?.notes).toEqual([
      '2 absent roster rows end the day before the first day of their contract in the file, or today (10/20/2026 to 01/01/2027).',
    ]);
    expect((await rosterOf(first)).at(-1)).toBe('RL-2: 1 2020-01-01..2026-12-31');
    expect((await rosterOf(other)).at(-1)).toBe('RL-3: 1 2020-01-01..2026-10-19');
  });

  test('when a roster repeats the contract’s first day, current rows stay and another tier needs its own day', async () => {
    const first = await aTiered();
    await first.listed(await placed('RD-1'), { from: '2026-06-01', covers: true });
    const row = (tier: number) => `Contract,Account,Tier,From\n${first.number},RD-1,${tier},01/01/2021\n`;
    expect(figures(await start(row(1)))).toMatchObject({ Same: 1, Changed: 0, Refused: 0 });
    expect(refusals(await start(row(2)))).toEqual([
      "2 Tier '2' would count from 01/01/2021, but tier 1 with its children has counted since 06/01/2026: enter the day from which it changes",
    ]);
    expect(figures(await start(row(2), { from: '11/01/2026' }))).toMatchObject({ Changed: 1, Refused: 0 });
  });

  test('a row with the numbers of two facilities waits for a choice, and a different parent is reported', async () => {
    const { db } = server;
    const first = await aTiered();
    const a = await placed('RP-1');
    await placed('RP-2');
    await db.insertInto('facility_identifier').values({ facility_id: a, kind: 'HIN', value: 'HINP' }).execute();
    const view = await start(
      `Contract,HIN,Account,Parent,Tier\n${first.number},HINP,RP-2,,1\n${first.number},HINP,RP-1,Big System,1\n`,
    );
    expect(await ada.held(view)).toEqual([
      `2 | ${first.number} HINP | RP-1 Facility RP-1, Boaz, AL; RP-2 Facility RP-2, Boaz, AL | HINP | HIN is RP-1 Facility RP-1, account number is RP-2 Facility RP-2.`,
    ]);
    expect(view.report?.lists.find(({ title }) => title === 'Other parent')?.rows).toEqual([
      ['3', 'RP-1 Facility RP-1', 'none', 'Big System'],
    ]);
  });
});
