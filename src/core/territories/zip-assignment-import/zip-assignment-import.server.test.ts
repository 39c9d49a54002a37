// Tests ZIP assignments from a file over HTTP: checking, applying, undo; refusals and reasons; two administrators; many rows at once.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadCompany, today as companyToday } from '#platform/company/company.server.ts';
import { DataImport, type ImportView } from '#platform/data-import/data-import.contract.ts';
import { TazApi } from '#core/territories/territory-admin/find-rep/find-rep.contract.ts';
import { TerritoryAdmin } from '#core/territories/territory-admin/territory-admin.contract.ts';
import { addDays } from '#platform/shared/dates.ts';
import { anImporter, type Importer, refusals } from '#testing/an-importer.server.ts';
import { aFacility, aRegion, aTerritory, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { TazImport } from './zip-assignment-import.contract.ts';

let server: TestServer;
let ada: Importer;
let region: { id: number; name: string };
let north: { id: number; name: string };
let south: { id: number; name: string };
beforeAll(async () => {
  server = await startTestServer();
  ada = await anImporter(server, 'salesadmin');
});
afterAll(() => server.close());

let block = 100;
/** Returns ZIPs that no other test of this file uses. */
const zips = (count: number): string[] => {
  const first = block++ * 100;
  return Array.from({ length: count }, (_, n) => String(first + n));
};
beforeEach(async () => {
  region = await aRegion(server.db);
  north = await aTerritory(server.db, { regionId: region.id });
  south = await aTerritory(server.db, { regionId: region.id });
});

const upload = (text: string, name = 'taz.csv') =>
  server.ok(TazImport.importTazData, {}, { as: ada, file: { name, bytes: Buffer.from(text), type: 'text/csv' } });
async function apply(result: { id: number }): Promise<ImportView> {
  const applied = await ada.apply(result);
  expect(applied).toMatchObject({ error: '', state: 'Applied' });
  return applied;
}
const file = (...rows: string[]) => ['ZIP,Territory,Region,Rep,From,To,Action', ...rows].join('\n');
const checked = async (...rows: string[]) => ada.check(await upload(file(...rows)));
const imported = async (...rows: string[]) => apply(await checked(...rows));
const figures = ({ report }: ImportView) =>
  Object.fromEntries((report?.figures ?? []).flatMap(({ label, count }) => (count > 0 ? [[label, count]] : [])));
const held = async (...zips: string[]) => {
  const { rows } = await sql<{ row: string }>`
    select zip5 || ' ' || t.name || ' ' || valid_from || ' ' || coalesce(valid_to::text, '') as row
    from zip_assignment join territory t on t.id = territory_id where zip5 = any(${zips}) order by zip5, valid_from`.execute(
    server.db,
  );
  return rows.map(({ row }) => row.trim());
};
const salesOf = async (territoryId: number) => {
  const { rows } = await sql<{ row: string }>`
    select full_name || ' ' || valid_from || ' ' || coalesce(valid_to::text, '') as row
    from territory_rep r join app_user u on u.id = r.user_id where territory_id = ${territoryId} and role = 'sales'
    order by valid_from`.execute(server.db);
  return rows.map(({ row }) => row.trim());
};
const assigned = async (
  zip5: string,
  territory: { id: number },
  valid_from: string,
  valid_to: string | null = null,
) => {
  await server.db
    .insertInto('zip_assignment')
    .values({ zip5, territory_id: territory.id, valid_from, valid_to })
    .execute();
};
const everything = async () => {
  const { rows } = await sql<{ all: string }>`
    select (select json_agg(z order by id)::text from zip_assignment z) || (select json_agg(p order by id)::text from territory_rep p)
      || (select json_agg(t.name order by id)::text from territory t) as all`.execute(server.db);
  return rows[0]?.all;
};

describe('what a file does', () => {
  test('begins, reassigns, keeps and ends ZIPs, and undoes all of it exactly', async () => {
    const [fresh = '', taken = '', stays = '', ends = ''] = zips(4);
    for (const zip of [taken, stays, ends]) await assigned(zip, north, '2020-01-01');
    const old = await aUser(server.db, { roles: ['salesrep'], fullName: 'Otto Old' });
    await aUser(server.db, { roles: ['salesrep'], fullName: 'Nina New' });
    await server.db
      .insertInto('territory_rep')
      .values({ territory_id: south.id, role: 'sales', user_id: old.id, valid_from: '2020-01-01' })
      .execute();
    const before = await everything();
    const rows = [
      `${fresh},${south.name.toUpperCase()},${region.name},nina new,07/01/2025,,`,
      `${taken},${south.name},,,2025-07-01,,assign`,
      `${stays},${north.name},,,2025-07-01,,assign`,
      `${ends},${north.name},,,,06/30/2025,end`,
    ];
    const result = await checked(...rows);
    expect(refusals(result)).toEqual([]);
    expect(figures(result)).toEqual({ New: 1, Changed: 1, Same: 1, Ended: 1, 'New reps': 1, 'Without territory': 1 });
    expect(result.report?.lists.find(({ title }) => title === 'ZIPs left without a territory')?.rows).toEqual([
      [ends, '', `${north.name}; no one from 07/01/2025`],
    ]);
    expect(await everything()).toBe(before);

    const applied = await apply(result);
    expect(await held(fresh, taken, stays, ends)).toEqual([
      `${fresh} ${south.name} 2025-07-01`,
      `${taken} ${north.name} 2020-01-01 2025-06-30`,
      `${taken} ${south.name} 2025-07-01`,
      `${stays} ${north.name} 2020-01-01`,
      `${ends} ${north.name} 2020-01-01 2025-06-30`,
    ]);
    expect(await salesOf(south.id)).toEqual(['Otto Old 2020-01-01 2025-06-30', 'Nina New 2025-07-01']);
    const rep = await server.ok(TazApi.searchRepsForWebQuote, { zip: taken }, { as: ada });
    expect(rep).toMatchObject({ why: 'zip', territory: { id: south.id }, reps: [{ role: 'sales', name: 'Nina New' }] });
    // The same file changes nothing the second time.
    expect(figures(await checked(...rows))).toEqual({ Same: 4 });

    expect((await ada.undo(applied)).state).toBe('Undone');
    expect(await everything()).toBe(before);
    const events = await server.db
      .selectFrom('record_event')
      .select(['action', 'actor', 'changes', 'version'])
      .where('record_type', '=', 'territory')
      .where('record_id', '=', south.id)
      .orderBy('id')
      .execute();
    expect(events).toEqual([
      {
        action: 'Import',
        actor: 'Ada Admin',
        version: 2,
        changes: [
          { field: 'ZIPs', before: '', after: '2 begin' },
          { field: 'Sales rep.', before: '', after: 'Nina New' },
        ],
      },
      { action: 'Undo', actor: 'Ada Admin', version: 3, changes: [] },
    ]);
  });

  test('starts today without dates; returns a ZIP after a temporary assignment; moves a last day', async () => {
    const [today = '', lent = '', shorter = '', twice = ''] = zips(4);
    await assigned(lent, north, '2020-01-01');
    await assigned(shorter, north, '2020-01-01');
    await assigned(twice, north, '2020-01-01');
    const { rows } = await sql<{ day: string }>`
      select (now() at time zone time_zone)::date::text as day from company`.execute(server.db);
    const result = await imported(
      `${today},${south.name},,,,,`,
      `${lent},${south.name},,,2025-01-01,2025-03-31,`,
      `${shorter},${north.name},,,2025-01-01,2025-12-31,`,
      `${twice},${south.name},,,2025-01-01,2025-06-30,`,
      `${twice},${north.name},,,2025-08-01,2025-09-30,`,
    );
    expect(figures(result)).toMatchObject({ New: 1, Changed: 4 });
    expect((await held(today))[0]).toMatch(new RegExp(`^${today} ${south.name} \\d{4}-\\d\\d-\\d\\d$`));
    expect(rows[0]?.day).toBeTruthy();
    expect(await held(lent, shorter, twice)).toEqual([
      `${lent} ${north.name} 2020-01-01 2024-12-31`,
      `${lent} ${south.name} 2025-01-01 2025-03-31`,
      `${lent} ${north.name} 2025-04-01`,
      `${shorter} ${north.name} 2020-01-01 2025-12-31`,
      `${twice} ${north.name} 2020-01-01 2024-12-31`,
      `${twice} ${south.name} 2025-01-01 2025-06-30`,
      `${twice} ${north.name} 2025-07-01 2025-07-31`,
      `${twice} ${north.name} 2025-08-01 2025-09-30`,
    ]);
  });

  test('adds missing territories in the region from the file when the person ticks that', async () => {
    const [a = '', b = '', c = ''] = zips(3);
    const name = `Made ${a}`;
    const rows = [
      `${a},${name},${region.name},,2025-01-01,,`,
      `${b},${name.toUpperCase()},,,2025-01-01,,`,
      `${c},Nowhere ${a},,,2025-01-01,,`,
    ];
    const plain = await checked(...rows);
    expect(figures(plain)).toEqual({ 'Unknown territory': 3, Refused: 3 });
    expect(plain.report?.lists.find(({ title }) => title === 'Unknown territories')?.rows).toHaveLength(2);
    const nothing = await server.call(DataImport.ApplyImport, { id: plain.id }, { as: ada });
    expect(nothing.status).toBe(409);

    const ticked = await ada.check(plain, { createTerritories: true });
    expect(figures(ticked)).toEqual({ New: 2, Refused: 1 });
    expect(refusals(ticked)).toEqual([
      `4 Region '' is empty: the new territory Nowhere ${a} needs a region. Say it in a column, or once for the file (Region of new territories)`,
    ]);
    const applied = await apply(ticked);
    expect(await held(a, b)).toEqual([`${a} ${name} 2025-01-01`, `${b} ${name} 2025-01-01`]);
    expect((await ada.undo(applied)).state).toBe('Undone');
    expect(await held(a, b)).toEqual([]);
    const left = await server.db.selectFrom('territory').select('id').where('name', '=', name).execute();
    expect(left).toEqual([]);
  });

  test('counts the open quotes that the file affects, with their value', async () => {
    const [zip = '', other = ''] = zips(2);
    await assigned(zip, north, '2020-01-01');
    await assigned(other, north, '2020-01-01');
    const facility = await aFacility(server.db, { zip: `${zip}-1234` });
    const far = await aFacility(server.db, { zip: other });
    const quote = { territoryId: north.id, regionId: region.id };
    const moved = await aQuote(server.db, { ...quote, facility, statusId: 'Editing', totalAmount: 1200.5 });
    await aQuote(server.db, { ...quote, facility, statusId: 'Lost', totalAmount: 99 });
    await aQuote(server.db, { ...quote, facility: far, statusId: 'Editing', totalAmount: 99 });
    const result = await imported(`${zip},${south.name},,,2025-07-01,,`);
    expect(figures(result)).toEqual({ Changed: 1, 'Open quotes affected': 1 });
    expect(result.report?.notes[0]).toContain('1 open quote, worth $1,200.50, is affected.');
    expect(result.report?.lists.find(({ title }) => title === 'Open quotes affected')?.rows).toEqual([
      [String(moved.num), facility.name, '$1,200.50', `${north.name} → ${south.name} from 07/01/2025`],
    ]);
    const offered = await server.ok(TerritoryAdmin.GetQuotesToMove, {}, { as: ada });
    expect(offered.quotes.map(({ num }) => num)).toContain(moved.num);
  });

  test('names the ZIPs that are not in the list, with their lines', async () => {
    const [known = '', ...others] = zips(13);
    await server.db.insertInto('zip').values({ zip5: known, city: '', state: '', county: '' }).execute();
    const result = await checked(...[known, ...others].map((zip) => `${zip},${north.name},,,,,`));
    // The other tests have no ZIP list.
    await server.db.deleteFrom('zip').where('zip5', '=', known).execute();
    const named = others.slice(0, 10).map((zip, at) => `${zip} (line ${at + 3})`);
    expect(result.report?.notes).toContain(
      `12 of the ZIPs are not in the list of ZIP codes, but are assigned: ${named.join(', ')}, ….`,
    );
  });

  test('counts no open quote of a ZIP that is back with its territory before today', async () => {
    const [lent = '', gap = ''] = zips(2);
    await assigned(lent, north, '2020-01-01');
    await assigned(gap, north, '2020-01-01');
    for (const zip of [lent, gap]) {
      const facility = await aFacility(server.db, { zip });
      await aQuote(server.db, { territoryId: north.id, regionId: region.id, facility, statusId: 'Editing' });
    }
    const result = await checked(
      `${lent},${south.name},,,2025-01-01,2025-01-31,`,
      `${gap},${north.name},,,,2024-12-31,end`,
      `${gap},${north.name},,,2025-02-01,,`,
    );
    expect(figures(result)).toEqual({ Changed: 1, New: 1, Ended: 1, 'Without territory': 1 });
    expect(result.report?.notes).toEqual([
      `1 of the ZIPs goes back after the last day to the territory that has it now: ${lent} (line 2).`,
    ]);
  });
});

describe('what is refused', () => {
  test('lists each row with its column, value and reason', async () => {
    const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = ''] = zips(8);
    const shut = await aTerritory(server.db, { active: false });
    await assigned(d, north, '2026-01-01');
    await aUser(server.db, { fullName: 'Same Name' });
    await aUser(server.db, { fullName: 'Same Name' });
    await aUser(server.db, { fullName: 'Carla Clerk', roles: ['csrep'] });
    const result = await checked(
      `nowhere,${north.name},,,,,`,
      `${a},Atlantis,,,,,`,
      `${a},${shut.name},,,,,`,
      `${b},${north.name},Elsewhere,,,,`,
      `${c},${north.name},,,2025-07-01,2025-06-01,`,
      `${d},${south.name},,,2025-07-01,,`,
      `${e},${north.name},,,2025-01-01,,`,
      `${e},${south.name},,,2025-07-01,,`,
      `${e},${north.name},,,2025-01-01,,`,
      `${f},${north.name},,Same Name,2025-01-01,,`,
      `${f},${south.name},,Carla Clerk,2025-01-01,,`,
      `${g},,,,,,end`,
      `${g},,,,,,assign`,
      `${h},${north.name},,,,,perhaps`,
      `,${north.name},,,,,`,
    );
    expect(refusals(result)).toEqual([
      "2 ZIP 'nowhere' is not a US ZIP code",
      "3 Territory 'Atlantis' is not a known territory",
      `4 Territory '${shut.name}' is switched off: switch it on first`,
      `5 Region 'Elsewhere' is not the region of ${north.name}, which lies in ${region.name}`,
      "6 To '06/01/2025' is before the first day, 07/01/2025",
      `7 ZIP '${d}' belongs to ${north.name} from 01/01/2026: the dates overlap. Choose a later first day, or end before`,
      `9 ZIP '${e}' is in line 8 already, over the same days`,
      "11 Rep 'Same Name' is the name of several people: write the email address",
      "12 Rep 'Carla Clerk' is not an active sales representative",
      `13 ZIP '${g}' is not assigned`,
      "14 Territory '' is empty: enter who gets the ZIP",
      "15 Action 'perhaps' is neither assign nor end",
      "16 ZIP '' is empty",
    ]);
    expect(figures(result)).toEqual({
      New: 1,
      Repeated: 1,
      'Unknown territory': 2,
      'Bad ZIP': 2,
      'Duplicate ZIP': 1,
      'Overlapping dates': 2,
      Refused: 13,
    });
    const refused = await server.call(DataImport.GetRefusedRows, { id: result.id }, { as: ada });
    expect(refused.bytes.toString()).toContain(
      `${a},Atlantis,,,,,,3,Territory 'Atlantis' is not a known territory\r\n`,
    );
  });

  test('refuses a representative who would begin before the current one', async () => {
    const [zip = ''] = zips(1);
    const planned = await aUser(server.db, { fullName: 'Paula Planned' });
    const other = await aUser(server.db, { fullName: `Ursula ${zip}` });
    await server.db
      .insertInto('territory_rep')
      .values({ territory_id: north.id, role: 'sales', user_id: planned.id, valid_from: '2025-09-01' })
      .execute();
    const result = await checked(`${zip},${north.name},,${other.userName},2025-07-01,,`);
    expect(refusals(result)).toEqual([
      `2 Rep '${other.userName}' cannot be the rep of ${north.name} from 07/01/2025: Paula Planned begins on 09/01/2025. Choose a later first day`,
    ]);
    // A representative who already serves gets no new assignment.
    const same = await checked(`${zip},${north.name},,Paula Planned,2025-07-01,,`);
    expect(figures(same)).toEqual({ New: 1 });
  });

  test('refuses people without the role, signed-out callers, and empty files', async () => {
    const rep = await aUser(server.db);
    const input = { file: { name: 'a.csv', bytes: Buffer.from(file()), type: 'text/csv' } };
    expect((await server.call(TazImport.importTazData, {}, { as: rep, ...input })).status).toBe(403);
    expect((await server.call(TazImport.importTazData, {}, input)).status).toBe(401);
    expect((await server.call(TazImport.importTazData, {}, { as: ada })).status).toBe(422);
    const own = await upload(file(`${zips(1)[0]},${north.name},,,,,`));
    expect((await server.call(DataImport.GetImport, { id: own.id }, { as: rep })).status).toBe(403);
  });
});

