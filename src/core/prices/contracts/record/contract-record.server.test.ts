// Tests saving contracts, tiers, lines and prices over HTTP: accepted, refused and forbidden saves, concurrent ones, and the history.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, formatDate } from '#platform/shared/dates.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract, aGpo, aRosterRow, aTier } from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { aQuote } from '#testing/factories/quotes.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Contract } from '../contracts.contract.ts';

let server: TestServer;
let keeper: { id: number };
let admin: { id: number };
let today: string;
beforeAll(async () => {
  server = await startTestServer();
  keeper = await aUser(server.db, { roles: ['contractdept'], fullName: 'Cora Keeper' });
  admin = await aUser(server.db, { roles: ['systemadmin'], fullName: 'Ada Admin' });
  today = (await server.ok(Contract.PopulateContractEdit, {}, { as: keeper })).contract.from;
});
afterAll(() => server.close());

const save = (input: object) => server.ok(Contract.Save, input, { as: keeper });
const say = async (endpoint: (typeof Contract)[keyof typeof Contract], input: object, as = keeper) => {
  const { status, body } = await server.call(endpoint, input, { as });
  const { errors = [], detail } = body as { errors?: { path: string; message: string }[]; detail?: string };
  return { status, paths: errors.map(({ path }) => path), detail };
};
const whole = (number: string) => ({ number, gpo: null, title: 'Wound care', from: today, to: addDays(today, 365) });
const edit = async (id: number) => (await server.ok(Contract.PopulateContractEdit, { id }, { as: keeper })).contract;
const history = async (contractId: number, as = keeper) =>
  (await server.ok(Contract.GetContractHistory, { contractId }, { as })).records;

