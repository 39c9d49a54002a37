// Tests quotes at risk over HTTP and through the job: each kind, the worked examples, who sees what, and the user's steps.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Contract } from '#core/prices/contracts/contracts.contract.ts';
import { Letters } from '#core/prices/letters-and-rosters/letters/letters.contract.ts';
import { Roster } from '#core/prices/letters-and-rosters/rosters/rosters.contract.ts';
import type { QuoteItemInput } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { anItem, aPromotion } from '#testing/factories/catalog.server.ts';
import {
  aContract,
  aContractPrice,
  aGpo,
  aLetter,
  aMembership,
  anAccountPrice,
  aRosterRow,
  aTier,
} from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { notifiedKinds } from '#testing/notifications-of.server.ts';
import { dailyRisksJob } from './calculate/risk-jobs.server.ts';
import { QuoteRisks } from './risks.contract.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
let facilityId: number;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-10-20T15:00:00Z');
  office = await aSalesOffice(server.db);
  facilityId = office.facility.id;
});
afterAll(() => server.close());

type Who = { id: number };
const rights = (): Who => office.contracts;

/** An item in boxes, list price 60. */
const aBox = () => anItem(server.db, { units: { EA: 1, BX: 10 }, prices: [{ unit: 'BX', price: 60 }] });

/** A local agreement for the office's facility with one line. */
async function anAgreement(itemId: number, price: number, overrides: Partial<Parameters<typeof aContract>[1]> = {}) {
  const contract = await aContract(server.db, {
    gpoId: null,
    facilityIds: [facilityId],
    lines: [{ itemId, price, unit: 'BX' }],
    ...overrides,
  });
  return { ...contract, lineId: contract.lineIds[0] ?? 0 };
}

async function aSentQuote(lines: QuoteItemInput[], as: Who = office.inside, at = facilityId) {
  const { quote } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: at }, items: lines.map((line) => ({ unit: 'BX', ...line, priceReason: 'Agreed' })) },
    { as },
  );
  await server.db
    .updateTable('quote')
    .set({
      status_id: 'Processing',
      contact_name: 'Pat Buyer',
      contact_email: 'b@example.org',
      assignee_id: office.inside.id,
    })
    .where('id', '=', quote.id)
    .execute();
  await server.db.updateTable('approval_rule').set({ active: false }).execute();
  await server.ok(
    QuoteWorkflow.SendEmail,
    { quoteId: quote.id, version: quote.version, to: ['b@example.org'], subject: 'Quote', body: 'Hello' },
    { as: office.inside },
  );
  await server.drain();
  return quote.id;
}

/** A sent quote with ten boxes of an item that has 41.00 in an agreement. */
async function aQuoteOfTen(as: Who = office.inside, facilityIds = [facilityId]) {
  const item = await aBox();
  const contract = await anAgreement(item.id, 41, { facilityIds });
  return { item, contract, quoteId: await aSentQuote([{ itemId: item.id, qty: 10 }], as) };
}

const riskOf = (quoteId: number, as: Who = office.inside) => server.ok(QuoteRisks.GetQuoteRisk, { quoteId }, { as });
const search = (criteria: object, as: Who = office.inside) =>
  server.ok(QuoteRisks.SearchRisks, { ...criteria, page: 1, pageSize: 200 }, { as });