describe('a second file on the same day', () => {
  const today = async () => companyToday(server.services, await loadCompany(server.db));

  test('replaces what the first one began, names it and the ZIPs that are not in the list, and is undone exactly', async () => {
    const [moved = '', long = '', unknown = ''] = zips(3);
    await assigned(long, north, '2020-01-01');
    const day = await today();
    await imported(`${moved},${north.name},,,,,`, `${long},${south.name},,,,,`, `${unknown},${north.name},,,,,`);
    await server.db.insertInto('zip').values({ zip5: moved, city: '', state: '', county: '' }).execute();
    await server.db.insertInto('zip').values({ zip5: long, city: '', state: '', county: '' }).execute();
    const before = await everything();
    const result = await checked(
      `${moved},${south.name},,,,,`,
      `${long},${south.name},,,,,`,
      `${unknown},${south.name},,,,,`,
    );
    await server.db.deleteFrom('zip').where('zip5', 'in', [moved, long]).execute();
    expect([figures(result), refusals(result)]).toEqual([{ Changed: 2, Same: 1 }, []]);
    expect(result.report?.notes).toEqual([
      `1 of the ZIPs is not in the list of ZIP codes, but is assigned: ${unknown} (line 4).`,
      `2 of the ZIPs were given to another territory from the same day. That is replaced: ${moved} (line 2), ${unknown} (line 4).`,
    ]);
    const applied = await apply(result);
    expect(await held(moved, long, unknown)).toEqual([
      `${moved} ${south.name} ${day}`,
      `${long} ${north.name} 2020-01-01 ${addDays(day, -1)}`,
      `${long} ${south.name} ${day}`,
      `${unknown} ${south.name} ${day}`,
    ]);
    expect((await ada.undo(applied)).state).toBe('Undone');
    expect(await everything()).toBe(before);
  });

  test('that lends a ZIP gives it back to the territory of that day, and a new territory may take it', async () => {
    const [lent = '', taken = ''] = zips(2);
    const day = await today();
    await imported(`${lent},${north.name},,,,,`, `${taken},${north.name},,,,,`);
    const text = file(`${lent},${south.name},,,,12/31/2035,`, `${taken},New ${taken},${region.name},,,,`);
    const result = await ada.check(await upload(text), { createTerritories: true });
    expect(figures(result)).toEqual({ Changed: 2 });
    await apply(result);
    expect(await held(lent, taken)).toEqual([
      `${lent} ${south.name} ${day} 2035-12-31`,
      `${lent} ${north.name} 2036-01-01`,
      `${taken} New ${taken} ${day}`,
    ]);
  });

  test('replaces the representative of that day', async () => {
    const [zip = ''] = zips(1);
    const day = await today();
    await aUser(server.db, { roles: ['salesrep'], fullName: `First ${zip}` });
    await aUser(server.db, { roles: ['salesrep'], fullName: `Second ${zip}` });
    await imported(`${zip},${north.name},,First ${zip},,,`);
    const before = await everything();
    const applied = await imported(`${zip},${north.name},,Second ${zip},,,`);
    expect(figures(applied)).toEqual({ Same: 1, 'New reps': 1 });
    expect(await salesOf(north.id)).toEqual([`Second ${zip} ${day}`]);
    expect((await ada.undo(applied)).state).toBe('Undone');
    expect(await everything()).toBe(before);
  });
});

