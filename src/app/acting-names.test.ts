// Tests that every answer names the actor together with the API key that acted on their behalf (docs/decisions/0046).
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { isChanging, schemasOf } from '#platform/api/endpoint.ts';
import { actByKey } from '#platform/db/acting-key.server.ts';
import { ApiKey } from '#platform/api-keys/api-keys.contract.ts';
import { QuoteTemplates } from '#core/quoting/quote-templates/quote-templates.contract.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { aDocument, aFile, anItem } from '#testing/factories/catalog.server.ts';
import { aContract, anEligibilityRequest, aTier } from '#testing/factories/contracts.server.ts';
import { aCrossReference } from '#testing/factories/cross-references.server.ts';
import { aFacility, aSalesOffice, aUser } from '#testing/factories/people.server.ts';
import { aLargePlan } from '#testing/factories/plans.server.ts';
import { anApprovalRequest, aPricedQuote, aQuote } from '#testing/factories/quotes.server.ts';
import { aSavingsAnalysis } from '#testing/factories/savings.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { contract } from './contract.ts';

const KEY = 'Robot';
/** Names of fields that contain who did something. */
const WHO = /^(?:by|who|actor|author|asker|sender|person)$|By$/;

/** Fields with such a name that are not columns of the database, each with the reason. `*` is any call. */
const OTHERWISE: Record<string, string> = {
  '* .events[].actor': 'a text that keeps the name with the key',
  '* .history[].actor': 'the same',
  '* .records[].actor': 'the same',
  '* .changedSince[].actor': 'the same',
  '* .whole.events[].actor': 'the same',
  '* .whole.changedSince[].actor': 'the same',
  '* .whole.revisions[].sentBy': 'read as it is for PopulateQuoteEditDataForInternalRep',
  '* [].actor': 'the same',
  '* .records[].who': 'the same',
  '* .approval.rules[].decidedBy': 'the same',
  '* .whole.approval.rules[].decidedBy': 'the same',
  '* .records[].approval.rules[].decidedBy': 'the same',
  'GetDmsConfiguratorItems .configurations[].postedBy': 'the same',
  'SearchOrderRequests .records[].sentBy': 'the same',
  'FindSender .by': 'by what a facility was found, its address or its domain',
  'GetOrderRequests .records[].order.signedBy': 'the customer who accepted',
  'SearchAudit .person': 'whom the list was asked about',
  'GetOrderSettings .settings.sender': 'a name at the ERP',
  'GetQuoteDoc .document.preparedBy': 'the seller, whoever wrote the quote',
  'GetPublicSiteStatus .lockedBy': 'no key may lock the site',
  'GetUserEditData .supportedBy': 'whom somebody supports',
  'GetUserHoldings .supportedBy': 'the same',
  'GetFacilityContracts .contracts[].by': 'the rule by which a contract counts',
  '* .records[].foundBy': 'the number by which an item was found',
  '* [].foundBy': 'the same',
  '* .item.foundBy': 'the same',
  '* .item.replacedBy': 'an item or product, no person',
  '* .records[].replacedBy': 'the same',
  '* .replacedBy': 'the same',
};

/** Columns `…_by` of users that store no key, each with the reason. */
const WITHOUT_KEY: Record<string, string> = {
  'api_key.created_by': 'no key makes keys',
  'api_key.revoked_by': 'no key revokes keys',
  'company.public_site_locked_by': 'no key locks the site',
  'webhook_endpoint.created_by': 'no key makes webhooks',
  'configuration.posted_by': 'keeps the name as a text beside it',
  'contract_file.created_by': 'no answer names them',
  'contract_folder.created_by': 'no answer names them',
  'contract_loc.created_by': 'no answer names them',
  'eligibility_request.decided_by': 'no answer names them',
  'eligibility_request_quote.added_by': 'no answer names them',
  'facility_alias.confirmed_by': 'no answer names them',
  'quote.revised_by': 'no answer names them',
  'quote_risk.settled_by': 'no answer names them',
  'quote_sending.sent_by': 'no answer names them',
};