const versionOf = async (id: number) =>
  (await server.db.selectFrom('quote').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;
const setPrice = (lineId: number, price: number) =>
  server.db.updateTable('contract_line_price').set({ price }).where('contract_line_id', '=', lineId).execute();
const documentOf = async (quoteId: number) =>
  JSON.stringify(
    await server.db.selectFrom('quote_revision').selectAll().where('quote_id', '=', quoteId).executeTakeFirstOrThrow(),
  );

test('a tier loaded after the quote was sent: Tier, −100.00, and the sent document stays', async () => {
  server.setNow('2026-10-20T15:00:00Z');
  const item = await aBox();
  const contract = await anAgreement(item.id, 41);
  const third = await aTier(server.db, { contractId: contract.id, no: 3 });
  await aContractPrice(server.db, { lineId: contract.lineId, tierId: third.id, price: 38.5 });
  const quoteId = await aSentQuote([{ itemId: item.id, qty: 40 }]);
  expect((await riskOf(quoteId)).lines).toEqual([]);
  const sent = await documentOf(quoteId);

  server.setNow('2026-10-25T15:00:00Z');
  const [row] = (
    await server.ok(Roster.GetRoster, { contractId: contract.id, page: 1, pageSize: 20 }, { as: rights() })
  ).records;
  await server.ok(
    Roster.SaveRosterRow,
    {
      id: row?.id ?? 0,
      version: row?.version,
      contractId: contract.id,
      facilityId,
      tierId: third.id,
      memberId: '',
      coversChildren: false,
      excluded: false,
      from: row?.from ?? '',
      to: '',
      changeFrom: '2026-11-01',
    },
    { as: rights() },
  );
  await server.drain();
  expect(await riskOf(quoteId)).toMatchObject({
    difference: -100,
    day: '2026-11-01',
    lines: [
      {
        kind: 'Tier',
        quoted: 41,
        price: 38.5,
        difference: -100,
        was: `Contract ${contract.number}, tier 1 (local agreement)`,
        now: `Contract ${contract.number}, tier 3 (local agreement)`,
      },
    ],
  });
  expect(await notifiedKinds(server.db, office.inside, quoteId)).toEqual(['atRisk']);
  await server.drain();
  expect(await notifiedKinds(server.db, office.inside, quoteId)).toEqual(['atRisk']);
  const result = await search({ contractId: contract.id });
  expect(result).toMatchObject({
    total: 1,
    records: [{ quoteId, kinds: ['Tier'], lines: 1, difference: -100 }],
    totals: [{ kind: 'Tier', quotes: 1, dearer: 0, cheaper: -100 }],
  });
  expect(await documentOf(quoteId)).toBe(sent);
});

test('a renewal at 42.00: Superseded for facilities on the new roster, Ends for the others', async () => {
  server.setNow('2026-11-10T15:00:00Z');
  const item = await aBox();
  const other = await aFacility(server.db);
  const old = await anAgreement(item.id, 40, { facilityIds: [facilityId, other.id], to: '2026-12-31' });
  const quoteId = await aSentQuote([{ itemId: item.id, qty: 10 }]);
  const others = await aSentQuote([{ itemId: item.id, qty: 10 }], office.inside, other.id);
  await server.db
    .updateTable('quote')
    .set({ valid_until: '2026-12-31' })
    .where('id', 'in', [quoteId, others])
    .execute();
  const successor = await anAgreement(item.id, 42, { from: '2026-12-01', to: '2028-11-30' });
  await server.db.updateTable('gpo_contract').set({ predecessor_id: old.id }).where('id', '=', successor.id).execute();
  await server.drain();
  expect(await riskOf(quoteId)).toMatchObject({
    day: '2026-12-01',
    lines: [{ kind: 'Superseded', quoted: 40, price: 42, difference: 20 }],
  });
  // The old price is valid until 12/31. The list price follows, and is listed when that day is near.
  expect((await riskOf(others)).lines).toEqual([]);
  server.setNow('2026-12-05T15:00:00Z');
  await dailyRisksJob.run(server.services);
  expect(await riskOf(others)).toMatchObject({
    day: '2027-01-01',
    lines: [{ kind: 'Ends', quoted: 40, price: 60, difference: 200, now: 'List price' }],
  });
  server.setNow('2026-10-20T15:00:00Z');
});

describe('each kind', () => {
  test('Price, while typed and optional lines do not count', async () => {
    const item = await aBox();
    const contract = await anAgreement(item.id, 41);
    const quoteId = await aSentQuote([
      { itemId: item.id, qty: 10 },
      { itemId: item.id, qty: 10, unitPrice: 39 },
      { itemId: item.id, qty: 10, discountPct: 10 },
      { itemId: item.id, qty: 10, optional: true },
    ]);
    await server.ok(
      Contract.SavePrice,
      { id: 0, lineId: contract.lineId, tierId: contract.tierId, price: 43, from: '2026-10-20', to: '' },
      { as: rights() },
    );
    await server.drain();
    const { lines, difference } = await riskOf(quoteId);
    expect(
      lines.map(({ kind, quoted, price, counts, typed, difference: by }) => [kind, quoted, price, counts, typed, by]),
    ).toEqual([
      ['Price', 41, 43, true, false, 20],
      ['Price', 41, 43, false, true, 0],
      ['Price', 36.9, 38.7, true, false, 18],
      ['Price', 41, 43, false, false, 0],
    ]);
    expect(difference).toBe(38);
  });

  test('Eligibility: the facility is excluded', async () => {
    const { contract, quoteId } = await aQuoteOfTen();
    await server.db
      .updateTable('contract_roster')
      .set({ excluded: true })
      .where('contract_id', '=', contract.id)
      .execute();
    await server.drain();
    expect(await riskOf(quoteId)).toMatchObject({ difference: 190, lines: [{ kind: 'Eligibility', price: 60 }] });
  });

  test('Rejected: the letter is revoked, and the fallback counts', async () => {
    const item = await aBox();
    const contract = await anAgreement(item.id, 45, { facilityIds: [] });
    const third = await aTier(server.db, {
      contractId: contract.id,
      no: 3,
      needsLoc: true,
      fallbackId: contract.tierId,
    });
    await aContractPrice(server.db, { lineId: contract.lineId, tierId: third.id, price: 38.5 });
    await aRosterRow(server.db, { contractId: contract.id, facilityId, tierId: third.id });
    const letter = await aLetter(server.db, { contractId: contract.id, tierId: third.id, facilityId });
    await server.db
      .updateTable('contract_loc')
      .set({ signer: 'Pat Signer', signed_on: '2026-01-05' })
      .where('id', '=', letter.id)
      .execute();
    const quoteId = await aSentQuote([{ itemId: item.id, qty: 100 }]);
    const result = await server.ok(
      Letters.GetLocs,
      { contractId: contract.id, page: 1, pageSize: 20 },
      { as: rights() },
    );
    const stored = result.records.find(({ id }) => id === letter.id);
    if (!stored) throw new Error('the letter is there');
    await server.ok(
      Letters.SaveLoc,
      {
        id: letter.id,
        version: stored.version,
        contractId: contract.id,
        facilityId,
        tierId: third.id,
        state: 'Revoked',
        from: stored.from,
        to: '',
        signer: 'Pat Signer',
        signedOn: '2026-01-05',
        coversChildren: false,
        note: 'Volume missed',
      },
      { as: rights() },
    );
    await server.drain();
    expect(await riskOf(quoteId)).toMatchObject({
      difference: 650,
      lines: [{ kind: 'Rejected', quoted: 38.5, price: 45 }],
    });
  });

  test('Better: the facility gets a contract with a price below its account price, once one of two GPOs is chosen', async () => {
    const item = await aBox();
    await anAccountPrice(server.db, { facilityId, itemId: item.id, price: 50, unit: 'BX' });
    const quoteId = await aSentQuote([{ itemId: item.id, qty: 10 }]);
    const gpo = await aGpo(server.db);
    await aContract(server.db, {
      gpoId: gpo.id,
      facilityIds: [facilityId],
      lines: [{ itemId: item.id, price: 44, unit: 'BX' }],
    });
    await server.drain();
    const better = { difference: -60, lines: [{ kind: 'Better', quoted: 50, price: 44 }] };
    expect(await riskOf(quoteId)).toMatchObject(better);
    const other = await aGpo(server.db);
    const second = await aContract(server.db, { gpoId: other.id, state: 'Draft', facilityIds: [facilityId] });
    await server.drain();
    expect(await riskOf(quoteId)).toMatchObject(better);
    // A contract without these items removes the price, because its roster is also a membership.
    await server.db.updateTable('gpo_contract').set({ state: 'Active' }).where('id', '=', second.id).execute();
    await server.drain();
    expect((await riskOf(quoteId)).lines).toEqual([]);
    await aMembership(server.db, { facilityId, gpoId: gpo.id });
    await server.drain();
    expect(await riskOf(quoteId)).toMatchObject(better);
  });

  test('Ends: a list price that ends tomorrow, on the day on which the quote is made', async () => {
    const item = await anItem(server.db, { units: { EA: 1, BX: 10 }, prices: [] });
    const row = { item_id: item.id, unit: 'BX', min_qty: 1, currn_idx: 1007 };
    await server.db
      .insertInto('item_price')
      .values([
        { ...row, price: 60, valid_from: '2026-01-01', valid_to: '2026-10-21' },
        { ...row, price: 66, valid_from: '2026-10-22', valid_to: null },
      ])
      .execute();
    await server.drain();
    const quoteId = await aSentQuote([{ itemId: item.id, qty: 10 }]);
    await server.drain();
    expect((await riskOf(quoteId)).lines).toEqual([]);
    // Edits are processed once they are a few minutes old.
    server.setNow('2026-10-20T15:06:00Z');
    await server.drain();
    expect(await riskOf(quoteId)).toMatchObject({
      day: '2026-10-22',
      difference: 60,
      lines: [{ kind: 'Price', quoted: 60, price: 66 }],
    });
    server.setNow('2026-10-20T15:00:00Z');
  });

  test('Ends: the contract is terminated; then no price at all', async () => {
    const { item, contract, quoteId } = await aQuoteOfTen();
    await server.db
      .updateTable('gpo_contract')
      .set({ state: 'Terminated', terminated_on: '2026-10-31' })
      .where('id', '=', contract.id)
      .execute();
    await server.drain();
    expect(await riskOf(quoteId)).toMatchObject({ day: '2026-11-01', difference: 190, lines: [{ kind: 'Ends' }] });
    await server.db.updateTable('item_price').set({ valid_to: '2026-10-31' }).where('item_id', '=', item.id).execute();
    await server.drain();
    const { lines, difference } = await riskOf(quoteId);
    expect(difference).toBe(0);
    expect(lines).toMatchObject([{ kind: 'Ends', price: null, now: expect.stringContaining('There is no price') }]);
  });

  test('Ends: a promotion ends', async () => {
    const item = await aBox();
    const promotion = await aPromotion(server.db, { itemId: item.id, type: 'DiscountPct', amount: 10 });
    const quoteId = await aSentQuote([{ itemId: item.id, qty: 10 }]);
    await server.db
      .updateTable('quote_item')
      .set({ promotion_id: promotion.id, price_source: 'Promotion', unit_price: 54, system_price: 54 })
      .where('quote_id', '=', quoteId)
      .execute();
    await server.db.updateTable('promotion').set({ valid_to: '2026-10-30' }).where('id', '=', promotion.id).execute();
    await server.drain();
    expect(await riskOf(quoteId)).toMatchObject({
      day: '2026-10-31',
      lines: [{ kind: 'Ends', quoted: 54, price: 60, difference: 60 }],
    });
  });

  test('a list price that changes only for another facility affects nobody else', async () => {
    const item = await aBox();
    const quoteId = await aSentQuote([{ itemId: item.id, qty: 10 }]);
    const other = await aFacility(server.db);
    await anAccountPrice(server.db, { facilityId: other.id, itemId: item.id, price: 1, unit: 'BX' });
    await server.drain();
    expect((await riskOf(quoteId)).lines).toEqual([]);
  });

  test('Rebill: a place on the roster from before the quote was won', async () => {
    const { contract, quoteId } = await aQuoteOfTen(office.inside, []);
    await server.ok(
      QuoteWorkflow.PerformWorkflowAction,
      { quoteId, action: 'MarkWon', version: await versionOf(quoteId), poNumber: 'PO 1' },
      { as: office.inside },
    );
    server.setNow('2026-10-24T15:00:00Z');
    const row = await aRosterRow(server.db, {
      contractId: contract.id,
      facilityId,
      tierId: contract.tierId,
      from: '2026-10-21',
    });
    await server.drain();
    expect((await riskOf(quoteId)).lines).toEqual([]);
    await server.db.updateTable('contract_roster').set({ valid_from: '2026-10-20' }).where('id', '=', row.id).execute();
    await server.drain();
    expect(await riskOf(quoteId)).toMatchObject({
      day: '2026-10-20',
      difference: -190,
      settle: '',
      lines: [{ kind: 'Rebill', quoted: 60, price: 41 }],
    });
    // The nightly job keeps it on the list. It is removed when the user marks it as credited.
    await dailyRisksJob.run(server.services);
    expect((await search({ kind: 'Rebill' })).total).toBe(1);
    expect(
      (await server.call(QuoteRisks.SettleRebill, { quoteId, note: 'Credit 17' }, { as: office.rep })).status,
    ).toBe(403);
    await server.ok(QuoteRisks.SettleRebill, { quoteId, note: 'Credit 17' }, { as: rights() });
    expect((await search({ kind: 'Rebill' })).total).toBe(0);
    expect((await server.call(QuoteRisks.SettleRebill, { quoteId, note: 'Again' }, { as: rights() })).status).toBe(409);
    await server.db
      .updateTable('contract_roster')
      .set({ member_id: 'x', covers_children: true })
      .where('id', '=', row.id)
      .execute();
    await server.drain();
    expect((await search({ kind: 'Rebill' })).total).toBe(0);
    server.setNow('2026-10-20T15:00:00Z');
  });
});

describe('a risk disappears', () => {
  test('when the price comes back, when the quote is repriced, and when it is closed', async () => {
    const item = await aBox();
    const contract = await anAgreement(item.id, 41);
    const [first, second, third] = [
      await aSentQuote([{ itemId: item.id, qty: 10 }]),
      await aSentQuote([{ itemId: item.id, qty: 10 }]),
      await aSentQuote([{ itemId: item.id, qty: 10 }]),
    ];
    await setPrice(contract.lineId, 43);
    await server.drain();
    expect(
      (await search({ contractId: contract.id })).records.map(({ quoteId }) => quoteId).toSorted((a, b) => a - b),
    ).toEqual([first, second, third]);

    await server.ok(
      QuoteWorkflow.PerformWorkflowAction,
      { quoteId: second, action: 'Revise', version: await versionOf(second) },
      { as: office.inside },
    );
    await server.drain();
    expect((await riskOf(second)).lines).toHaveLength(1);
    await server.ok(
      QuoteEdit.RepriceQuote,
      { quoteId: second, version: await versionOf(second) },
      { as: office.inside },
    );
    await server.drain();
    expect((await riskOf(second)).lines).toEqual([]);

    await server.ok(
      QuoteWorkflow.PerformWorkflowAction,
      { quoteId: third, action: 'MarkLost', version: await versionOf(third), reasonCode: 'price' },
      { as: office.inside },
    );
    expect((await search({ contractId: contract.id })).records.map(({ quoteId }) => quoteId)).toEqual([first]);
    await setPrice(contract.lineId, 41);
    await server.drain();
    // Now only the repriced quote differs.
    expect((await search({ contractId: contract.id })).records).toMatchObject([{ quoteId: second, difference: -20 }]);
  });

  test('when the quote has expired: nobody can accept it', async () => {
    const { contract, quoteId } = await aQuoteOfTen();
    await setPrice(contract.lineId, 43);
    await server.drain();
    expect((await riskOf(quoteId)).lines).toHaveLength(1);
    server.setNow('2027-03-01T15:00:00Z');
    await dailyRisksJob.run(server.services);
    expect((await riskOf(quoteId)).lines).toEqual([]);
    server.setNow('2026-10-20T15:00:00Z');
  });
});

describe('who sees what', () => {
  test('a rep sees the risks of their own quotes, and cannot guess others', async () => {
    const { item, contract, quoteId: own } = await aQuoteOfTen(office.rep);
    const other = await aFacility(server.db);
    await aRosterRow(server.db, { contractId: contract.id, facilityId: other.id, tierId: contract.tierId });
    const stranger = await aUser(server.db, { roles: ['salesrep'] });
    const theirs = await aSentQuote([{ itemId: item.id, qty: 20 }], stranger, other.id);
    await setPrice(contract.lineId, 43);
    await server.drain();

    const seen = await search({}, stranger);
    expect(seen.records.map(({ quoteId }) => quoteId)).toEqual([theirs]);
    expect(seen.totals).toMatchObject([{ kind: 'Price', quotes: 1, dearer: 40 }]);
    expect((await server.call(QuoteRisks.GetQuoteRisk, { quoteId: own }, { as: stranger })).status).toBe(404);
    expect((await server.call(QuoteRisks.SearchRisks, { contractId: contract.id }, { as: stranger })).status).toBe(404);
    expect((await search({ mine: true }, office.rep)).records.map(({ quoteId }) => quoteId)).toContain(own);
    expect((await search({ mine: true }, office.support)).records.map(({ quoteId }) => quoteId)).toContain(own);
    expect((await search({ mine: true }, office.manager)).total).toBe(0);
    expect((await search({ contractId: contract.id }, rights())).total).toBe(2);
    expect(
      (await search({ keyword: other.name, contractId: contract.id }, rights())).records.map(({ quoteId }) => quoteId),
    ).toEqual([theirs]);
  });

  test('an account without the GPO Contracts tab sees nothing', async () => {
    const hidden = await aUser(server.db, { roles: ['insiderep'] });
    await server.db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', hidden.id).execute();
    for (const [call, input] of [
      [QuoteRisks.SearchRisks, { mine: true }],
      [QuoteRisks.GetQuoteRisk, { quoteId: 1 }],
    ] as const)
      expect((await server.call(call, input, { as: hidden })).status).toBe(403);
  });
});

describe('repricing', () => {
  test('a sent quote says why not; its revision takes the new price once, whoever is second', async () => {
    const { contract, quoteId } = await aQuoteOfTen(office.rep);
    await setPrice(contract.lineId, 43);
    await server.drain();
    expect((await riskOf(quoteId, office.rep)).reprice).toContain('Revise it to change it.');
    const version = await versionOf(quoteId);
    await server.ok(QuoteWorkflow.PerformWorkflowAction, { quoteId, version, action: 'Revise' }, { as: office.inside });
    await server.drain();
    const risk = await riskOf(quoteId);
    expect(risk).toMatchObject({ reprice: '', lines: [{ quoted: 41, price: 43 }] });
    const input = { quoteId, version: risk.version };
    expect((await server.ok(QuoteEdit.RepriceQuote, input, { as: office.inside })).items[0]?.unitPrice).toBe(43);
    expect((await server.call(QuoteEdit.RepriceQuote, input, { as: office.rep })).status).toBe(409);
    await server.drain();
    expect((await riskOf(quoteId)).lines).toEqual([]);
  });

  test('a person who may not edit the quote reads why', async () => {
    const { contract, quoteId } = await aQuoteOfTen(office.rep);
    await setPrice(contract.lineId, 44);
    await server.drain();
    expect((await riskOf(quoteId, office.contracts)).reprice).not.toBe('');
  });
});