describe('a contract', () => {
  it('starts as a draft with a new GPO, gets a tier, is activated, extended and terminated, and the termination is undone', async () => {
    const created = await save({
      ...whole('S-1'),
      gpo: { id: 0 },
      newGpo: 'Fresh Buyers',
      adminFeePct: 3,
      minimumOrder: 250.5,
    });
    expect(created).toMatchObject({
      number: 'S-1',
      gpo: { name: 'Fresh Buyers' },
      state: 'Draft',
      version: 1,
      minimumOrder: 250.5,
    });
    const step = async (values: object) => {
      const { version } = await edit(created.id);
      return save({ id: created.id, version, ...values });
    };
    expect(await say(Contract.Save, { id: created.id, version: 1, state: 'Active' })).toMatchObject({
      status: 422,
      paths: ['state'],
    });
    await server.ok(Contract.SaveTier, { contractId: created.id, name: 'Access' }, { as: keeper });
    expect(await step({ state: 'Active' })).toMatchObject({ state: 'Active', title: 'Wound care', adminFeePct: 3 });
    const longer = addDays(created.to, 90);
    expect(await step({ extendedTo: longer })).toMatchObject({ extendedTo: longer });
    const last = addDays(today, 30);
    expect(await step({ state: 'Terminated', terminatedOn: last })).toMatchObject({ terminatedOn: last });
    expect(await step({ state: 'Active', terminatedOn: null })).toMatchObject({ state: 'Active', terminatedOn: null });
    const { version } = await edit(created.id);
    expect(await say(Contract.Save, { id: created.id, version, state: 'Draft' })).toMatchObject({
      status: 422,
      paths: ['state'],
    });
    // The same GPO in other letter case is not added again.
    expect((await save({ ...whole('S-2'), gpo: { id: 0 }, newGpo: 'FRESH buyers' })).gpo).toEqual(created.gpo);

    expect((await history(created.id)).map(({ action, recordType }) => [action, recordType])).toEqual([
      ['Edit', 'contract'],
      ['Terminate', 'contract'],
      ['Edit', 'contract'],
      ['Activate', 'contract'],
      ['Create', 'contractTier'],
      ['Create', 'contract'],
    ]);
    const inside = await aUser(server.db, { roles: ['insiderep'] });
    expect(JSON.stringify(await history(created.id))).toContain('Administrative fee');
    expect(JSON.stringify(await history(created.id, inside))).not.toContain('Administrative fee');
  });

  it('is refused if it contradicts itself or another contract', async () => {
    const old = await aContract(server.db, { number: 'TAKEN-1' });
    const next = await save({ ...whole('CIRCLE-2'), predecessor: { id: old.id } });
    const cases: [string, object][] = [
      ['number', { number: 'taken-1' }],
      ['number', { number: ' ' }],
      ['gpo', { gpo: undefined }],
      ['gpo', { gpo: { id: 999_999 } }],
      ['title', { title: '' }],
      ['to', { to: addDays(today, -1) }],
      ['to', { to: undefined }],
      ['to', { to: '02/30/2027' }],
      ['extendedTo', { extendedTo: addDays(today, 365) }],
      ['extendedTo', { extendedTo: today }],
      ['priceFirmUntil', { priceFirmUntil: addDays(today, -1) }],
      ['state', { state: 'Active' }],
      ['terminatedOn', { state: 'Terminated' }],
      ['terminatedOn', { terminatedOn: today }],
      ['openTo', { openTo: 'members' }],
      ['predecessor', { predecessor: { id: 999_999 } }],
      ['contact', { contact: { id: 999_999 } }],
      ['adminFeePct', { adminFeePct: 100.5 }],
      ['minimumOrder', { minimumOrder: 10.005 }],
      ['minimumOrder', { minimumOrder: 10_000_000_000 }],
      ['notes', { notes: 'x'.repeat(4001) }],
    ];
    for (const [path, input] of cases)
      expect([path, input, await say(Contract.Save, { ...whole('FRESH-1'), ...input })]).toMatchObject([
        path,
        input,
        { status: 422, paths: [path] },
      ]);
    const circle = async (id: number, predecessorId: number) => {
      const { version } = await edit(id);
      return say(Contract.Save, { id, version, predecessor: { id: predecessorId } });
    };
    for (const [id, before] of [
      [old.id, old.id],
      [old.id, next.id],
    ] as const)
      expect(await circle(id, before)).toMatchObject({ status: 422, paths: ['predecessor'] });
    // The currency cannot change once a contract has prices.
    const item = await anItem(server.db);
    const priced = await aContract(server.db, { lines: [{ itemId: item.id, price: 5 }] });
    expect(await say(Contract.Save, { id: priced.id, version: 1, currnIdx: 1009 })).toMatchObject({
      status: 422,
      paths: ['currnIdx'],
    });
    expect((await save({ id: old.id, version: 1, currnIdx: 1009 })).currnIdx).toBe(1009);
  });

  it('keeps what the first of two people saved', async () => {
    const created = await save(whole('TWO-1'));
    await server.ok(Contract.Save, { id: created.id, version: 1, title: 'Dressings' }, { as: admin });
    expect(
      await server.call(Contract.Save, { id: created.id, version: 1, title: 'Gauze' }, { as: keeper }),
    ).toMatchObject({
      status: 409,
      body: {
        detail: "Ada Admin changed this contract while you were editing it: Title from 'Wound care' to 'Dressings'.",
        conflict: { changedBy: 'Ada Admin', current: { title: 'Dressings', version: 2 } },
      },
    });
    expect(await say(Contract.Save, { id: created.id, title: 'Gauze' })).toMatchObject({
      status: 422,
      paths: ['version'],
    });
    const [first, two] = await Promise.all(
      [keeper, admin].map((as) => server.call(Contract.Save, whole('SAME-1'), { as })),
    );
    expect([first?.status, two?.status].toSorted((a = 0, b = 0) => a - b)).toEqual([200, 422]);
  });

  it('can be changed only by the contract department and system administrators', async () => {
    const contract = await aContract(server.db);
    const calls = [
      [Contract.PopulateContractEdit, { id: contract.id }],
      [Contract.Save, { id: contract.id, version: 1, title: 'Mine' }],
      [Contract.SaveTier, { contractId: contract.id, name: 'Mine' }],
      [Contract.SaveLine, { contractId: contract.id, itemNumber: 'ANY' }],
      [Contract.SavePrice, { lineId: 1, tierId: contract.tierId, price: 1, from: today }],
    ] as const;
    const others = [await aUser(server.db, { roles: ['salesadmin', 'insiderep', 'salesQuoteManager'] })];
    const hidden = await aUser(server.db, { roles: ['contractdept'] });
    await server.db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', hidden.id).execute();
    for (const [call, input] of calls)
      for (const as of [...others, hidden])
        expect([call.path, (await server.call(call, input, { as })).status]).toEqual([call.path, 403]);
    const rep = await aUser(server.db);
    expect((await say(Contract.GetContractHistory, { contractId: contract.id }, rep)).status).toBe(403);
  });
});

