// Tests a file of GPO memberships over HTTP: new, changed, the same, which is primary, refusals with a sentence, and undo.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anImporter, figures, type Importer, refusals } from '#testing/an-importer.server.ts';
import { aGpo, aMembership } from '#testing/factories/contracts.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
let ada: Importer;
beforeAll(async () => {
  server = await startTestServer();
  ada = await anImporter(server);
});
afterAll(() => server.close());

const HEAD = 'Account #,GPO Name,Member ID,Primary,Effective Date,Expiration Date';
const file = (...rows: string[]): string => [HEAD, ...rows].join('\n');

async function stored(): Promise<string[]> {
  const { rows } = await sql<{ membership: string }>`
    select concat_ws(' ', f.acct_no, g.name, nullif(m.member_id, ''), case when m.is_primary then 'primary' end,
      m.valid_from || '..' || coalesce(m.valid_to::text, '')) as membership
      from gpo_membership m join facility f on f.id = m.facility_id join gpo g on g.id = m.gpo_id order by 1`.execute(
    server.db,
  );
  return rows.map(({ membership }) => membership);
}

test('memberships are added, changed and left as they are; undo takes them back', async () => {
  const { db } = server;
  const [premier, vizient] = [await aGpo(db, { name: 'Premier' }), await aGpo(db, { name: 'Vizient' })];
  const facility = async (acctNo: string) => aFacility(db, { acctNo });
  const [first, second] = [await facility('M-1'), await facility('M-2')];
  for (const acctNo of ['M-3', 'M-4', 'M-5']) await facility(acctNo);
  await aMembership(db, { facilityId: first.id, gpoId: premier.id });
  await aMembership(db, { facilityId: second.id, gpoId: vizient.id });
  const before = await stored();
  const rows = file(
    'M-1,premier,P-1,no,,',
    'M-1,Vizient,V-1,yes,01/01/2026,',
    'M-2,VIZIENT,,,,12/31/2026',
    'M-3,Premier,P-3,,03/01/2026,',
    'M-4,Premier,,,03/01/2026,',
    'M-4,Vizient,,,03/01/2026,',
    'M-5,Vizient,,yes,03/01/2026,',
    'M-5,Premier,,yes,06/01/2026,',
    'M-9,Premier,,,,',
    'M-3,Primier,,,,',
    'M-5,Premier,,no,06/01/2026,05/31/2026',
  );
  const checked = await ada.check(await ada.upload('memberships', rows));
  expect(refusals(checked)).toEqual([
    "9 Primary 'yes' contradicts line 8, by which Vizient is the primary GPO at the same time",
    "10 Account # 'M-9' is not a known account: import the facilities first",
    "11 GPO Name 'Primier' is not a known GPO: import its contracts first, or add it to a facility",
    "12 Expiration Date '05/31/2026' lies before the first day",
  ]);
  expect(figures(checked)).toMatchObject({ New: 5, Changed: 2, Refused: 4 });
  expect(checked.report?.notes).toEqual([
    'The file does not say which GPO is primary for 1 facility with one membership only: that one is primary.',
  ]);
  expect(await stored()).toEqual(before);
  const applied = await ada.apply(checked);
  expect(await stored()).toEqual([
    'M-1 Premier P-1 2020-01-01..',
    'M-1 Vizient V-1 primary 2026-01-01..',
    'M-2 Vizient primary 2020-01-01..2026-12-31',
    'M-3 Premier P-3 primary 2026-03-01..',
    'M-4 Premier 2026-03-01..',
    'M-4 Vizient 2026-03-01..',
    'M-5 Vizient primary 2026-03-01..',
  ]);
  const again = await ada.check(await ada.upload('memberships', rows));
  expect(figures(again)).toMatchObject({ New: 0, Changed: 0, Same: 7 });
  await ada.undo(applied);
  expect(await stored()).toEqual(before);
});

test('a second primary GPO is refused unless the file takes the mark from the first', async () => {
  const { db } = server;
  const [first, two] = [await aGpo(db, { name: 'Alder' }), await aGpo(db, { name: 'Birch' })];
  const facility = await aFacility(db, { acctNo: 'N-1' });
  await aMembership(db, { facilityId: facility.id, gpoId: first.id });
  expect(two.id).toBeGreaterThan(first.id);
  const check = async (...rows: string[]) => ada.check(await ada.upload('memberships', file(...rows)));
  expect(refusals(await check('N-1,Birch,,yes,01/01/2026,'))).toEqual([
    "2 Primary 'yes' does not hold beside Alder, which is the primary GPO from 01/01/2020 on: send that membership in the same file with Primary no, or with its last day",
  ]);
  expect(refusals(await check('N-1,Birch,,yes,01/01/2026,', 'N-1,Alder,,no,,'))).toEqual([]);
  expect(refusals(await check('N-1,Alder,,,,12/31/2025', 'N-1,Birch,,yes,01/01/2026,'))).toEqual([]);
});
