// Tests files of letters of commitment over HTTP: allowed steps, refusals, the resulting prices, and undo.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anImporter, figures, type Importer, refusals } from '#testing/an-importer.server.ts';
import { aContract, aTier } from '#testing/factories/contracts.server.ts';
import { aFacility } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';

let server: TestServer;
let ada: Importer;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-10-20T15:00:00Z');
  ada = await anImporter(server, 'contractdept');
});
afterAll(() => server.close());

const check = async (text: string, options?: Record<string, unknown>) =>
  ada.check(await ada.upload('letters', text), options);
async function lettersOf(contractId: number): Promise<string[]> {
  const rows = await server.db
    .selectFrom('contract_loc as l')
    .innerJoin('facility as f', 'f.id', 'l.facility_id')
    .innerJoin('contract_tier as t', 't.id', 'l.tier_id')
    .select([
      'f.acct_no',
      't.tier_no',
      'l.state',
      'l.valid_from',
      'l.valid_to',
      'l.signer',
      'l.signed_on',
      'l.note',
      'l.version',
    ])
    .where('l.contract_id', '=', contractId)
    .orderBy('f.acct_no')
    .orderBy('l.valid_from')
    .execute();
  return rows.map((row) =>
    [
      row.acct_no,
      row.tier_no,
      row.state,
      `${row.valid_from}..${row.valid_to ?? ''}`,
      row.signer,
      row.signed_on ?? '',
      row.note,
    ]
      .filter((part) => part !== '')
      .join(' '),
  );
}
async function aCommitted(number: string, accounts: readonly string[]) {
  const contract = await aContract(server.db, { number });
  await aTier(server.db, { contractId: contract.id, no: 2, name: 'Committed', needsLoc: true });
  for (const acctNo of accounts) await aFacility(server.db, { acctNo });
  return contract;
}

test('letters are made, go on by their steps, are approved only when a person says so, and are undone', async () => {
  const { id } = await aCommitted('LI-1', ['LI-A', 'LI-B', 'LI-C']);
  const head = 'Contract,Account,Tier,State,From,To,Signed By,Signed On,Note';
  const first = await check(
    `${head}\nLI-1,LI-A,2,,11/01/2026,10/31/2027,,,\nLI-1,LI-B,Committed,,11/01/2026,,Ann Lee,10/01/2026,\nLI-1,LI-C,2,Received,,,,,\n`,
  );
  expect([refusals(first), figures(first)]).toEqual([[], expect.objectContaining({ New: 3 })]);
  await ada.apply(first);
  expect(await lettersOf(id)).toEqual([
    'LI-A 2 Sent 2026-11-01..2027-10-31',
    'LI-B 2 Signed 2026-11-01.. Ann Lee 2026-10-01',
    'LI-C 2 Received 2026-10-20..',
  ]);

  const next = `${head}\nLI-1,LI-A,2,Approved,11/01/2026,,Bob Ray,10/15/2026,\nLI-1,LI-B,2,Approved,,,,,\nLI-1,LI-C,2,Rejected,,,,,No board decision\n`;
  expect(refusals(await check(next))).toEqual([
    "2 State 'Approved' gives prices: check Approve letters, or write the state before",
    "3 State 'Approved' gives prices: check Approve letters, or write the state before",
  ]);
  const second = await check(next, { approve: true });
  expect([refusals(second), figures(second)]).toEqual([[], expect.objectContaining({ Changed: 3 })]);
  const applied = await ada.apply(second);
  expect(await lettersOf(id)).toEqual([
    'LI-A 2 Approved 2026-11-01..2027-10-31 Bob Ray 2026-10-15',
    'LI-B 2 Approved 2026-11-01.. Ann Lee 2026-10-01',
    'LI-C 2 Rejected 2026-10-20.. No board decision',
  ]);
  await ada.undo(applied);
  expect(await lettersOf(id)).toEqual([
    'LI-A 2 Sent 2026-11-01..2027-10-31',
    'LI-B 2 Signed 2026-11-01.. Ann Lee 2026-10-01',
    'LI-C 2 Received 2026-10-20..',
  ]);
});

test('what the screen refuses is refused in a file, too', async () => {
  const { id } = await aCommitted('LR-1', ['LR-A', 'LR-B', 'LR-C', 'LR-D']);
  const head = 'Contract,Account,Tier,State,From,To,Signed By,Signed On,Note';
  const approved = await check(
    `${head}\nLR-1,LR-A,2,Approved,01/01/2026,12/31/2026,Ann Lee,01/01/2026,\nLR-1,LR-B,2,Sent,11/01/2026,,,,\n`,
    { approve: true },
  );
  expect(refusals(approved)).toEqual([]);
  await ada.apply(approved);
  expect((await lettersOf(id))[0]).toBe(
    'LR-A 2 Approved 2026-01-01..2026-12-31 Ann Lee 2026-01-01 Approved by import.',
  );
  const checked = await check(
    [
      head,
      'LR-1,LR-A,2,Signed,01/01/2026,,,,',
      'LR-1,LR-A,2,,01/01/2026,,Bob Ray,,',
      'LR-1,LR-A,2,Approved,07/01/2026,,Ann Lee,06/01/2026,',
      'LR-1,LR-B,2,Approved,11/01/2026,,,,',
      'LR-1,LR-B,2,Revoked,11/01/2026,,Ann Lee,10/01/2026,gone',
      'LR-1,LR-C,2,Rejected,,,,,no',
      'LR-1,LR-C,2,Signed,11/01/2026,,Ann Lee,11/02/2026,',
      'LR-1,LR-C,7,Sent,,,,,',
      'LR-9,LR-C,2,Sent,,,,,',
      'LR-1,LR-Z,2,Sent,,,,,',
      'LR-1,LR-C,2,Maybe,,,,,',
      'LR-1,LR-C,2,Sent,11/01/2026,10/01/2026,,,',
      'LR-1,LR-D,2,Approved,11/01/2026,,Ann Lee,10/01/2026,',
      'LR-1,LR-D,2,Approved,12/01/2026,,Ann Lee,10/01/2026,',
    ].join('\n'),
    { approve: true },
  );
  expect(refusals(checked)).toEqual([
    "2 State 'Signed' cannot follow Approved, the state of the letter",
    "3 Signed By 'Bob Ray' stays as it is, because the letter is approved: write a new letter",
    "4 From '07/01/2026' overlaps a letter for this tier that is approved from 01/01/2026: end or revoke that one first",
    "5 Signed By '' is empty: enter who signed it",
    "6 State 'Revoked' cannot follow Sent, the state of the letter",
    "7 State 'Rejected' ends no letter: there is none of this facility and tier",
    "8 Signed On '11/02/2026' lies in the future",
    "9 Tier '7' is not a tier of the contract, which has 1, 2 (Committed)",
    "10 Contract 'LR-9' is not a known contract: import the contract first",
    "11 Account 'LR-Z' is not a known account: import the facilities first",
    "12 State 'Maybe' is none of Sent, Received, Signed, Approved, Rejected, Revoked",
    "13 To '10/01/2026' lies before the first day",
    "15 From '12/01/2026' overlaps line 14, which is approved for the same tier",
  ]);
  expect(figures(checked)).toMatchObject({ New: 1, Changed: 0 });
});