describe('a tier', () => {
  it('falls back to a lower one, has a unique rank, and stays while something refers to it', async () => {
    const { id: contractId, tierId } = await aContract(server.db);
    const tier = (input: object) => say(Contract.SaveTier, { contractId, ...input });
    const created = await server.ok(
      Contract.SaveTier,
      { contractId, name: 'Commitment', needsLoc: true, fallbackTierId: tierId, requirement: '85%' },
      { as: keeper },
    );
    expect(created.tier).toMatchObject({ tierNo: 2, name: 'Commitment', fallbackTierId: tierId, version: 1 });
    const id = created.tier?.id ?? 0;
    expect(await tier({ name: 'Again', tierNo: 2 })).toMatchObject({ status: 422, paths: ['tierNo'] });
    expect(await tier({ name: '' })).toMatchObject({ status: 422, paths: ['name'] });
    expect(await tier({ name: 'Low', tierNo: 0 })).toMatchObject({ status: 422, paths: ['tierNo'] });
    const elsewhere = await aContract(server.db);
    for (const fallbackTierId of [id, elsewhere.tierId])
      expect(await tier({ id, version: 1, fallbackTierId })).toMatchObject({ status: 422, paths: ['fallbackTierId'] });
    expect(await tier({ id: tierId, version: 1, fallbackTierId: id })).toMatchObject({
      status: 422,
      paths: ['fallbackTierId'],
    });
    expect(await tier({ id: tierId, version: 1, tierNo: 9 })).toMatchObject({ status: 422, paths: ['tierNo'] });
    expect(await tier({ id, version: 1, contractId: elsewhere.id })).toMatchObject({ status: 404 });
    expect(await tier({ id: tierId, version: 1, remove: true })).toMatchObject({ status: 409 });
    const facility = await aFacility(server.db);
    const third = await aTier(server.db, { contractId, no: 3 });
    await aRosterRow(server.db, { contractId, facilityId: facility.id, tierId: third.id });
    expect((await tier({ id: third.id, version: 1, remove: true })).detail).toBe(
      'Tier 3 has facilities on the roster, so it cannot be removed.',
    );
    expect(await tier({ id, version: 7, name: 'Late' })).toMatchObject({ status: 409 });
    expect(await server.ok(Contract.SaveTier, { contractId, id, version: 1, remove: true }, { as: keeper })).toEqual({
      tier: null,
    });
    expect((await history(contractId))[0]).toMatchObject({
      action: 'Remove tier',
      changes: [{ before: '2. Commitment' }],
    });
  });
});

