// Tests that a call that creates a record stores explicit values even if they equal those of a blank form: defaults apply only to missing fields
// (docs/decisions/0007).
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Endpoint, schemasOf } from '#platform/api/endpoint.ts';
import { anItem } from '#testing/factories/catalog.server.ts';
import { aContract, aGpo } from '#testing/factories/contracts.server.ts';
import { aFacility, aSalesOffice, aTerritory } from '#testing/factories/people.server.ts';
import { startTestServer, type TestServer } from '#testing/test-server.server.ts';
import { contract } from './contract.ts';

type Body = Record<string, unknown>;
type Schema = z.core.JSONSchema.JSONSchema;
type NewRecord = {
  /** The fields that the call requires, with new names for each record. */
  required: Body;
  /** The part of the input and of the answer that contains the fields. */
  within?: string;
  as?: { id: number };
};

let server: TestServer;
let office: Awaited<ReturnType<typeof aSalesOffice>>;
let nth = 0;
const fresh = (): string => `Text ${++nth}`;
beforeAll(async () => {
  server = await startTestServer();
  server.setNow('2026-06-15T15:00:00Z');
  office = await aSalesOffice(server.db);
});
afterAll(() => server.close());

/** For each call that creates a record, its required input, in an environment that differs from a blank form. */
const MAKES: Record<string, () => Promise<NewRecord>> = {
  'QuoteEdit.SaveSalesRepQuote': async () => {
    const facility = await aFacility(server.db, { currnIdx: 1009, taxExempt: true, taxRate: 8.25, zip: office.zip });
    await server.db
      .updateTable('facility')
      .set({ payment_terms: 'Net 60', freight_terms: 'Prepaid' })
      .where('id', '=', facility.id)
      .execute();
    return { required: { facilityId: facility.id }, within: 'quote', as: office.inside };
  },
  'FacilityAdmin.SaveFacility': async () => ({ required: { acctNo: fresh(), name: fresh() } }),
  'FacilityAdmin.SaveFacilityContact': async () => ({ required: { facilityId: office.facility.id, name: fresh() } }),
  'FacilityAdmin.SaveGpoMembership': async () => ({
    required: {
      facilityId: (await aFacility(server.db)).id,
      gpoId: (await aGpo(server.db)).id,
      from: '2026-01-01',
    },
  }),
  'FacilityAdmin.SaveFacilityIdentifier': async () => ({
    required: { facilityId: office.facility.id, kind: 'HIN', value: `TEST${String(++nth).padStart(5, '0')}` },
  }),
  'SavedView.SaveView': async () => ({
    required: { screen: '/int-quotes', name: fresh(), address: 'page=1', shared: [] },
  }),
  'CrossReference.SaveCrossReference': async () => ({
    required: { number: fresh(), itemNumber: (await anItem(server.db)).itemNumber },
  }),
  'Region.SaveRegion': async () => ({ required: { name: fresh() } }),
  'TerritoryAdmin.SaveTerritory': async () => ({ required: { name: fresh(), regionId: office.region.id } }),
  'TerritoryAdmin.SaveTerritoryOverride': async () => ({
    required: {
      territoryId: (await aTerritory(server.db, { regionId: office.region.id })).id,
      facilityId: (await aFacility(server.db)).id,
      reason: 'Asked for',
      from: '2026-07-01',
    },
  }),
  'Contract.Save': async () => ({
    required: { number: fresh(), title: 'Gloves', from: '2026-01-01', to: '2027-12-31', newGpo: fresh() },
  }),
  'Contract.SaveTier': async () => ({
    required: { contractId: (await aContract(server.db)).id, tierNo: 7, name: fresh() },
  }),
  'Contract.SaveLine': async () => ({
    required: {
      contractId: (await aContract(server.db)).id,
      itemNumber: (await anItem(server.db)).itemNumber,
      unit: 'EA',
    },
  }),
  'Roster.SaveRosterRow': async () => {
    const { id, tierId } = await aContract(server.db);
    return {
      required: { id: 0, contractId: id, facilityId: (await aFacility(server.db)).id, tierId, from: '2026-07-01' },
    };
  },
  'Letters.SaveLoc': async () => {
    const { id, tierId } = await aContract(server.db);
    const facilityId = (await aFacility(server.db)).id;
    return { required: { id: 0, contractId: id, facilityId, tierId, state: 'Sent', from: '2026-07-01' } };
  },
  'ItemPromotion.saveItemPromotion': async () => ({
    required: {
      name: fresh(),
      promotionType: 'DiscountPct',
      itemNumber: (await anItem(server.db, { units: { EA: 1 } })).itemNumber,
      promotionAmt: 5,
      validFrom: '2026-07-01',
    },
  }),
  'QuoteTemplates.SaveQuoteTemplate': async () => ({ required: { name: fresh() } }),
  'ConfigurableModels.SaveConfigurableModel': async () => ({
    required: { name: fresh(), groups: [] },
  }),
  'ApprovalRules.SaveApprovalRule': async () => ({
    required: { name: fresh(), metric: 'quoteTotal', operator: '>', threshold: 1, role: 'salesadmin' },
  }),
  'Products.SaveProduct': async () => ({ required: { id: 0, name: fresh() } }),
  'ItemDocuments.SaveItmDocCategory': async () => ({ required: { id: 0, name: fresh(), audience: 'Customer' } }),
  'Webhook.SaveWebhook': async () => ({
    required: { description: fresh(), address: 'https://example.com/hook', events: ['quote.won'] },
  }),
  'ApiKey.SaveApiKey': async () => ({
    required: { name: fresh(), ownerId: office.admin.id, scopes: ['QuoteSearch:read'] },
  }),
  'UserAccount.AddNewUser': async () => ({
    required: { userName: `explicit${++nth}@example.org`, fullName: fresh(), roles: ['salesrep'] },
  }),
};

