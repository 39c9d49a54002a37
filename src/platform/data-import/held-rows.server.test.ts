// Tests over HTTP that rows that may be about another facility than the stored one are reported, or held for a decision.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anImporter, figures } from '#testing/an-importer.server.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aFacility, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { DataImport } from './data-import.contract.ts';

let server: TestServer;
let ada: Awaited<ReturnType<typeof anImporter>>;
beforeAll(async () => {
  server = await startTestServer();
  ada = await anImporter(server);
});
afterAll(() => server.close());

const NOT_CHOSEN = { ways: [], way: '', wayLabel: '' };

test('a new account that differs from a stored one only by leading zeros is pointed out', async () => {
  await aFacility(server.db, { acctNo: '061001', name: 'Birch Hospital' });
  const rows = ['Account Number,Name,City,State', '61001,Birch Hospital,Fresno,CA', '61002,Cedar Clinic,Salem,IL'];
  const { report } = await ada.check(await ada.upload('facilities', rows.join('\n')));
  expect(report?.notes).toEqual([
    '1 new account differs from a stored one only by leading zeros: 61001 beside 061001 (Birch Hospital). Has the file lost them?',
  ]);
});

test.each(['costs', 'items'])('a cost or a floor that jumps is held, in a file of %s', async (kind) => {
  const number = (no: number) => `HC-${kind}-${no}`;
  const money = { units: { EA: 1, BX: 50 }, prices: [] };
  for (const no of [1, 2, 3, 4]) await anItem(server.db, { number: number(no), cost: 2, ...money });
  await anItem(server.db, { number: number(5), cost: 2, floor: 3, ...money });
  for (const no of [6, 7]) await anItem(server.db, { number: number(no), ...money });
  const rows = ['1,100,', '2,5.99,', '3,0,', '4,2,', '5,2,60', '6,80,', '7,0,'].map((row) => `HC-${kind}-${row}`);
  const checked = await ada.check(await ada.upload(kind, ['Item,Cost,Floor Price', ...rows].join('\n')));
  expect(figures(checked)).toMatchObject({ New: 0, Changed: 3, Same: 1, Held: 3, Refused: 0 });
  expect(checked.report?.notes).toEqual([`1 cost is 0, so its item has a margin of 100%: ${number(7)}.`]);
  const { records } = await server.ok(DataImport.GetHeldRows, { id: checked.id }, { as: ada });
  expect(records.map(({ key, was, now, hint }) => [key, was, now, hint])).toEqual([
    [number(1), 'cost $2.00 per EA', 'cost $100.00 per EA', 'About 50 times: is it the cost of a BX?'],
    [number(3), 'cost $2.00 per EA', 'cost $0.00 per EA', ''],
    [number(5), 'cost $2.00, lowest price $3.00 per EA', 'cost $2.00, lowest price $60.00 per EA', ''],
  ]);
  await server.ok(
    DataImport.DecideHeldRows,
    { id: checked.id, lines: [records[1]?.line ?? 0], decision: 'accepted' },
    { as: ada },
  );
  await ada.apply(checked);
  const stored = server.db.selectFrom('item').select('cost').where('item_number', 'like', `HC-${kind}-%`);
  expect((await stored.orderBy('item_number').execute()).map(({ cost }) => cost)).toEqual([2, 5.99, 0, 2, 2, 80, 0]);
});

