// A company with a record behind every screen, with names without spaces that are as long as a field allows, or with other texts.
import { queueMail } from '#platform/mail/outbox.server.ts';
import { requestOrder } from '#addons/orders/make-request.server.ts';
import { noteSecurity } from '#platform/security-events/note-security-event.server.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { paths } from '#platform/shared/paths.ts';
import { aFile, anItem, anItemClass, aProduct, aPromotion, aQuoteTemplate } from './factories/catalog.server.ts';
import { aContract, aGpo, aLetter, aMembership, anEligibilityRequest, aTier } from './factories/contracts.server.ts';
import { aCrossReference } from './factories/cross-references.server.ts';
import { aFacility, aSalesOffice, aUser } from './factories/people.server.ts';
import { anApprovalRequest, aPricedQuote, aQuote } from './factories/quotes.server.ts';
import { aSavingsAnalysis } from './factories/savings.server.ts';
import type { TestServer } from './test-server.server.ts';

/** An address for each function of `paths`: the types ask for one as soon as a screen is added. Null for what is no screen of its own. */
type Records = {
  [Name in keyof typeof paths as (typeof paths)[Name] extends string ? never : Name]: string | null;
};
export type FullCompany = {
  admin: { id: number };
  /** A customer service rep, who is assigned the priced quote. */
  cs: { id: number; fullName: string };
  records: Records;
  /** Further views of those screens, which an address leads to. */
  views: string[];
};

const WORD = 'Krankenhausverwaltungsgesellschaft'.repeat(5);
/** A text of at most so many characters, for the next field. */
type NextText = (max: number) => string;
const DAY = '2026-11-01';
const companies = new WeakMap<TestServer, Promise<FullCompany>>();

/** Created once per server. */
export function fullCompany(
  server: TestServer,
  nextText: NextText = (max) => WORD.slice(0, max),
): Promise<FullCompany> {
  const company = companies.get(server) ?? fill(server, nextText);
  companies.set(server, company);
  return company;
}

