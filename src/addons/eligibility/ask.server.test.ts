// Tests over HTTP which tiers a quote can request, and requesting: who, for what, in which state of the quote, and two users at once.
import { sql } from 'kysely';
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

type User = { id: number };
let server: TestServer;
let cs: User;
beforeAll(async () => {
  server = await startTestServer();
  cs = await aUser(server.db, { roles: ['csrep'] });
});
beforeEach(() => server.setNow('2026-10-02T15:00:00Z'));
afterAll(() => server.close());

/** A GPO contract whose roster does not include the facility: tier 1 at 45.00, tier 3 at 38.50, which allows provisional prices. List price 60.00. */
async function aCase({ listed = false, provisional = true, needsLoc = false, member = true } = {}) {
  const { db } = server;
  const office = await aSalesOffice(db);
  const gpo = await aGpo(db);
  if (member) await aMembership(db, { facilityId: office.facility.id, gpoId: gpo.id });
  const item = await anItem(db, { units: { EA: 1, BX: 10 }, prices: [{ unit: 'BX', price: 60 }] });
  const contract = await aContract(db, { gpoId: gpo.id, lines: [{ itemId: item.id, price: 45, unit: 'BX' }] });
  const third = await aTier(db, {
    contractId: contract.id,
    no: 3,
    needsLoc,
    fallbackId: contract.tierId,
    provisional,
  });
  await aContractPrice(db, { lineId: contract.lineIds[0] ?? 0, tierId: third.id, price: 38.5 });
  if (listed)
    await aRosterRow(db, { contractId: contract.id, facilityId: office.facility.id, tierId: contract.tierId });
  return { office, gpo, item, contract, third };
}
type Case = Awaited<ReturnType<typeof aCase>>;

async function aQuoteOf({ office, item }: Case, as: User = office.rep) {
  const { quote, items } = await server.ok(
    QuoteEdit.SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id }, items: [{ itemId: item.id, qty: 100, unit: 'BX' }] },
    { as },
  );
  return { quoteId: quote.id, version: quote.version, lineIds: items.map(({ id }) => id) };
}
const inputOf = ({ contract, third }: Case, quote: Awaited<ReturnType<typeof aQuoteOf>>) => ({
  ...quote,
  contractId: contract.id,
  tierId: third.id,
  wantedFrom: '2026-10-15',
  note: 'They moved to us in September.',
});
const options = (quoteId: number, as: User) => server.ok(Eligibility.Options, { quoteId }, { as });

