// Tests deciding requests over HTTP: what approving writes, who may, what each decision means in money, who sees which, and lapsing.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import {
  aContract,
  aContractPrice,
  aGpo,
  aLetter,
  aMembership,
  aRosterRow,
  aTier,
} from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { Eligibility } from './eligibility.contract.ts';
import { lapseRequests } from './lapse-requests.server.ts';

type User = { id: number };
let server: TestServer;
let desk: User;
beforeAll(async () => {
  server = await startTestServer();
  desk = await aUser(server.db, { roles: ['contractdept'] });
});
beforeEach(() => server.setNow('2026-10-02T15:00:00Z'));
afterAll(() => server.close());

/** Worked example 2: 100 boxes, tier 3 at 38.50 with a required letter of commitment, tier 2 at 41.00. The facility is in tier 1 at 45.00. */
async function aRequest({ member = true, listed = true } = {}) {
  const { db } = server;
  const office = await aSalesOffice(db);
  const gpo = await aGpo(db);
  if (member) await aMembership(db, { facilityId: office.facility.id, gpoId: gpo.id });
  const item = await anItem(db, { units: { EA: 1, BX: 10 }, prices: [{ unit: 'BX', price: 60 }] });
  const contract = await aContract(db, { gpoId: gpo.id, lines: [{ itemId: item.id, price: 45, unit: 'BX' }] });
  const second = await aTier(db, { contractId: contract.id, no: 2 });
  const third = await aTier(db, {
    contractId: contract.id,
    no: 3,
    needsLoc: true,
    fallbackId: contract.tierId,
    provisional: true,
  });
  const lineId = contract.lineIds[0] ?? 0;
  await aContractPrice(db, { lineId, tierId: second.id, price: 41 });
  await aContractPrice(db, { lineId, tierId: third.id, price: 38.5 });
  const place = { contractId: contract.id, facilityId: office.facility.id };
  if (listed) await aRosterRow(db, { ...place, tierId: contract.tierId });
  const quote = await aQuoteOf({ office, item }, office.rep);
  // Without a membership the representative does not see the contract, so a contract keeper makes the request instead.
  const request = await server.ok(
    Eligibility.Request,
    { ...quote, contractId: contract.id, tierId: third.id, wantedFrom: '2026-10-15', note: 'Please' },
    { as: member || listed ? office.rep : office.cs },
  );
  return { office, gpo, item, contract, second, third, place, id: request.id, quoteId: quote.quoteId };
}
type Given = Awaited<ReturnType<typeof aRequest>>;

async function aQuoteOf(
  { office, item }: { office: { facility: { id: number } }; item: { id: number } },
  as: User,
): Promise<{ quoteId: number; version: number; lineIds: number[] }> {
  const { quote, items } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id }, items: [{ itemId: item.id, qty: 100, unit: 'BX' }] },
    { as },
  );
  return { quoteId: quote.id, version: quote.version, lineIds: items.map(({ id }) => id) };
}
const get = (id: number, as: User = desk) => server.ok(Eligibility.Get, { id }, { as });
const take = async (id: number, action: string, more: object = {}, as: User = desk) => {
  const { version } = await server.db
    .selectFrom('eligibility_request')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return server.call(Eligibility.Decide, { id, action, version, ...more }, { as });
};
const signed = { signer: 'Dr. Ruth Avery', signedOn: '2026-10-01' };
const rosterOf = ({ place }: Given) =>
  server.db
    .selectFrom('contract_roster')
    .select(['tier_id', 'valid_from', 'valid_to'])
    .where('contract_id', '=', place.contractId)
    .where('facility_id', '=', place.facilityId)
    .orderBy('valid_from')
    .execute();
const lettersOf = ({ place }: Given) =>
  server.db
    .selectFrom('contract_loc')
    .select(['tier_id', 'state', 'valid_from', 'valid_to', 'signer'])
    .where('contract_id', '=', place.contractId)
    .where('facility_id', '=', place.facilityId)
    .orderBy('id')
    .execute();
const board = (quoteId: number, as: User) =>
  server.ok(QuoteEdit.PopulateQuoteEditDataForInternalRep, { id: quoteId }, { as });