async function fill(server: TestServer, nextText: NextText): Promise<FullCompany> {
  const [long, line] = [() => nextText(150), () => nextText(100)];
  const { db, services } = server;
  const office = await aSalesOffice(db);
  const { facility, territory, region, rep, cs } = office;
  const admin = await aUser(db, { roles: ['systemadmin'], fullName: long() });
  await db
    .updateTable('facility')
    .set({ name: long(), ship_to_line1: long(), ship_to_city: line(), bill_to_line1: long() })
    .where('id', '=', facility.id)
    .execute();
  await db
    .insertInto('contact')
    .values({ facility_id: facility.id, name: long(), title: long(), email: `${long()}@example.com` })
    .execute();
  await db.updateTable('territory').set({ name: long() }).where('id', '=', territory.id).execute();
  await db.updateTable('region').set({ name: long() }).where('id', '=', region.id).execute();
  await db.updateTable('app_user').set({ full_name: long() }).where('id', '=', rep.id).execute();
  for (let count = 0; count < 25; count++) await aFacility(db);
  const twin = line();
  for (const zip of ['60613', '60613']) await aFacility(db, { name: twin, zip });

  const item = await anItem(db, { number: `FULL-${facility.id}`, description: `${line()} bed`, price: 20 });
  await anItemClass(db, { name: line() });
  const called = { number: line(), maker: line(), note: long(), source: line() };
  for (const item_id of [item.id, (await anItem(db, { description: long() })).id])
    await aCrossReference(db, { ...called, item_id, scope: 'Facility', facility_id: facility.id });
  await aPromotion(db, { itemId: item.id });
  const file = await aFile(db, services.files, { name: 'care.pdf', mediaType: 'application/pdf' });
  const product = await aProduct(db, {
    itemIds: [item.id],
    name: line(),
    documents: [{ fileId: file.id, title: line() }],
  });
  const template = await aQuoteTemplate(db, {
    name: line(),
    lines: [{ section: line() }, { itemId: item.id, unit: 'EA' }],
  });
  const model = await db
    .insertInto('configurable_model')
    .values({ name: line() })
    .returning('id')
    .executeTakeFirstOrThrow();

  const gpo = await aGpo(db, { name: line() });
  await aMembership(db, { facilityId: facility.id, gpoId: gpo.id });
  const lines = [{ itemId: item.id, price: 15 }];
  const contract = await aContract(db, { gpoId: gpo.id, facilityIds: [facility.id], lines });
  const tier = await aTier(db, { contractId: contract.id, no: 2, needsLoc: true, fallbackId: contract.tierId });
  const committed = { contractId: contract.id, tierId: tier.id, facilityId: facility.id };
  await aLetter(db, { ...committed, state: 'Sent' });
  const request = await anEligibilityRequest(db, { ...committed, by: rep.id });

  for (const statusId of ['Won', 'Lost', 'NeedMoreInfo', 'SentToCustomer', 'Editing'] as const)
    await aQuote(db, { statusId, facility: { ...facility, name: long() }, contactName: long(), regionId: region.id });
  const waiting = await aQuote(db, { statusId: 'Processing', facility, facilityName: long() });
  await anApprovalRequest(db, { quoteId: waiting.id, requestedBy: cs.id, roles: ['salesadmin'] });
  const priced = { statusId: 'Processing', assigneeId: cs.id, validUntil: '2099-01-01', facilityName: long() } as const;
  const quote = await aPricedQuote(db, priced);
  await db
    .updateTable('quote')
    .set({ contact_name: long(), contact_email: `${long()}@example.com`, customer_reference: line() })
    .where('id', '=', quote.id)
    .execute();
  const { version } = await db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', quote.id)
    .executeTakeFirstOrThrow();
  const mail = { quoteId: quote.id, version, to: ['buyer@example.org'], subject: 'Quote', body: 'Hello' };
  const sent = await server.ok(QuoteWorkflow.SendEmail, mail, { as: cs });
  const editing = await aQuote(db, { ownerId: rep.id, facility, facilityName: long() });

  const plan = await db
    .insertInto('territory_plan')
    .values({ name: line(), owner_id: admin.id, base_day: DAY, effective_day: DAY })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('crm_push').values({ quote_id: quote.id, what: 'Opportunity', asked_at: new Date() }).execute();
  const ordered = await db.selectFrom('quote').selectAll().where('id', '=', quote.id).executeTakeFirstOrThrow();
  await requestOrder(db, services, { quote: ordered, lines: [] });
  await db
    .insertInto('api_key')
    .values({ name: line(), prefix: `qbk_full${facility.id}`, secret_hash: '', owner_id: admin.id, scopes: [] })
    .execute();
  const { id: endpoint_id } = await db
    .insertInto('webhook_endpoint')
    .values({ description: line(), address: 'https://example.com/', events: [] })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: message_id } = await db
    .insertInto('webhook_message')
    .values({ type: 'webhook.test', body: long() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('webhook_delivery').values({ message_id, endpoint_id }).execute();
  noteSecurity(services, {
    kind: 'SignInFailed',
    action: 'Wrong password',
    userId: rep.id,
    who: long(),
    account: `${line()}@example.com`,
    from: { address: '2001:db8:1234:5678:9abc:def0:1234:5678', userAgent: long() },
  });
  await queueMail(db, services.jobs, { to: ['full@example.com'], subject: line(), body: '' });
  await db
    .insertInto('sent_report')
    .values({
      report: 'won-lost',
      address: `period=lastMonth&repId=${rep.id}`,
      every: 'week',
      owner_id: admin.id,
      roles: ['salesrep', 'systemadmin'],
      next_on: '2199-01-07',
    })
    .execute();
  await db
    .insertInto('data_import')
    .values({
      kind: 'facilities',
      file_id: file.id,
      file_name: `${line()}.csv`,
      mapping: '{}',
      created_by: admin.id,
    })
    .execute();

  const proposed = {
    maker_no: long(),
    maker: line(),
    description: long(),
    item_id: item.id,
    our_unit: 'EA',
    confidence: 'likely' as const,
    reasons: [line()],
    doubts: [line()],
  };
  const analysis = await aSavingsAnalysis(db, {
    name: long(),
    facility_id: facility.id,
    owner_id: rep.id,
    rows: [proposed, { ...proposed, decision: 'no-bid', no_bid_reason: long() }, { description: long() }],
  });

  const records: Records = {
    invitation: null,
    sentPicture: null,
    savingsAnalysis: paths.savingsAnalysis(analysis.id),
    editQuote: paths.editQuote(editing.id),
    publicBoard: paths.publicBoard(waiting.id),
    internalBoard: paths.internalBoard(editing.id),
    configureQuote: paths.configureQuote(editing.id),
    quoteDoc: paths.quoteDoc(sent.quote.docId ?? ''),
    foundItem: paths.foundItem(`FULL-${facility.id}`, item.id),
    report: paths.report('won-lost'),
    reportQuotes: paths.reportQuotes({ slice: 'status:Editing', from: '2026-01-01', to: '2199-12-31' }),
    facility: paths.facility(facility.id),
    contract: paths.contract(contract.id),
    eligibilityRequest: paths.eligibilityRequest(request.id),
    contractHotSheet: paths.contractHotSheet(contract.id),
    savedMap: paths.savedMap(plan.id),
    territory: paths.territory(territory.id),
    editUser: paths.editUser(rep.id),
    product: paths.product(product.id),
    quoteTemplate: paths.quoteTemplate(template.id),
    configurableModel: paths.configurableModel(model.id),
  };
  const views = [
    ...['prices', 'quotes'].map((tab) => `${paths.facility(facility.id)}?tab=${tab}`),
    ...['lines', 'roster', 'letters', 'files', 'quotes', 'risks', 'history'].map(
      (tab) => `${paths.contract(contract.id)}?tab=${tab}`,
    ),
    ...['comparison', 'file', 'history'].map((tab) => `${paths.savingsAnalysis(analysis.id)}?tab=${tab}`),
    `${paths.product(product.id)}?tab=pictures`,
    `${paths.territory(territory.id)}?tab=overrides`,
    `${paths.itemImages}?view=totals`,
    `${paths.newQuote}?clone=${waiting.id}`,
    `${paths.findQuoteInternal}?page=1&printView=1`,
    ...['discount-margin', 'speed', 'contracts', 'territories', 'pivot', 'quotes'].map(paths.report),
    paths.internalBoard(quote.id),
    paths.internalBoard(999_999),
    '/nothing/here',
  ];
  return { admin, cs, records, views };
}

/** The screens of who is signed out. */
export const SIGNED_OUT: string[] = [paths.login, paths.resetPassword];

/** The addresses without a record come from `paths`, those of a record from the company: a new screen is in each walk at once. */
export function addressesOf({ records, views }: FullCompany): string[] {
  const plain = Object.values(paths).filter((path) => typeof path === 'string');
  const ofRecords = Object.values(records).filter((path) => path !== null);
  return [...plain.filter((path) => !SIGNED_OUT.includes(path)), ...ofRecords, ...views];
}