describe('a line', () => {
  it('is a unique item and unit, has its own days, and cannot be removed while a quote has its price', async () => {
    const { db } = server;
    const item = await anItem(db, { number: 'LN-1', units: { EA: 1, BX: 50 } });
    const { id: contractId } = await aContract(db);
    const line = (input: object) => say(Contract.SaveLine, { contractId, ...input });
    const { line: created } = await server.ok(
      Contract.SaveLine,
      { contractId, itemNumber: 'LN-1', unit: 'BX' },
      { as: keeper },
    );
    expect(created).toMatchObject({ itemNumber: 'LN-1', unit: 'BX', from: null, to: null, version: 1 });
    const id = created?.id ?? 0;
    expect(await line({ itemNumber: 'LN-1', unit: 'BX' })).toMatchObject({ status: 422, paths: ['itemNumber'] });
    expect(await line({ itemNumber: 'NO-SUCH' })).toMatchObject({ status: 422, paths: ['itemNumber'] });
    expect(await line({})).toMatchObject({ status: 422, paths: ['itemNumber'] });
    expect(await line({ itemNumber: 'LN-1', unit: 'CS' })).toMatchObject({ status: 422, paths: ['unit'] });
    expect(await line({ id, version: 1, from: today, to: addDays(today, -1) })).toMatchObject({
      status: 422,
      paths: ['to'],
    });
    const ended = await server.ok(Contract.SaveLine, { contractId, id, version: 1, to: today }, { as: keeper });
    expect(ended.line).toMatchObject({ to: today, version: 2 });
    // An omitted field keeps its value, and an empty one clears it.
    expect(
      (await server.ok(Contract.SaveLine, { contractId, id, version: 2, to: '' }, { as: keeper })).line?.to,
    ).toBeNull();
    const office = await aSalesOffice(db);
    const quote = await aQuote(db, { facility: office.facility, ownerId: office.rep.id });
    const { id: quoteItemId } = await db
      .insertInto('quote_item')
      .values({ quote_id: quote.id, line_no: 1, item_id: item.id, contract_line_id: id })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect(await line({ id, version: 3, remove: true })).toMatchObject({ status: 409 });
    await db.deleteFrom('quote_item').where('id', '=', quoteItemId).execute();
    expect(await server.ok(Contract.SaveLine, { contractId, id, version: 3, remove: true }, { as: keeper })).toEqual({
      line: null,
    });
  });
});