describe('approving', () => {
  test('writes the row of the roster and the letter, and the price becomes firm on its day', async () => {
    const setup = await aRequest();
    const { office } = setup;
    expect((await board(setup.quoteId, office.cs)).quote).toMatchObject({ totalAmount: 3850, fallbackTotal: 4500 });
    await take(setup.id, 'StartReview');
    const approved = await take(setup.id, 'Approve', signed);
    expect(approved.body).toMatchObject({
      state: 'Approved',
      decided: { tierId: setup.third.id, firmFrom: '2026-10-15' },
      waitsFor: '',
    });
    expect(await rosterOf(setup)).toEqual([
      { tier_id: setup.contract.tierId, valid_from: '2020-01-01', valid_to: '2026-10-14' },
      { tier_id: setup.third.id, valid_from: '2026-10-15', valid_to: null },
    ]);
    expect(await lettersOf(setup)).toEqual([
      {
        tier_id: setup.third.id,
        state: 'Approved',
        valid_from: '2026-10-15',
        valid_to: null,
        signer: 'Dr. Ruth Avery',
      },
    ]);
    const now = await board(setup.quoteId, office.cs);
    expect(now.quote).toMatchObject({ totalAmount: 3850, fallbackTotal: 4500 });
    expect(now.events[0]).toMatchObject({ action: 'EligibilityStep' });
    expect(now.events[0]?.comment).toContain('is approved from 10/15/2026.');
    // The quote gets no new version.
    expect(now.quote.version).toBe(2);
  });

  test('makes prices firm at once when the day has come; a day in the past needs a reason', async () => {
    const setup = await aRequest();
    await take(setup.id, 'StartReview');
    const early = { ...signed, firmFrom: '2026-10-01' };
    expect((await take(setup.id, 'Approve', early)).body).toMatchObject({ errors: [{ path: 'reason' }] });
    expect((await take(setup.id, 'Approve', { ...early, reason: 'They signed then.' })).status).toBe(200);
    const { quote, items } = await board(setup.quoteId, setup.office.cs);
    expect(quote).toMatchObject({ totalAmount: 3850, fallbackTotal: null });
    expect(items[0]).toMatchObject({ unitPrice: 38.5, fallback: null });
  });

  test('completes a pending letter, and asks who signed it when that is unknown', async () => {
    const setup = await aRequest();
    await take(setup.id, 'StartReview');
    expect((await take(setup.id, 'Approve')).body).toMatchObject({
      errors: [{ path: 'signer' }, { path: 'signedOn' }],
    });
    const sent = await aLetter(server.db, { ...setup.place, tierId: setup.third.id, state: 'Sent' });
    expect((await take(setup.id, 'Approve', signed)).status).toBe(200);
    expect(await lettersOf(setup)).toHaveLength(1);
    const { state } = await server.db
      .selectFrom('contract_loc')
      .select('state')
      .where('id', '=', sent.id)
      .executeTakeFirstOrThrow();
    expect(state).toBe('Approved');
  });

  test('writes nothing at all when one part cannot be written', async () => {
    const setup = await aRequest();
    await take(setup.id, 'StartReview');
    const roster = await rosterOf(setup);
    // The letter is refused after the transaction has written the roster row.
    const { status } = await take(setup.id, 'Approve', { ...signed, signedOn: '2026-12-01' });
    expect(status).toBe(422);
    expect(await rosterOf(setup)).toEqual(roster);
    expect(await lettersOf(setup)).toEqual([]);
    expect((await get(setup.id)).request.state).toBe('InReview');
    await aRosterRow(server.db, { ...setup.place, tierId: setup.second.id, from: '2026-11-01' });
    await server.db
      .updateTable('contract_roster')
      .set({ valid_to: '2026-10-31' })
      .where('tier_id', '=', setup.contract.tierId)
      .execute();
    const overlaps = await take(setup.id, 'Approve', signed);
    expect(overlaps.body).toMatchObject({ errors: [{ path: 'to' }] });
    expect((await take(setup.id, 'Approve', { ...signed, to: '2026-10-31' })).status).toBe(200);
  });

  test('of another tier leaves the provisional price to be revised', async () => {
    const setup = await aRequest();
    await take(setup.id, 'StartReview');
    const approved = await take(setup.id, 'Approve', {
      tierId: setup.second.id,
      firmFrom: '2026-10-02',
    });
    expect(approved.body).toMatchObject({ decided: { tierNo: 2 } });
    expect(await lettersOf(setup)).toEqual([]);
    const { provisional } = await board(setup.quoteId, setup.office.cs);
    expect(provisional).toMatchObject({ standing: 'Changed' });
    const ofQuote = { quoteId: setup.quoteId };
    expect(await server.ok(Eligibility.OfQuote, ofQuote, { as: setup.office.rep })).toMatchObject([
      { state: 'Approved', leftOver: true },
    ]);
  });

  test('is refused while another GPO is primary, and for an excluded facility', async () => {
    const setup = await aRequest({ member: false });
    const other = await aGpo(server.db);
    const declared = await aMembership(server.db, { facilityId: setup.place.facilityId, gpoId: other.id });
    await take(setup.id, 'StartReview');
    const refused = await take(setup.id, 'Approve', signed);
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain(`no primary membership in ${setup.gpo.name} on 10/15/2026`);
    await server.db.deleteFrom('gpo_membership').where('id', '=', declared.id).execute();
    await server.db
      .updateTable('contract_roster')
      .set({ excluded: true, tier_id: null })
      .where('contract_id', '=', setup.place.contractId)
      .execute();
    expect((await take(setup.id, 'Approve', signed)).body).toMatchObject({ errors: [{ path: 'firmFrom' }] });
  });

  test('by two people at once lets one decide; the other gets the current request', async () => {
    const setup = await aRequest();
    await take(setup.id, 'StartReview');
    const other = await aUser(server.db, { roles: ['systemadmin'] });
    const { version } = (await get(setup.id)).request;
    const answers = await Promise.all([
      server.call(Eligibility.Decide, { id: setup.id, action: 'Approve', version, ...signed }, { as: desk }),
      server.call(Eligibility.Decide, { id: setup.id, action: 'Reject', version, reason: 'No' }, { as: other }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { state } = (await get(setup.id)).request;
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ conflict: { current: { state } } });
    expect(await lettersOf(setup)).toHaveLength(state === 'Approved' ? 1 : 0);
  });
});

describe('a step', () => {
  test('asks for words, tells the quotes, and emails those who wait without a price', async () => {
    const setup = await aRequest();
    const { rep } = setup.office;
    await take(setup.id, 'StartReview');
    expect((await take(setup.id, 'AskInfo')).body).toMatchObject({ errors: [{ path: 'reason' }] });
    await server.drain();
    server.mails.length = 0;
    expect((await take(setup.id, 'AskInfo', { reason: 'Which beds?' })).body).toMatchObject({ state: 'NeedInfo' });
    await server.drain();
    expect(server.mails.map(({ to }) => to)).toEqual([[setup.office.rep.userName]]);
    expect(server.mails[0]?.subject).toContain('eligibility request needs information');
    expect(server.mails[0]?.text).toContain('Which beds?');
    const texts = server.mails.map(({ subject, text }) => `${subject}\n${text}`).join('\n');
    expect(texts).not.toMatch(/38\.5|3,850|3850\./);
    expect((await take(setup.id, 'ProvideInfo', { reason: 'All' })).status).toBe(403);
    expect((await take(setup.id, 'ProvideInfo', { reason: 'All of them' }, rep)).body).toMatchObject({
      state: 'InReview',
    });
    expect((await take(setup.id, 'SendToGpo')).body).toMatchObject({ state: 'SentToGpo' });
    expect((await take(setup.id, 'Reject', { reason: 'They declined.' })).body).toMatchObject({
      state: 'Rejected',
      reason: 'They declined.',
    });
    const detail = await get(setup.id, rep);
    expect(detail.history.map(({ words }) => words)).toEqual([
      'rejected the eligibility request',
      'sent the eligibility request to the GPO',
      'provided the information for the eligibility request',
      'requested information on the eligibility request',
      'started to review the eligibility request',
      'added the eligibility request',
    ]);
    expect(detail.allowedActions).toEqual([]);
    expect(await server.ok(Eligibility.OfQuote, { quoteId: setup.quoteId }, { as: rep })).toMatchObject([
      { state: 'Rejected', reason: 'They declined.', leftOver: true },
    ]);
    expect((await take(setup.id, 'Approve', signed)).status).toBe(409);
  });

  test('that decides is refused to people who asked or joined, and to outsiders', async () => {
    const setup = await aRequest();
    const both = await aUser(server.db, { roles: ['contractdept', 'insiderep'] });
    await server.ok(
      Eligibility.Request,
      {
        ...(await aQuoteOf(setup, both)),
        contractId: setup.contract.id,
        tierId: setup.third.id,
        wantedFrom: '2026-10-15',
      },
      { as: both },
    );
    for (const as of [both, setup.office.rep, setup.office.cs, setup.office.salesAdmin])
      expect((await take(setup.id, 'StartReview', {}, as)).status).toBe(403);
    expect((await take(setup.id, 'Withdraw', {}, setup.office.cs)).status).toBe(403);
    expect((await take(setup.id, 'Withdraw', {}, setup.office.rep)).body).toMatchObject({ state: 'Withdrawn' });
  });

  test('with an older version is refused with the current request', async () => {
    const setup = await aRequest();
    await take(setup.id, 'StartReview');
    const stale = await take(setup.id, 'SendToGpo', { version: 1 });
    expect(stale.status).toBe(409);
    expect(stale.body).toMatchObject({ conflict: { current: { state: 'InReview' } } });
  });

  test('revokes an approval: its row and its letter end, but earlier ones do not', async () => {
    const setup = await aRequest();
    await take(setup.id, 'StartReview');
    await take(setup.id, 'Approve', { ...signed, firmFrom: '2026-10-02' });
    server.setNow('2026-11-20T15:00:00Z');
    expect((await take(setup.id, 'Revoke', { to: '2026-11-30' })).body).toMatchObject({ errors: [{ path: 'reason' }] });
    const early = await take(setup.id, 'Revoke', { to: '2026-09-30', reason: 'Not reached' });
    expect(early.body).toMatchObject({ errors: [{ path: 'to' }] });
    const revoked = await take(setup.id, 'Revoke', { to: '2026-11-30', reason: 'Not reached' });
    expect(revoked.body).toMatchObject({ state: 'Revoked', decided: { firmFrom: '2026-10-02' } });
    expect((await rosterOf(setup)).map(({ valid_to }) => valid_to)).toEqual(['2026-10-01', '2026-11-30']);
    expect(await lettersOf(setup)).toMatchObject([{ state: 'Approved', valid_to: '2026-11-30' }]);
  });
});

describe('what a decision means', () => {
  test('is shown in money, for the waiting quotes and the other open ones', async () => {
    const setup = await aRequest();
    const { rep, cs } = setup.office;
    const other = await aQuoteOf(setup, rep);
    const detail = await get(setup.id);
    expect(detail).toMatchObject({
      place: `${setup.office.facility.name} is in Tier 1 from 01/01/2020.`,
      needsMembershipIn: '',
      letter: null,
      moreQuotes: 0,
      quotes: [
        { id: setup.quoteId, joined: true, total: 3850, refused: 4500 },
        { id: other.quoteId, joined: false, total: 4500, refused: 4500 },
      ],
    });
    expect(detail.quotes[0]?.tiers).toEqual([
      { tierId: setup.contract.tierId, total: 4500, less: 0 },
      { tierId: setup.second.id, total: 4100, less: 400 },
      { tierId: setup.third.id, total: 3850, less: 650 },
    ]);
    expect(detail.allowedActions.map(({ action }) => action)).toEqual(['StartReview', 'Withdraw']);
    expect((await get(setup.id, cs)).allowedActions).toEqual([]);
  });

  test('is shown for a worse tier as more, also with a typed discount', async () => {
    const setup = await aRequest();
    await server.db
      .updateTable('contract_roster')
      .set({ tier_id: setup.second.id })
      .where('contract_id', '=', setup.contract.id)
      .execute();
    const { quoteId } = await aQuoteOf(setup, setup.office.cs);
    const created = await server.ok(
      QuoteEdit.PopulateQuoteEditDataForInternalRep,
      { id: quoteId },
      { as: setup.office.cs },
    );
    const [line] = created.items;
    await server.ok(
      QuoteEdit.SaveQuoteItem,
      { quoteId, id: line?.id ?? 0, version: line?.version, discountPct: 10, priceReason: 'Agreed' },
      { as: setup.office.cs },
    );
    const meaning = (await get(setup.id)).quotes.find(({ id }) => id === quoteId);
    expect(meaning).toMatchObject({ total: 3690, refused: 3690 });
    expect(meaning?.tiers).toEqual([
      { tierId: setup.contract.tierId, total: 4050, less: -360 },
      { tierId: setup.second.id, total: 3690, less: 0 },
      { tierId: setup.third.id, total: 3465, less: 225 },
    ]);
    // The figure equals the total after approving.
    await take(setup.id, 'StartReview');
    await take(setup.id, 'Approve', {
      ...signed,
      tierId: setup.contract.tierId,
      firmFrom: '2026-10-01',
      reason: 'Base tier',
    });
    const { quote } = await server.ok(
      QuoteEdit.PopulateQuoteEditDataForInternalRep,
      { id: quoteId },
      { as: setup.office.cs },
    );
    const repriced = await server.ok(
      QuoteEdit.RepriceQuote,
      { quoteId, version: quote.version },
      { as: setup.office.cs },
    );
    expect(repriced.quote.totalAmount).toBe(4050);
  });

  test('shows a representative neither others’ quotes nor the prices of a contract they do not see', async () => {
    const setup = await aRequest({ listed: false });
    const inside = await aUser(server.db, { roles: ['insiderep'] });
    await aQuoteOf(setup, inside);
    const { rep } = setup.office;
    await server.db
      .updateTable('quote')
      .set({ sales_rep_id: null, owner_id: inside.id })
      .where('owner_id', '=', inside.id)
      .execute();
    const detail = await get(setup.id, rep);
    expect(detail.quotes).toMatchObject([{ id: setup.quoteId, tiers: [], total: 3850, refused: 6000 }]);
    expect(JSON.stringify(detail)).not.toContain('4100');
    expect((await get(setup.id)).quotes).toHaveLength(2);
  });
});

describe('a request', () => {
  test('is visible to its people and the desk; guessed ids answer 404', async () => {
    const setup = await aRequest();
    const strangers = await aSalesOffice(server.db);
    const { office } = setup;
    for (const as of [office.rep, office.support, office.manager, office.cs, office.contracts, desk])
      expect((await server.call(Eligibility.Get, { id: setup.id }, { as })).status).toBe(200);
    for (const as of [strangers.rep, strangers.support, strangers.manager]) {
      const answer = await server.call(Eligibility.Get, { id: setup.id }, { as });
      expect([answer.status, (await server.call(Eligibility.Get, { id: 1_999_999 }, { as })).status]).toEqual([
        404, 404,
      ]);
      expect((await take(setup.id, 'Withdraw', {}, as)).status).toBe(404);
      expect((await server.ok(Eligibility.SearchRequests, { facilityId: office.facility.id }, { as })).total).toBe(0);
    }
  });

  test('is found by state, age, facility, contract, words and whose it is', async () => {
    const setup = await aRequest();
    const { office, contract } = setup;
    const ids = async (criteria: object, as: User = desk) =>
      (await server.ok(Eligibility.SearchRequests, { contractId: contract.id, ...criteria }, { as })).records.map(
        ({ id }) => id,
      );
    expect(await ids({})).toEqual([setup.id]);
    expect(await ids({ state: 'Waiting' })).toEqual([setup.id]);
    expect(await ids({ state: 'Approved' })).toEqual([]);
    expect(await ids({ keyword: contract.number })).toEqual([setup.id]);
    expect(await ids({ keyword: 'nothing like it' })).toEqual([]);
    expect(await ids({ facilityId: office.facility.id })).toEqual([setup.id]);
    expect(await ids({ mine: true }, office.rep)).toEqual([setup.id]);
    expect(await ids({ mine: true })).toEqual([]);
    expect(await ids({ age: 'Overdue' })).toEqual([]);
    server.setNow('2026-10-10T15:00:00Z');
    expect(await ids({ age: 'Overdue' })).toEqual([setup.id]);
    expect(await ids({ age: 'Over7' })).toEqual([setup.id]);
    const result = await server.ok(
      Eligibility.SearchRequests,
      { contractId: contract.id, state: 'Approved' },
      { as: desk },
    );
    expect(result).toMatchObject({ total: 0, overdue: 1, counts: [{ state: 'Requested', count: 1 }] });
    for (const field of ['facility', 'contract', 'wantedFrom', 'nothing'])
      expect(await ids({ sort: { field, dir: 'desc' } })).toEqual([setup.id]);
  });

  test('lapses when its contract has ended, or after 90 days without a step, once', async () => {
    const [ended, idle, fresh] = [await aRequest(), await aRequest(), await aRequest()];
    await server.db
      .updateTable('gpo_contract')
      .set({ effective_to: '2026-12-01' })
      .where('id', '=', ended.contract.id)
      .execute();
    server.setNow('2026-12-02T15:00:00Z');
    await take(fresh.id, 'StartReview');
    await lapseRequests(server.services);
    expect((await get(ended.id)).request).toMatchObject({
      state: 'Lapsed',
      reason: expect.stringContaining('has ended') as string,
    });
    expect((await get(idle.id)).request.state).toBe('Requested');
    server.setNow('2027-01-15T15:00:00Z');
    await lapseRequests(server.services);
    expect((await get(idle.id)).request.state).toBe('Lapsed');
    expect((await get(fresh.id)).request.state).toBe('InReview');
    expect(await lapseRequests(server.services)).toBe(0);
    expect((await board(idle.quoteId, idle.office.cs)).events[0]).toMatchObject({ action: 'EligibilityStep' });
  });

  test('stays with its facility when the quote gets another one', async () => {
    const setup = await aRequest();
    const other = await aFacility(server.db);
    const { quote } = await board(setup.quoteId, setup.office.cs);
    await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { id: quote.id, version: quote.version, facilityId: other.id } },
      { as: setup.office.cs },
    );
    expect((await board(setup.quoteId, setup.office.cs)).quote).toMatchObject({
      totalAmount: 6000,
      fallbackTotal: null,
    });
    expect((await get(setup.id)).request.facility.id).toBe(setup.office.facility.id);
  });
});