test('new territories get the region of the file', async () => {
  const [zip = '', named = '', other = ''] = zips(3);
  const far = await aRegion(server.db);
  const text = file(
    `${zip},Alone ${zip},,,,,`,
    `${named},Named ${named},${far.name},,,,`,
    `${other},Named ${named},,,,,`,
  );
  const checked = await ada.check(await upload(text), { createTerritories: true });
  expect(refusals(checked)).toEqual([
    `2 Region '' is empty: the new territory Alone ${zip} needs a region. Say it in a column, or once for the file (Region of new territories)`,
  ]);
  const wrong = await ada.check(checked, { createTerritories: true, region: 'Nowhere' });
  expect(refusals(wrong)).toEqual(["2 Region 'Nowhere' is not a known region: add it first"]);
  const result = await ada.check(checked, { createTerritories: true, region: region.name.toUpperCase() });
  expect(figures(result)).toEqual({ New: 3 });
  await apply(result);
  const stored = server.db.selectFrom('territory').select(['name', 'region_id']);
  expect(
    await stored
      .where('name', 'in', [`Alone ${zip}`, `Named ${named}`])
      .orderBy('name')
      .execute(),
  ).toEqual([
    { name: `Alone ${zip}`, region_id: region.id },
    { name: `Named ${named}`, region_id: far.id },
  ]);
});