describe('what a quote could ask for', () => {
  test('is a place in a contract of the GPO, without its price for people who do not see the contract', async () => {
    const setup = await aCase();
    const { quoteId, lineIds } = await aQuoteOf(setup);
    const forRep = await options(quoteId, setup.office.rep);
    expect(forRep.options).toMatchObject([
      { kind: 'NotOnRoster', tier: { no: 1 }, lineIds, total: null, saving: null },
      {
        kind: 'NotOnRoster',
        tier: { no: 3, provisionalAllowed: true },
        lineIds,
        total: null,
        saving: null,
        open: null,
      },
    ]);
    expect(JSON.stringify(forRep)).not.toContain('38.5');
    expect((await options(quoteId, cs)).options).toMatchObject([
      { tier: { no: 3 }, total: 3850, saving: 2150 },
      { tier: { no: 1 }, total: 4500, saving: 1500 },
    ]);
  });

  test('is another tier, and the letter that the place lacks', async () => {
    const setup = await aCase({ listed: true, needsLoc: true });
    const { quoteId } = await aQuoteOf(setup);
    expect((await options(quoteId, setup.office.rep)).options).toMatchObject([
      { kind: 'OtherTier', tier: { no: 3 }, total: 3850, saving: 650 },
    ]);
    await server.db
      .updateTable('contract_roster')
      .set({ tier_id: setup.third.id })
      .where('contract_id', '=', setup.contract.id)
      .execute();
    expect((await options(quoteId, setup.office.rep)).options).toMatchObject([
      { kind: 'NeedsLetter', tier: { no: 3 } },
    ]);
    await aLetter(server.db, {
      contractId: setup.contract.id,
      tierId: setup.third.id,
      facilityId: setup.office.facility.id,
    });
    expect((await options(quoteId, setup.office.rep)).options).toEqual([]);
  });

  test('leaves out a contract that excludes the facility, and says so', async () => {
    const setup = await aCase();
    const { contract, office } = setup;
    await aRosterRow(server.db, { contractId: contract.id, facilityId: office.facility.id, tierId: null });
    const { quoteId } = await aQuoteOf(setup);
    expect(await options(quoteId, office.rep)).toMatchObject({ options: [], excluded: [{ number: contract.number }] });
  });

  test('says when another GPO is primary, and then gives no total', async () => {
    const setup = await aCase({ member: false });
    const { quoteId } = await aQuoteOf(setup);
    const totals = async () => (await options(quoteId, cs)).options.map(({ total }) => total);
    // A place on the roster is a membership.
    expect(await totals()).toEqual([3850, 4500]);
    const other = await aGpo(server.db);
    await aMembership(server.db, { facilityId: setup.office.facility.id, gpoId: other.id });
    expect((await options(quoteId, setup.office.rep)).options).toEqual([]);
    const forCs = (await options(quoteId, cs)).options;
    expect(forCs.map(({ needsMembershipIn, total }) => [needsMembershipIn, total])).toEqual([
      [setup.gpo.name, null],
      [setup.gpo.name, null],
    ]);
  });

  test('is refused for a quote out of sight, without the tab, and to people who write no quotes', async () => {
    const setup = await aCase();
    const { quoteId } = await aQuoteOf(setup);
    const { office } = setup;
    const stranger = await aUser(server.db);
    expect((await server.call(Eligibility.Options, { quoteId }, { as: stranger })).status).toBe(404);
    expect((await server.call(Eligibility.OfQuote, { quoteId }, { as: stranger })).status).toBe(404);
    expect((await server.call(Eligibility.Options, { quoteId }, { as: office.contracts })).status).toBe(403);
    await server.db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', office.rep.id).execute();
    for (const [call, input] of [
      [Eligibility.Options, { quoteId }],
      [Eligibility.OfQuote, { quoteId }],
      [Eligibility.SearchRequests, {}],
      [Eligibility.Get, { id: 1 }],
      [Eligibility.Decide, { id: 1, action: 'Submit', version: 1 }],
      [Eligibility.Request, inputOf(setup, { quoteId, version: 1, lineIds: [1] })],
    ] as const)
      expect((await server.call(call, input, { as: office.rep })).status).toBe(403);
  });
});