describe('another facility?', () => {
  const text = [
    'Account Number,Name,City,State',
    '50001,Valley Hospital,Fresno,CA',
    '50002,Renamed Only,Salem,IL',
    '50003,Hill Clinic,Salem,OR',
    'x50004,New One,Salem,OR',
    ',,,',
    '50005,Nowhere,Salem,ZZ',
  ].join('\n');
  const name = async (acctNo: string) =>
    (await server.db.selectFrom('facility').select('name').where('acct_no', '=', acctNo).executeTakeFirst())?.name;
  const held = (id: number) => server.ok(DataImport.GetHeldRows, { id }, { as: ada });
  const at = (acctNo: string, alias: string) => aFacility(server.db, { acctNo, name: alias });

  test('a row that changes name, city, and state is held until it is accepted; the figures add up', async () => {
    await at('50001', 'Stored One');
    await at('050001', 'The Right One');
    await at('50002', 'Stored Two');
    await at('50003', 'Stored Three');
    const checked = await ada.check(await ada.upload('facilities', text));
    expect(figures(checked)).toEqual({ New: 1, Changed: 1, Same: 0, Skipped: 1, Held: 2, Refused: 1 });
    expect(checked.report).toMatchObject({ rows: 6, read: 2, refused: 1, held: 2, skipped: 1 });
    const { records } = await held(checked.id);
    expect(records).toEqual([
      {
        line: 2,
        key: '50001',
        was: 'Stored One, Chicago, IL',
        now: 'Valley Hospital, Fresno, CA',
        hint: 'Account 050001 is The Right One: has the number in the file lost its leading zero?',
        decision: 'open',
        ...NOT_CHOSEN,
      },
      {
        line: 4,
        key: '50003',
        was: 'Stored Three, Chicago, IL',
        now: 'Hill Clinic, Salem, OR',
        hint: '',
        decision: 'open',
        ...NOT_CHOSEN,
      },
    ]);
    const decided = await server.ok(
      DataImport.DecideHeldRows,
      { id: checked.id, lines: [4], decision: 'accepted' },
      { as: ada },
    );
    expect(decided.accepted).toBe(1);
    const applied = await ada.apply(checked);
    expect(figures(applied)).toEqual({ New: 1, Changed: 2, Same: 0, Skipped: 1, Held: 1, Refused: 1 });
    expect(applied.report).toMatchObject({ rows: 6, read: 3, refused: 1, held: 1, skipped: 1 });
    expect(await Promise.all(['50001', '50002', '50003'].map(name))).toEqual([
      'Stored One',
      'Renamed Only',
      'Hill Clinic',
    ]);
  });

  test('rows accepted after the import was applied can be applied later; rejected rows stay out; the undo reverts all', async () => {
    await Promise.all(['52001', '52002', '52003', '52004'].map((acctNo) => at(acctNo, `Stored ${acctNo}`)));
    const names = () => Promise.all(['52001', '52002', '52003', '52004'].map(name));
    const before = await names();
    const rows = ['52001,A,Salem,OR', '52002,B,Salem,OR', '52003,C,Salem,OR', '52004,D,Chicago,IL'].join('\n');
    const checked = await ada.check(await ada.upload('facilities', `Account Number,Name,City,State\n${rows}\n`));
    const decide = (decision: 'open' | 'accepted' | 'rejected', lines?: number[]) =>
      server.ok(DataImport.DecideHeldRows, { id: checked.id, decision, ...(lines ? { lines } : {}) }, { as: ada });
    await decide('rejected', [3]);
    expect(await decide('accepted')).toMatchObject({ accepted: 2, rejected: 1 });
    expect(await decide('open', [4])).toMatchObject({ accepted: 1, rejected: 1 });
    const applied = await ada.apply(checked);
    expect(figures(applied)).toMatchObject({ Changed: 2, Held: 2 });
    expect(applied).toMatchObject({ accepted: 0, rejected: 1, mayDecide: true });
    expect(await names()).toEqual(['A', 'Stored 52002', 'Stored 52003', 'D']);
    const again = await server.call(DataImport.ApplyImport, { id: checked.id }, { as: ada });
    expect(again).toMatchObject({ status: 409, body: { detail: 'This import was already applied.' } });

    await decide('accepted');
    const more = await ada.apply(checked);
    expect(more).toMatchObject({ state: 'Applied', error: '', accepted: 0, rejected: 1 });
    expect(figures(more)).toMatchObject({ Changed: 3, Held: 1 });
    expect(more.report).toMatchObject({ rows: 4, writes: 3, read: 3, held: 1 });
    expect((await held(checked.id)).records.map(({ line, decision }) => [line, decision])).toEqual([
      [2, 'applied'],
      [3, 'rejected'],
      [4, 'applied'],
    ]);
    expect(await names()).toEqual(['A', 'Stored 52002', 'C', 'D']);
    expect(await ada.undo(more)).toMatchObject({ state: 'Undone', error: '' });
    expect(await names()).toEqual(before);
    const late = await server.call(DataImport.DecideHeldRows, { id: checked.id, decision: 'accepted' }, { as: ada });
    expect(late.status).toBe(409);
  });

  test('after a newer file of the kind was applied, nothing can be decided', async () => {
    await at('53001', 'Stored');
    const rows = 'Account Number,Name,City,State\n53001,A,Salem,OR\n53002,New,Salem,OR\n';
    const checked = await ada.apply(await ada.check(await ada.upload('facilities', rows)));
    await ada.imported('facilities', 'Account Number,Name\n53003,Newer\n');
    expect((await ada.get(checked)).mayDecide).toBe(false);
    const late = await server.call(DataImport.DecideHeldRows, { id: checked.id, decision: 'accepted' }, { as: ada });
    expect(late).toMatchObject({ status: 409, body: { detail: expect.stringContaining('A newer file') as string } });
  });

  test('all rows can be accepted together; an acceptance does not count if the record changed since', async () => {
    await at('51001', 'Stored A');
    await at('51002', 'Stored B');
    const rows = 'Account Number,Name,City,State\n51001,A,Salem,OR\n51002,B,Salem,OR\n';
    const checked = await ada.check(await ada.upload('facilities', rows));
    expect(checked.report?.writes).toBe(0);
    const nothing = await server.call(DataImport.ApplyImport, { id: checked.id }, { as: ada });
    expect(nothing.status).toBe(409);
    const all = { id: checked.id, decision: 'accepted' as const };
    expect((await server.ok(DataImport.DecideHeldRows, all, { as: ada })).accepted).toBe(2);
    await server.db.updateTable('facility').set({ name: 'Renamed since' }).where('acct_no', '=', '51002').execute();
    const applied = await ada.apply(checked);
    expect(figures(applied)).toMatchObject({ Changed: 1, Held: 1 });
    expect(await Promise.all(['51001', '51002'].map(name))).toEqual(['A', 'Renamed since']);
    expect((await held(checked.id)).records.map(({ line, was, decision }) => [line, was, decision])).toEqual([
      [2, 'Stored A, Chicago, IL', 'applied'],
      [3, 'Renamed since, Chicago, IL', 'open'],
    ]);
    const sales = await aUser(server.db, { roles: ['salesadmin'] });
    expect((await server.call(DataImport.GetHeldRows, { id: checked.id }, { as: sales })).status).toBe(403);
    expect((await server.call(DataImport.DecideHeldRows, all, { as: sales })).status).toBe(403);
  });
});