let server: TestServer;
let admin: { id: number };
let robot: { id: number; key: string | null };
beforeAll(async () => {
  server = await startTestServer();
  admin = await aUser(server.db, { roles: ['systemadmin', 'salesadmin'], fullName: 'Ada Admin' });
  const scopes = ['QuoteTemplate:read', 'QuoteTemplate:write'];
  robot = await server.ok(ApiKey.SaveApiKey, { name: KEY, ownerId: admin.id, scopes }, { as: admin });
});
afterAll(() => server.close());

it('names the key while a key writes, and no longer once the same person writes by hand', async () => {
  const headers = { authorization: `Bearer ${robot.key}` };
  const { body } = await server.call(QuoteTemplates.SaveQuoteTemplate, { name: 'By key' }, { headers });
  await server.ok(QuoteTemplates.SaveQuoteTemplate, { name: 'By hand' }, { as: admin });
  const { records } = await server.ok(QuoteTemplates.SearchQuoteTemplates, { keyword: 'By ' }, { as: admin });
  expect(records.map(({ name, createdBy }) => [name, createdBy])).toEqual([
    ['By hand', 'Ada Admin'],
    ['By key', 'Ada Admin (Robot)'],
  ]);
  await server.db.updateTable('quote_template').set({ created_by: admin.id }).where('id', '=', body.id).execute();
  const again = await server.ok(QuoteTemplates.GetQuoteTemplateForEdit, { id: body.id }, { as: admin });
  expect(again.createdBy).toBe('Ada Admin');
});

type Place = { table: string; column: string };

it('every column that says who did something keeps the key, or says why not', async () => {
  const { rows } = await sql<Place & { kept: boolean }>`
    select c.conrelid::regclass::text as table, a.attname as column,
      exists (select from pg_trigger t where t.tgrelid = c.conrelid and t.tgname = a.attname || '_by_key') as kept
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'app_user'::regclass and a.attname like '%\\_by'
      and not exists (select from pg_attribute k where k.attrelid = c.conrelid and k.attname = a.attname || '_key'
        and c.conrelid = 'data_import'::regclass)`.execute(server.db);
  expect(rows.length).toBeGreaterThan(30);
  expect(
    rows
      .filter(({ kept }) => !kept)
      .map(({ table, column }) => `${table}.${column}`)
      .toSorted(),
  ).toEqual(Object.keys(WITHOUT_KEY).toSorted());
});

describe('answers', () => {
  const unseen = new Set<string>();
  const plain: string[] = [];
  const refused: string[] = [];

  beforeAll(async () => {
    const inputs = await aCompany();
    await actedByKey();
    for (const [name, endpoint] of Object.values(contract).flatMap((group) => Object.entries(group))) {
      if (isChanging(endpoint) || endpoint.file) continue;
      const places = placesOf(z.toJSONSchema(schemasOf(endpoint).output, { io: 'output', unrepresentable: 'any' }));
      const request = places.filter((place) => !OTHERWISE[`* ${place}`] && !OTHERWISE[`${name} ${place}`]);
      if (request.length === 0 || inputs[name]?.length === 0) continue;
      const seen = new Set<string>();
      for (const input of inputs[name] ?? [{}]) {
        const { status, body } = await server.call(endpoint, input, { as: admin });
        if (status !== 200) refused.push(`${name}: ${JSON.stringify(body)}`);
        for (const { place, text } of peopleIn(body)) {
          if (!request.includes(place) || text === '') continue;
          seen.add(place);
          if (!text.endsWith(` (${KEY})`)) plain.push(`${name} ${place}: ${text}`);
        }
      }
      for (const place of request) if (!seen.has(place)) unseen.add(`${name} ${place}`);
    }
  }, 120_000);

  it('name the key', () => {
    expect(refused).toEqual([]);
    expect(plain).toEqual([]);
  });

  it('were given with every such field filled in', () => {
    expect([...unseen]).toEqual([]);
  });
});