describe('asking', () => {
  test('makes a request, prices the lines provisionally and writes the history', async () => {
    const setup = await aCase();
    const quote = await aQuoteOf(setup);
    const request = await server.ok(Eligibility.Request, inputOf(setup, quote), { as: setup.office.rep });
    expect(request).toMatchObject({
      state: 'Requested',
      wasThere: false,
      repriced: true,
      quote: { version: quote.version + 1, totalAmount: 3850, fallbackTotal: 6000 },
    });
    const board = await server.ok(
      QuoteEdit.PopulateQuoteEditDataForSalesRep,
      { id: quote.quoteId },
      { as: setup.office.rep },
    );
    expect(board.items[0]).toMatchObject({ unitPrice: 38.5, fallback: { requestId: request.id, unitPrice: 60 } });
    expect(board.events[0]).toMatchObject({
      action: 'RequestEligibility',
      comment: `Tier 3 of contract ${setup.contract.number}`,
    });
    expect(await server.ok(Eligibility.OfQuote, { quoteId: quote.quoteId }, { as: setup.office.rep })).toMatchObject([
      { id: request.id, state: 'Requested', waitsFor: 'the contract department', leftOver: false },
    ]);
    expect((await options(quote.quoteId, setup.office.rep)).options.find(({ tier }) => tier.no === 3)).toMatchObject({
      open: { id: request.id, state: 'Requested', joined: true },
    });
  });

  test('a second quote joins the waiting request, even when both ask at the same moment', async () => {
    const setup = await aCase();
    const { rep, support } = setup.office;
    const quotes = [await aQuoteOf(setup), await aQuoteOf(setup), await aQuoteOf(setup)];
    const request = await Promise.all(
      quotes.map((quote, index) =>
        server.ok(Eligibility.Request, inputOf(setup, quote), { as: index === 1 ? support : rep }),
      ),
    );
    expect(new Set(request.map(({ id }) => id)).size).toBe(1);
    expect(request.filter(({ wasThere }) => !wasThere)).toHaveLength(1);
    const joined = await server.db
      .selectFrom('eligibility_request_quote')
      .select('quote_id')
      .where('request_id', '=', request[0]?.id ?? 0)
      .execute();
    expect(joined).toHaveLength(3);
    expect(request.map(({ quote }) => quote.totalAmount)).toEqual([3850, 3850, 3850]);
  });

  test('makes the facility a member, so that an open contract of the GPO prices lines too, before and after it is approved', async () => {
    const { db } = server;
    const setup = await aCase({ member: false });
    const { office, gpo, item, contract, third } = setup;
    const other = await anItem(db, { price: 7 });
    await db.insertInto('contract_line').values({ contract_id: contract.id, item_id: other.id, unit: 'EA' }).execute();
    const open = { gpoId: gpo.id, openTo: 'members' } as const;
    await aContract(db, { ...open, lines: [{ itemId: item.id, price: 30, unit: 'BX' }] });
    await aContract(db, { ...open, lines: [{ itemId: other.id, price: 6 }] });
    const lines = [
      { itemId: item.id, qty: 100, unit: 'BX' },
      { itemId: other.id, qty: 10 },
    ];
    const { quote, items } = await server.ok(
      QuoteEdit.SaveSalesRepQuote,
      { quote: { facilityId: office.facility.id }, items: lines },
      { as: cs },
    );
    expect(quote.totalAmount).toBe(6070);
    const ofContract = (await options(quote.id, cs)).options.filter((option) => option.contract.id === contract.id);
    expect(ofContract.map(({ total }) => total)).toEqual([3060, 3060]);
    const query = { quoteId: quote.id, version: quote.version, lineIds: items.slice(0, 1).map(({ id }) => id) };
    // The requested tier would not price the line, so nothing is provisional.
    const request = await server.ok(Eligibility.Request, inputOf(setup, query), { as: cs });
    expect(request).toMatchObject({ repriced: false, quote: { totalAmount: 6070 } });
    await aRosterRow(db, { contractId: contract.id, facilityId: office.facility.id, tierId: third.id });
    const now = await server.ok(
      QuoteEdit.RepriceQuote,
      { quoteId: quote.id, version: request.quote.version },
      { as: cs },
    );
    expect(now.quote.totalAmount).toBe(3060);
  });

  test('leaves prices unchanged when the tier allows no provisional ones, and when the quote may not be edited', async () => {
    const setup = await aCase({ provisional: false });
    const quote = await aQuoteOf(setup);
    const request = await server.ok(Eligibility.Request, inputOf(setup, quote), { as: setup.office.rep });
    expect(request).toMatchObject({ repriced: false, quote: { totalAmount: 6000, version: quote.version } });
    expect(request.text).toContain('does not allow provisional prices');
    const other = await aCase();
    const sent = await aQuoteOf(other);
    await server.db.updateTable('quote').set({ status_id: 'SentToCustomer' }).where('id', '=', sent.quoteId).execute();
    const joins = await server.ok(Eligibility.Request, inputOf(other, sent), { as: other.office.rep });
    expect(joins).toMatchObject({ repriced: false, quote: { totalAmount: 6000, version: sent.version } });
    expect(joins.text).toContain('Revise it');
    const { action } = await server.db
      .selectFrom('quote_event')
      .select('action')
      .where('quote_id', '=', sent.quoteId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(action).toBe('JoinEligibility');
  });

  test('stores a draft that only its writer sees and can send later', async () => {
    const setup = await aCase();
    const { rep, support, contracts } = setup.office;
    const quote = await aQuoteOf(setup);
    const draft = await server.ok(Eligibility.Request, { ...inputOf(setup, quote), draft: true }, { as: rep });
    expect(draft).toMatchObject({ state: 'Draft', repriced: false, quote: { totalAmount: 6000 } });
    const again = await server.ok(
      Eligibility.Request,
      { ...inputOf(setup, quote), note: 'Better words', draft: true },
      { as: rep },
    );
    expect(again.id).toBe(draft.id);
    for (const as of [support, contracts]) {
      expect((await server.call(Eligibility.Get, { id: draft.id }, { as })).status).toBe(404);
      expect(await server.ok(Eligibility.OfQuote, { quoteId: quote.quoteId }, { as })).toEqual([]);
    }
    const { request } = await server.ok(Eligibility.Get, { id: draft.id }, { as: rep });
    expect(request.note).toBe('Better words');
    const step = { id: draft.id, action: 'Submit' as const, version: request.version };
    expect((await server.ok(Eligibility.Decide, step, { as: rep })).state).toBe('Requested');
    const board = await server.ok(QuoteEdit.PopulateQuoteEditDataForSalesRep, { id: quote.quoteId }, { as: rep });
    expect(board.quote.totalAmount).toBe(3850);
  });

  test('a draft joins, when sent, the request that somebody else made in the meantime', async () => {
    const setup = await aCase();
    const { rep } = setup.office;
    const [first, second] = [await aQuoteOf(setup), await aQuoteOf(setup)];
    const draft = await server.ok(Eligibility.Request, { ...inputOf(setup, first), draft: true }, { as: rep });
    const other = await server.ok(Eligibility.Request, inputOf(setup, second), { as: cs });
    const { request } = await server.ok(Eligibility.Get, { id: draft.id }, { as: rep });
    const sent = await server.ok(
      Eligibility.Decide,
      { id: draft.id, action: 'Submit', version: request.version },
      { as: rep },
    );
    expect(sent).toMatchObject({ id: other.id, state: 'Requested', quotes: 2 });
    expect((await server.ok(Eligibility.Get, { id: draft.id }, { as: rep })).request.state).toBe('Withdrawn');
  });

  test('is mailed to the contract department once, without prices and not to those whose tab is hidden', async () => {
    const setup = await aCase();
    const { rep, contracts } = setup.office;
    await aUser(server.db, { roles: ['contractdept'], active: false });
    const hidden = await aUser(server.db, { roles: ['contractdept'] });
    await server.db.updateTable('app_user').set({ gpo_tab_hidden: true }).where('id', '=', hidden.id).execute();
    const [first, second] = [await aQuoteOf(setup), await aQuoteOf(setup)];
    const draft = await server.ok(Eligibility.Request, { ...inputOf(setup, first), draft: true }, { as: rep });
    const mailsOf = async () => {
      await server.drain();
      return server.mails.filter(({ subject }) => subject?.includes(setup.contract.number));
    };
    expect(await mailsOf()).toEqual([]);
    const { request } = await server.ok(Eligibility.Get, { id: draft.id }, { as: rep });
    await server.ok(Eligibility.Decide, { id: draft.id, action: 'Submit', version: request.version }, { as: rep });
    await server.ok(Eligibility.Request, inputOf(setup, second), { as: cs });
    const mails = await mailsOf();
    const { rows } = await sql<{
      user_name: string;
    }>`select user_name from app_user u join user_role r on r.user_id = u.id
      where r.role = 'contractdept' and u.active and not u.gpo_tab_hidden order by u.id`.execute(server.db);
    expect(mails.map(({ to }) => to)).toEqual(rows.map((row) => [row.user_name]));
    expect(mails.flatMap(({ to }) => to)).toContain(contracts.userName);
    expect(mails[0]?.text).toContain('They moved to us in September.');
    expect(mails[0]?.text).toContain(`/gpo/contracts/eligibility/${draft.id}`);
    const texts = mails.map(({ subject, text }) => `${subject}\n${text}`).join('\n');
    expect(texts).not.toMatch(/38\.5|3,850|3850\./);
  });

  test('is refused in words', async () => {
    const setup = await aCase({ listed: true });
    const quote = await aQuoteOf(setup);
    const { rep } = setup.office;
    const input = inputOf(setup, quote);
    const refused = async (more: object, as: User = rep) => {
      const { status, body } = await server.call(Eligibility.Request, { ...input, ...more }, { as });
      return [status, (body as { errors?: { path: string }[] }).errors?.[0]?.path ?? ''];
    };
    expect(await refused({ version: quote.version - 1 })).toEqual([409, '']);
    expect(await refused({ tierId: 1_999_999 })).toEqual([422, 'tierId']);
    expect(await refused({ tierId: setup.contract.tierId })).toEqual([422, 'tierId']);
    expect(await refused({ wantedFrom: '2030-01-01' })).toEqual([422, 'wantedFrom']);
    expect(await refused({ wantedFrom: '2019-01-01' })).toEqual([422, 'wantedFrom']);
    expect(await refused({ lineIds: [] })).toEqual([422, 'lineIds']);
    expect(await refused({ lineIds: [1_999_999] })).toEqual([422, 'lineIds.0']);
    expect(await refused({ contractId: 1_999_999 })).toEqual([404, '']);
    const strange = await aCase();
    expect(await refused({ contractId: strange.contract.id, tierId: strange.third.id })).toEqual([404, '']);
    const inside = await refused({ contractId: strange.contract.id, tierId: strange.third.id }, cs);
    expect(inside).toEqual([422, 'lineIds.0']);
    await server.db
      .updateTable('gpo_contract')
      .set({ effective_to: '2026-10-10' })
      .where('id', '=', setup.contract.id)
      .execute();
    expect(await refused({})).toEqual([422, 'wantedFrom']);
    await server.db.updateTable('quote').set({ status_id: 'Won' }).where('id', '=', quote.quoteId).execute();
    expect(await refused({})).toEqual([409, '']);
  });

  test('is allowed to the people whose quote it is', async () => {
    const setup = await aCase();
    const { office } = setup;
    const strangers = await aSalesOffice(server.db);
    for (const [as, status] of [
      [office.rep, 200],
      [office.support, 200],
      [office.manager, 200],
      [office.salesAdmin, 200],
      [office.admin, 200],
      [office.contracts, 403],
      [strangers.rep, 404],
      [strangers.manager, 404],
    ] as const) {
      const quote = await aQuoteOf(setup, office.rep);
      expect([as.id, (await server.call(Eligibility.Request, inputOf(setup, quote), { as })).status]).toEqual([
        as.id,
        status,
      ]);
    }
    const noFacility = await server.ok(QuoteEdit.SaveSalesRepQuote, { quote: {}, items: [] }, { as: office.rep });
    const input = {
      ...inputOf(setup, { quoteId: noFacility.quote.id, version: noFacility.quote.version, lineIds: [1] }),
    };
    expect((await server.call(Eligibility.Request, input, { as: office.rep })).body).toMatchObject({
      errors: [{ message: 'Choose a facility for the quote first.' }],
    });
  });

  test('reaches no facility but the quote’s own', async () => {
    const setup = await aCase();
    const other = await aFacility(server.db);
    const quote = await aQuoteOf(setup);
    const query = await server.ok(Eligibility.Request, { ...inputOf(setup, quote), facilityId: other.id } as never, {
      as: setup.office.rep,
    });
    const { request } = await server.ok(Eligibility.Get, { id: query.id }, { as: setup.office.rep });
    expect(request.facility.id).toBe(setup.office.facility.id);
  });
});

describe('a quote that stops waiting', () => {
  test('gets its prices without the request, which continues for the other quotes', async () => {
    const setup = await aCase({ listed: true });
    const { rep } = setup.office;
    const [first, second] = [await aQuoteOf(setup), await aQuoteOf(setup)];
    const { id, quote } = await server.ok(Eligibility.Request, inputOf(setup, first), { as: rep });
    const leaving = { id, quoteId: first.quoteId, version: quote.version };
    expect(await server.ok(Eligibility.OfQuote, { quoteId: first.quoteId }, { as: rep })).toMatchObject([
      { shared: false },
    ]);
    const alone = await server.call(Eligibility.Leave, leaving, { as: rep });
    expect([alone.status, alone.body]).toMatchObject([
      409,
      { detail: expect.stringContaining('Withdraw the request') },
    ]);
    await server.ok(Eligibility.Request, inputOf(setup, second), { as: rep });
    expect(await server.ok(Eligibility.OfQuote, { quoteId: first.quoteId }, { as: rep })).toMatchObject([
      { shared: true },
    ]);
    expect((await server.call(Eligibility.Leave, { ...leaving, version: first.version }, { as: rep })).status).toBe(
      409,
    );
    expect((await server.call(Eligibility.Leave, leaving, { as: setup.office.contracts })).status).toBe(403);
    const left = await server.ok(Eligibility.Leave, leaving, { as: rep });
    expect(left).toMatchObject({ repriced: true, quote: { totalAmount: 4500, fallbackTotal: null } });
    expect(await server.ok(Eligibility.OfQuote, { quoteId: first.quoteId }, { as: rep })).toEqual([]);
    const again = { ...leaving, version: left.quote.version };
    expect((await server.call(Eligibility.Leave, again, { as: rep })).status).toBe(404);
    const board = await server.ok(QuoteEdit.PopulateQuoteEditDataForSalesRep, { id: second.quoteId }, { as: rep });
    expect(board.quote.totalAmount).toBe(3850);
    const { request, history } = await server.ok(Eligibility.Get, { id }, { as: rep });
    expect(request).toMatchObject({ state: 'Requested', quotes: 1 });
    expect(history[0]?.words).toBe('removed a quote from the eligibility request');
  });

  test('keeps waiting while the customer has its prices, and once the request is settled', async () => {
    const setup = await aCase();
    const { rep, contracts } = setup.office;
    const [first, second] = [await aQuoteOf(setup), await aQuoteOf(setup)];
    const { id, quote } = await server.ok(Eligibility.Request, inputOf(setup, first), { as: rep });
    await server.ok(Eligibility.Request, inputOf(setup, second), { as: rep });
    await server.db.updateTable('quote').set({ status_id: 'SentToCustomer' }).where('id', '=', first.quoteId).execute();
    const leaving = { id, quoteId: first.quoteId, version: quote.version };
    expect((await server.call(Eligibility.Leave, leaving, { as: rep })).status).toBe(409);
    await server.db.updateTable('quote').set({ status_id: 'Editing' }).where('id', '=', first.quoteId).execute();
    const { request } = await server.ok(Eligibility.Get, { id }, { as: contracts });
    const reviewed = await server.ok(
      Eligibility.Decide,
      { id, action: 'StartReview', version: request.version },
      { as: contracts },
    );
    const reject = { id, action: 'Reject' as const, reason: 'Too small.', version: reviewed.version };
    await server.ok(Eligibility.Decide, reject, { as: contracts });
    const settled = await server.call(Eligibility.Leave, leaving, { as: rep });
    expect([settled.status, settled.body]).toMatchObject([409, { detail: expect.stringContaining('rejected') }]);
  });
});