describe('a price', () => {
  it('ends the one before on the previous day, keeps later ones, and changes only before it begins', async () => {
    const { db } = server;
    const item = await anItem(db, { number: 'PR-1', units: { EA: 1, BX: 50 } });
    const contract = await aContract(db, { lines: [{ itemId: item.id, unit: 'BX', price: 41 }] });
    const [lineId = 0] = contract.lineIds;
    const { tierId } = contract;
    const [soon, later] = [addDays(today, 10), addDays(today, 40)];
    const price = (input: {
      id?: number | undefined;
      version?: number | undefined;
      price: number;
      from: string;
      remove?: boolean;
    }) => server.ok(Contract.SavePrice, { lineId, tierId, ...input }, { as: keeper });
    const refused = (input: object) => say(Contract.SavePrice, { lineId, tierId, ...input });

    expect(await price({ price: 38.5, from: later })).toMatchObject([
      { price: 41, from: '2020-01-01', to: addDays(later, -1) },
      { price: 38.5, from: later, to: null, perEach: 0.77 },
    ]);
    const rows = await price({ price: 40, from: soon });
    expect(rows).toMatchObject([
      { price: 41, to: addDays(soon, -1) },
      { price: 40, from: soon, to: addDays(later, -1) },
      { price: 38.5, from: later, to: null },
    ]);
    expect(await server.ok(Contract.GetLinePrices, { lineId }, { as: keeper })).toEqual(rows);
    const [first, second, third] = rows;

    expect(await refused({ price: 39, from: later })).toMatchObject({ status: 422, paths: ['from'] });
    expect(await refused({ price: 39, from: addDays(soon, 5), to: later })).toMatchObject({
      status: 422,
      paths: ['to'],
    });
    expect(await refused({ price: 39, from: soon, to: today })).toMatchObject({ status: 422, paths: ['to'] });
    expect(await refused({ price: -1, from: soon })).toMatchObject({ status: 422, paths: ['price'] });
    expect(await refused({ price: 10_000_000_000, from: soon })).toMatchObject({ status: 422, paths: ['price'] });
    expect(await refused({ price: 1.23456, from: soon })).toMatchObject({ status: 422, paths: ['price'] });
    const elsewhere = await aContract(db);
    expect(await refused({ price: 1, from: soon, tierId: elsewhere.tierId })).toMatchObject({
      status: 422,
      paths: ['tierId'],
    });
    expect(await refused({ id: first?.id, version: first?.version, price: 1, from: '2020-01-01' })).toMatchObject({
      status: 422,
      paths: ['from'],
    });
    expect(await refused({ id: second?.id, version: second?.version, price: 1, from: today })).toMatchObject({
      paths: ['from'],
    });
    expect(await refused({ id: third?.id, version: 99, price: 1, from: later })).toMatchObject({
      status: 409,
      detail: 'Cora Keeper changed this price while you were editing it.',
    });

    // A future price can move to another day, and releases its days when it is removed.
    const moved = addDays(later, 20);
    expect(await price({ id: third?.id, version: third?.version, price: 38, from: moved })).toMatchObject([
      {},
      { price: 40, to: addDays(moved, -1) },
      { id: third?.id, price: 38, from: moved, to: null },
    ]);
    const [, , now] = await server.ok(Contract.GetLinePrices, { lineId }, { as: keeper });
    expect(await price({ id: now?.id, version: now?.version, price: 38, from: moved, remove: true })).toMatchObject([
      {},
      { price: 40, from: soon, to: null },
    ]);
    expect((await history(contract.id)).map(({ action, changes }) => [action, changes[0]?.after])).toEqual([
      ['Remove price', ''],
      ['Change price', expect.stringContaining('$38.00 per BX from')],
      ['New price', expect.stringContaining('$40.00 per BX from')],
      ['New price', expect.stringContaining('$38.50 per BX from')],
    ]);
  });

  it('can be corrected on the day it begins, until a quote goes out with it', async () => {
    const { db } = server;
    const item = await anItem(db);
    const contract = await aContract(db, { lines: [{ itemId: item.id, price: 41 }] });
    const [lineId = 0] = contract.lineIds;
    const { tierId } = contract;
    const save = (input: object) => say(Contract.SavePrice, { lineId, tierId, ...input });
    const pricesNow = () => server.ok(Contract.GetLinePrices, { lineId }, { as: keeper });
    await server.ok(Contract.SavePrice, { lineId, tierId, price: 40, from: today }, { as: keeper });
    const [, begun] = await pricesNow();
    expect(await save({ id: begun?.id, version: begun?.version, price: 38.5, from: today })).toMatchObject({
      status: 200,
    });
    const [first, corrected] = await pricesNow();
    expect(first).toMatchObject({ price: 41, to: addDays(today, -1) });
    expect(corrected).toMatchObject({ id: begun?.id, price: 38.5, from: today, to: null });
    expect(
      await save({ id: corrected?.id, version: corrected?.version, price: 38, from: addDays(today, -1) }),
    ).toMatchObject({ status: 422, paths: ['from'] });

    const quote = await aQuote(db, { statusId: 'Processing', quoteDate: today });
    const quoted = (tier: number) => JSON.stringify([{ ref: `contract_line ${lineId} tier ${tier}` }]);
    await db
      .insertInto('quote_item')
      .values({
        quote_id: quote.id,
        line_no: 1,
        item_id: item.id,
        qty: 1,
        contract_line_id: lineId,
        price_proof: quoted(tierId),
      })
      .execute();
    const correct = async (price: number) => {
      const version = (await pricesNow())[1]?.version;
      return save({ id: corrected?.id, version, price, from: today });
    };
    expect(await correct(38)).toMatchObject({ status: 200 });
    for (const status_id of ['SentToCustomer', 'Won'] as const) {
      await db.updateTable('quote').set({ status_id, quote_date: today }).where('id', '=', quote.id).execute();
      expect(await correct(37)).toMatchObject({ status: 422, paths: ['price'] });
    }
    const version = (await pricesNow())[1]?.version;
    const input = { id: corrected?.id, lineId, tierId, version, price: 37, from: today };
    const answer = await server.call(Contract.SavePrice, input, { as: keeper });
    expect(JSON.stringify(answer.body)).toContain(
      `Quote ${quote.num} was sent with this price, so it cannot be changed. Add a new price from ${formatDate(addDays(today, 1))} on.`,
    );
    expect(await save({ ...input, remove: true })).toMatchObject({ status: 422, paths: ['price'] });
    // A quote with the price of another tier, or dated before this price began, does not lock it.
    await db
      .updateTable('quote_item')
      .set({ price_proof: quoted(tierId + 1) })
      .where('quote_id', '=', quote.id)
      .execute();
    expect(await correct(37)).toMatchObject({ status: 200 });
    await db
      .updateTable('quote_item')
      .set({ price_proof: quoted(tierId) })
      .where('quote_id', '=', quote.id)
      .execute();
    await db
      .updateTable('quote')
      .set({ quote_date: addDays(today, -1) })
      .where('id', '=', quote.id)
      .execute();
    expect(await correct(36)).toMatchObject({ status: 200 });
  });

  it('is asked about when it is 0 or far from the one beside it', async () => {
    const item = await anItem(server.db);
    const contract = await aContract(server.db, { lines: [{ itemId: item.id, price: 2.99 }] });
    const [lineId = 0] = contract.lineIds;
    const save = (input: object) =>
      server.call(
        Contract.SavePrice,
        { lineId, tierId: contract.tierId, from: addDays(today, 5), ...input },
        { as: keeper },
      );
    const request = (message: string) => ({ status: 422, body: { errors: [{ path: 'confirmed', message }] } });
    expect(await save({ price: 59.8 })).toMatchObject(request('This is 20 times the price beside it, $2.99 per EA.'));
    expect(await save({ price: 0.1495 })).toMatchObject(request('This is 1/20 of the price beside it, $2.99 per EA.'));
    expect(await save({ price: 0 })).toMatchObject(request('A price of 0 means free of charge.'));
    const { body } = await save({ price: 59.8, confirmed: true });
    const [, added] = body as { id: number; version: number }[];
    // A correction is compared with the price before the mistake.
    expect((await save({ ...added, price: 3 })).status).toBe(200);
    expect((await save({ price: 8.97, from: addDays(today, 2) })).status).toBe(200);
  });

  it('is saved once when several people add one for the same day at the same time', async () => {
    const item = await anItem(server.db);
    const contract = await aContract(server.db, { lines: [{ itemId: item.id, price: 10 }] });
    const [lineId = 0] = contract.lineIds;
    const input = { lineId, tierId: contract.tierId, from: addDays(today, 5) };
    const answers = await Promise.all(
      [11, 12, 13].map((price) => server.call(Contract.SavePrice, { ...input, price }, { as: keeper })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
    expect(await server.ok(Contract.GetLinePrices, { lineId }, { as: keeper })).toHaveLength(2);
  });
});

it('answers 404 for what does not exist', async () => {
  const gpo = await aGpo(server.db);
  for (const [call, input] of [
    [Contract.PopulateContractEdit, { id: 999_999 }],
    [Contract.Save, { id: 999_999, version: 1, gpo }],
    [Contract.SaveTier, { contractId: 999_999, name: 'One' }],
    [Contract.SaveLine, { contractId: 999_999, itemNumber: 'ANY' }],
    [Contract.SavePrice, { lineId: 999_999, tierId: 1, price: 1, from: today }],
    [Contract.GetLinePrices, { lineId: 999_999 }],
    [Contract.GetContractHistory, { contractId: 999_999 }],
  ] as const)
    expect([call.path, (await server.call(call, input, { as: keeper })).status]).toEqual([call.path, 404]);
});