/** Calls that create no record with freely chosen fields, each with the reason. */
const MAKE_NOTHING: Record<string, string> = {
  'ApprovalAbsences.SaveAbsence': 'requires every field',
  'ApprovalRules.SaveApprovalReminders': 'requires every field',
  'CompanyAdmin.SaveCompany': 'changes the one company',
  'CompanyAdmin.SaveTerms': 'requires every field',
  'Comment.AddComment': 'a comment cannot be saved again',
  'Contract.SavePrice': 'requires every field but its end',
  'ContractFiles.SaveContractFolder': 'requires every field',
  'ContractFiles.SaveContractFile': 'changes a file',
  'Crm.SaveCrmConnection': 'changes the one connection',
  'Crm.SaveCrmMapping': 'requires every field',
  'ItemImageGallery.SaveItemImage': 'changes a picture',
  'ItemImageGallery.SaveItemImageOrder': 'requires every field',
  'ItemDocuments.saveItmDoc': 'takes a file, whose record says the rest',
  'ItemDocuments.saveItemXDoc': 'links what exists',
  'NotificationCalls.SaveWay': 'requires every field',
  'NotificationSettings.SaveCompanyWays': 'changes the one setting',
  'OrderRequests.SaveOrderSettings': 'requires every field',
  'Products.saveItemProdType': 'changes many products',
  'Products.saveItemStatus': 'changes many products',
  'Retention.SaveRetention': 'changes the one setting',
  'QuoteConfigurations.SaveQuoteConfiguration': 'requires every field',
  'QuoteConfigurator.SaveDmsItemsToQuote': 'adds lines, each as SaveQuoteItem does',
  'QuoteEdit.SaveQuoteItem': 'its own test is below, because a line follows its item',
  'QuoteEdit.SaveQuoteTemplateForQuote': 'adds lines, each as SaveQuoteItem does',
  'QuoteTemplates.InsertQuoteTemplateItem': 'adds a line to a template',
  'QuoteTemplates.SaveQuoteAsTemplate': 'copies a quote',
  'SecondFactorAdmin.SaveSecondFactorRules': 'requires every field',
  'SentReports.AddSentReport': 'a report that is sent cannot be saved again',
  'SignOnAdmin.SaveSignOnSettings': 'changes the one connection',
  'TerritoryAdmin.AddTerritoryZips': 'requires every field',
  'TerritoryPlans.saveSavedMap': 'the fields of a plan are required',
};

const saves = Object.entries(contract).flatMap(([group, calls]) =>
  Object.entries<Endpoint>(calls).flatMap(([key, endpoint]) =>
    endpoint.writes && /^(?:save|add|insert)[A-Z]|^save$/i.test(key) && !key.startsWith('AddQuote')
      ? [{ name: `${group}.${key}`, endpoint }]
      : [],
  ),
);