describe('an undo', () => {
  test('is refused after a later change of the ZIP, and then changes nothing', async () => {
    const [zip = '', ended = ''] = zips(2);
    await assigned(ended, north, '2020-01-01');
    const applied = await imported(`${zip},${south.name},,,2025-07-01,,`);
    await server.db.updateTable('zip_assignment').set({ valid_to: '2025-12-31' }).where('zip5', '=', zip).execute();
    expect(await ada.undo(applied)).toMatchObject({
      state: 'Applied',
      error: `This import cannot be undone: 1 of its ZIPs was changed since this import: ${zip}.`,
    });
    expect(await held(zip)).toEqual([`${zip} ${south.name} 2025-07-01 2025-12-31`]);

    const over = await imported(`${ended},${north.name},,,,2025-06-30,end`);
    await server.ok(
      TerritoryAdmin.AddTerritoryZips,
      { territoryId: south.id, zips: ended, from: '2025-07-01', apply: true },
      { as: ada },
    );
    expect(await ada.undo(over)).toMatchObject({
      state: 'Applied',
      error: `This import cannot be undone: 1 of its ZIPs was reassigned since this import: ${ended}.`,
    });
  });

  test('works after somebody renames a territory', async () => {
    const [zip = ''] = zips(1);
    await assigned(zip, north, '2020-01-01');
    const applied = await imported(`${zip},${south.name},,,2025-07-01,,`);
    await server.db
      .updateTable('territory')
      .set({ name: `Renamed ${zip}` })
      .where('id', '=', south.id)
      .execute();
    expect((await ada.undo(applied)).state).toBe('Undone');
    expect(await held(zip)).toEqual([`${zip} ${north.name} 2020-01-01`]);
  });
});

test('when two administrators apply at once, the second gets a 409; a later try checks the file again', async () => {
  const [zip = ''] = zips(1);
  const other = await aUser(server.db, { roles: ['systemadmin'] });
  const first = await checked(`${zip},${south.name},,,2025-07-01,,`);
  const second = await checked(`${zip},${north.name},,,2025-07-01,,`);
  const answers = await Promise.all([
    server.call(DataImport.ApplyImport, { id: first.id }, { as: ada }),
    server.call(DataImport.ApplyImport, { id: second.id }, { as: other }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, other) => a - other)).toEqual([200, 409]);
  await server.drain();
  const late = (await ada.get(first)).state === 'Applied' ? second : first;
  // Applying a file checks it again.
  const applied = await server.ok(DataImport.ApplyImport, { id: late.id }, { as: ada });
  await server.drain();
  expect(figures(await ada.get(applied))).toEqual({ 'Overlapping dates': 1, Refused: 1 });
  expect(await held(zip)).toHaveLength(1);
});