/** Marks everything in the database as done by the key. */
async function actedByKey(): Promise<void> {
  const { rows } = await sql<Place>`
    select tgrelid::regclass::text as table, replace(tgname, '_by_key', '') as column from pg_trigger
    where tgfoid = 'keep_acting_key'::regproc`.execute(server.db);
  expect(rows.length).toBeGreaterThan(20);
  await server.db.transaction().execute(async (trx) => {
    await actByKey(trx, robot.id);
    for (const { table, column } of rows)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)}`.execute(trx);
    await trx.updateTable('data_import').set({ created_by_key: robot.id, applied_by_key: robot.id }).execute();
    await trx.updateTable('data_import').set({ undone_by_key: robot.id }).execute();
  });
}

/** Creates a record behind every such field. Returns the inputs of the calls for which an example is not suitable. */
async function aCompany(): Promise<Record<string, object[]>> {
  const { db } = server;
  const by = admin.id;
  const at = new Date();
  const office = await aSalesOffice(db);
  const item = await anItem(db, { price: 20 });
  const { id: fileId } = await aFile(db, server.services.files);
  const called = { number: 'a-1', made_by: by };
  const reference = await aCrossReference(db, { ...called, item_id: item.id });
  await aCrossReference(db, { ...called, item_id: (await anItem(db)).id });

  const agreement = await aContract(db, { facilityIds: [office.facility.id], lines: [{ itemId: item.id, price: 15 }] });
  const tier = await aTier(db, { contractId: agreement.id, no: 2 });
  const request = await anEligibilityRequest(db, {
    contractId: agreement.id,
    tierId: tier.id,
    facilityId: office.facility.id,
    by,
  });
  const file = { contract_id: agreement.id, name: 'a', name_key: 'a', file_id: fileId, updated_by: by };
  const stored = await db.insertInto('contract_file').values(file).returning('id').executeTakeFirstOrThrow();
  await db
    .insertInto('contract_file_version')
    .values({ contract_file_id: stored.id, version_no: 1, file_id: fileId, uploaded_by: by })
    .execute();

  const clinics = [await aFacility(db), await aFacility(db)].map(({ id }) => id);
  const [first = 0, second = 0] = clinics;
  const merged = { kept_id: first, merged_id: second, moved: '{}', merged_by: by, undone_by: by, undone_at: at };
  await db.insertInto('facility_merge').values(merged).execute();
  await db.insertInto('facility_apart').values({ first_id: first, second_id: second, told_by: by }).execute();

  const document = await aDocument(db, { fileId });
  await db.updateTable('document_revision').set({ uploaded_by: by }).execute();
  await db.insertInto('picture').values({ name: 'a.png', size: 1, step: '', created_by: by }).execute();
  const imported = await db
    .insertInto('data_import')
    .values({
      kind: 'items',
      options: JSON.stringify({ format: 'CSV', sheets: [] }),
      file_id: fileId,
      file_name: 'a.csv',
      mapping: JSON.stringify({ sheet: '', line: 1, headings: [], columns: {} }),
      state: 'Undone',
      created_by: by,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.updateTable('data_import').set({ applied_by: by, undone_by: by }).execute();
  await db
    .insertInto('geo_file')
    .values({ import_id: imported.id, state: 'TX', sha: 'a', packed: Buffer.of(), zips: '' })
    .execute();

  const day = '2026-11-01';
  const plan = await aLargePlan(db, { owner: admin, first: 10_000, count: 2, day });
  await db.updateTable('territory_plan').set({ changed_by: by, published_by: by }).execute();
  await db
    .insertInto('territory_plan_work')
    .values({ plan_id: plan.id, action: 'Publish', asked_by: by, total: 2 })
    .execute();

  const quote = await aPricedQuote(db, { statusId: 'Processing' });
  const quoteId = quote.id;
  await anApprovalRequest(db, { quoteId, requestedBy: office.cs.id, roles: ['salesadmin'] });
  const decided = await aQuote(db, { statusId: 'Processing', ownerId: by, facility: office.facility });
  await anApprovalRequest(db, { quoteId: decided.id, requestedBy: by, roles: ['salesadmin'] });
  await db
    .updateTable('approval_request')
    .set({ state: 'Approved', decided_by: by, decided_at: at })
    .where('quote_id', '=', decided.id)
    .execute();
  await db.insertInto('quote_file').values({ quote_id: quoteId, file_id: fileId, uploaded_by: by }).execute();
  const mailed = await aPricedQuote(db, { statusId: 'Processing' });
  const { version } = await db
    .selectFrom('quote')
    .select('version')
    .where('id', '=', mailed.id)
    .executeTakeFirstOrThrow();
  const mail = { quoteId: mailed.id, version, to: ['buyer@example.org'], subject: 'Quote', body: 'Hello' };
  await server.ok(QuoteWorkflow.SendEmail, { ...mail, reminder: { days: 1, text: 'Hello' } }, { as: admin });
  await db
    .insertInto('quote_file')
    .values({ quote_id: mailed.id, file_id: fileId, visible_to_customer: true, uploaded_by: by })
    .execute();
  const comment = { quote_id: quoteId, revision: 1, to_customer: false, text: 'a', written_at: at };
  await db
    .insertInto('quote_comment')
    .values({ ...comment, written_by: by, deleted_by: by, deleted_at: at })
    .execute();
  const { id: modelId } = await db
    .insertInto('configurable_model')
    .values({ name: 'Bed' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const configuration = {
    quote_id: quoteId,
    config_id: 'a',
    name: 'Bed',
    model_id: modelId,
    model_version: 1,
    sets: 1,
  };
  await db
    .insertInto('quote_configuration')
    .values({ ...configuration, picks: '[]', changed_by: by })
    .execute();
  await db
    .insertInto('crm_push')
    .values({ quote_id: quoteId, what: 'Opportunity', asked_at: at, asked_by: by })
    .execute();

  const decision = { decision: 'no-bid', decided_by: by, decided_at: at };
  const savings = await aSavingsAnalysis(db, { facility_id: office.facility.id, owner_id: by, rows: [decision] });

  const quotes = [quoteId, decided.id, mailed.id];
  const id = quotes.map((entry) => ({ id: entry }));
  return {
    GetContractFileVersions: [{ id: stored.id }],
    navGPOContractFolder: [{ contractId: agreement.id }],
    Get: [{ id: request.id }],
    GetItmDoc: [{ id: document.id }],
    GetImagesWaitingForProcess: [{ stage: 'waiting' }],
    GetImport: [{ id: imported.id }],
    ListImports: [{ kinds: ['items'] }],
    GetComments: [{ quoteId }],
    GetFollowUp: [{ quoteId: mailed.id }],
    GetQuoteActivity: [{ quoteId, internal: true }],
    GetQuoteConfigurations: [{ quoteId }],
    GetQuoteConfiguration: [{ quoteId, configId: 'a' }],
    PopulateNewQuote: [],
    PopulateCrossReferenceEditModel: [{ id: reference.id }],
    GetApprovalImpact: [{ id: quoteId }],
    PopulateQuoteEditDataForSalesRep: id,
    PopulateQuoteEditDataForInternalRep: id,
    GetQuoteChanges: [
      { quoteId, since: 0 },
      { quoteId: decided.id, since: 0 },
    ],
    GetQuoteRisk: [{ quoteId }],
    GetInitQuoteSendingEmailData: [{ id: mailed.id }],
    loadSavedMap: [{ id: plan.id }],
    changesOfSavedMap: [{ id: plan.id, version: 0 }],
    GetQuoteTemplateForEdit: [{ id: 1 }],
    SearchAnalysisRows: [{ id: savings.id }],
  };
}

type Schema = z.core.JSONSchema.JSONSchema;

/** Returns the places in an answer's schema that contain who did something, such as `.records[].createdBy`. */
function placesOf(root: Schema): string[] {
  const result = new Set<string>();
  const look = (schema: Schema, place: string, within: readonly Schema[]): void => {
    const first = schema.$ref ? root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] : schema;
    if (typeof first !== 'object' || within.includes(first)) return;
    const deeper = [...within, first];
    for (const [name, field] of Object.entries(first.properties ?? {})) {
      if (WHO.test(name)) result.add(`${place}.${name}`);
      look(field as Schema, `${place}.${name}`, deeper);
    }
    if (first.items) look(first.items as Schema, `${place}[]`, deeper);
    for (const other of [...(first.anyOf ?? []), ...(first.oneOf ?? []), ...(first.allOf ?? [])])
      look(other, place, deeper);
  };
  look(root, '', []);
  return [...result];
}

/** Returns the same places in an answer: a name, or a user with one. */
function peopleIn(value: unknown, place = ''): { place: string; text: string }[] {
  if (Array.isArray(value)) return value.flatMap((entry) => peopleIn(entry, `${place}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const here = `${place}.${name}`;
    const text = typeof field === 'string' ? field : (field as { name?: string } | null)?.name;
    return [...(WHO.test(name) && text !== undefined ? [{ place: here, text }] : []), ...peopleIn(field, here)];
  });
}