it('every call that saves is walked, or says why it makes nothing', () => {
  const known = [...Object.keys(MAKES), ...Object.keys(MAKE_NOTHING)];
  expect(saves.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
});

/** Fields that are not part of the record, or that are returned in another form. */
const NOT_SAID = new Set([
  'id',
  'version',
  'clientKey',
  'remove',
  'changeFrom',
  'newGpo',
  'to',
  'terminatedOn',
  'state',
]);

/** Returns the values that a blank form may have in a field: false, 0, nothing, the default of the schema, and both currencies. */
function blanksOf(name: string, schema: Schema): unknown[] {
  if (name === 'currnIdx') return [1007, 1009];
  const kinds = [schema, ...(schema.anyOf ?? [])];
  const blanks = kinds.flatMap((kind): unknown[] => {
    if (kind.enum) return kind.enum;
    if (kind.type === 'boolean') return [false, true];
    if (kind.type === 'number' || kind.type === 'integer') return [0];
    if (kind.type === 'array') return [[]];
    if (kind.type === 'string') return [''];
    return kind.type === 'null' ? [null] : [];
  });
  return 'default' in schema ? [schema.default, ...blanks] : blanks;
}

const fieldsOf = (endpoint: Endpoint, within: string | undefined): [string, Schema][] => {
  const schema = z.toJSONSchema(schemasOf(endpoint).input, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  const inner = (within ? schema.properties?.[within] : schema) as Schema;
  return Object.entries(inner.properties ?? {}) as [string, Schema][];
};

for (const [name, make] of Object.entries(MAKES)) {
  it(`${name} stores the given values`, { timeout: 120_000 }, async () => {
    const endpoint = saves.find((save) => save.name === name)?.endpoint;
    if (!endpoint) throw new Error(`no call ${name}`);
    const lost: string[] = [];
    const { within, required: always, as: by = office.admin } = await make();
    const plain = await server.call(endpoint, within ? { [within]: always } : always, { as: by });
    expect([plain.status, plain.body]).toEqual([200, plain.body]);
    for (const [field, schema] of fieldsOf(endpoint, within)) {
      if (NOT_SAID.has(field) || field in always) continue;
      for (const value of blanksOf(field, schema)) {
        const { required, as = office.admin } = await make();
        const record = { ...required, [field]: value };
        const { status, body } = await server.call(endpoint, within ? { [within]: record } : record, { as });
        if (status >= 400 && status < 500) continue;
        expect([field, value, status]).toEqual([field, value, 200]);
        const answer = (within ? (body as Body)[within] : body) as Body;
        if (!(field in answer)) continue;
        if (!isDeepStrictEqual(answer[field] ?? '', value ?? ''))
          lost.push(`${field}: sent ${JSON.stringify(value)}, is ${JSON.stringify(answer[field])}`);
      }
    }
    expect(lost).toEqual([]);
  });
}

it('a quote sent back as it was read follows its facility, but one field of it is meant', async () => {
  const facility = await aFacility(server.db, { currnIdx: 1009, taxExempt: true, taxRate: 8.25 });
  const { PopulateNewQuote, SaveSalesRepQuote } = contract.QuoteEdit;
  const blank = await server.ok(PopulateNewQuote, {}, { as: office.inside });
  const back = await server.ok(
    SaveSalesRepQuote,
    { quote: { ...blank.quote, facilityId: facility.id } },
    { as: office.inside },
  );
  expect(back.quote).toMatchObject({ currnIdx: 1009, taxExempt: true, taxRate: 8.25 });
  const values = { facilityId: facility.id, currnIdx: 1007, taxExempt: false, taxRate: 0 };
  const meant = await server.ok(SaveSalesRepQuote, { quote: values }, { as: office.inside });
  expect(meant.quote).toMatchObject({ currnIdx: 1007, taxExempt: false, taxRate: 0 });
});

it('a line stores the given values', async () => {
  const { SaveSalesRepQuote, SaveQuoteItem } = contract.QuoteEdit;
  const item = await anItem(server.db, { units: { EA: 1, BX: 50 } });
  const { quote } = await server.ok(
    SaveSalesRepQuote,
    { quote: { facilityId: office.facility.id } },
    { as: office.inside },
  );
  for (const values of [
    { active: false },
    { active: true },
    { optional: false },
    { notes: '' },
    { discountPct: 0 },
    { unit: 'EA' },
  ]) {
    const { item: line } = await server.ok(
      SaveQuoteItem,
      { quoteId: quote.id, itemId: item.id, qty: 1, ...values },
      { as: office.inside },
    );
    expect(line).toMatchObject(values);
  }
});
