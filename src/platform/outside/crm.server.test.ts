// Tests the Salesforce client against a server with the same calls: sign-ins, every call, and every failure.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SalesforceFault, startSalesforce, type TestSalesforce } from '#testing/salesforce.server.ts';
import { type CrmLogin, type CrmOptions, openCrm, soqlText } from './crm.server.ts';
import { isCrmAddress } from './crm-address.server.ts';
import { CrmError, type CrmErrorKind } from './crm-error.server.ts';

const HERE = { networks: [], loopback: true };
const PUBLIC = { networks: [], loopback: false };

let salesforce: TestSalesforce;
beforeAll(async () => {
  salesforce = await startSalesforce();
});
afterAll(() => salesforce.close());

const credentials = (more: Partial<CrmLogin> = {}) =>
  ({
    address: salesforce.address,
    apiVersion: '62.0',
    clientId: salesforce.clientId,
    method: 'ClientCredentials',
    clientSecret: salesforce.clientSecret,
    ...more,
  }) as CrmLogin;
const open = (login = credentials(), more: Partial<CrmOptions> = {}) =>
  openCrm(login, { now: () => new Date(), reach: HERE, ...more });
const anOpportunity = { Name: 'A quote', StageName: 'Prospecting', CloseDate: '2026-12-31' };
const failure = async (work: Promise<unknown>): Promise<CrmError> => {
  const error = await work.then(() => null).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CrmError);
  return error as CrmError;
};

it('signs in by client credentials and by JWT bearer', async () => {
  for (const login of [
    credentials(),
    credentials({ method: 'JwtBearer', userName: salesforce.userName, privateKey: salesforce.privateKey }),
  ])
    expect(await open(login).query('select Name from Organization')).toMatchObject([{ Name: 'Loopback Org' }]);
});

it('says that a sign-in is not accepted, and never what the secret was', async () => {
  for (const login of [
    credentials({ clientSecret: 'wrong-secret' }),
    credentials({ method: 'JwtBearer', userName: 'other@example.com', privateKey: salesforce.privateKey }),
    credentials({ method: 'JwtBearer', userName: salesforce.userName, privateKey: 'wrong-secret' }),
  ]) {
    const error = await failure(open(login).query('select Name from Organization'));
    expect(error.kind).toBe('auth');
    expect(JSON.stringify([error.message, error.faults, String(error.cause)])).not.toContain('wrong-secret');
  }
});

it('makes and changes by external id, in one call and in chunks of 200, and deletes', async () => {
  const crm = open();
  const { id } = await crm.upsert('Opportunity', 'Quote_Number__c', 'A/1 ?', anOpportunity);
  await crm.upsert('Opportunity', 'Quote_Number__c', 'A/1 ?', { Name: 'Renamed' });
  expect(
    await crm.query(`select Id, Name from Opportunity where Quote_Number__c = ${soqlText('A/1 ?')}`),
  ).toMatchObject([{ Id: id, Name: 'Renamed' }]);
  const calls = salesforce.calls.length;
  const lines = Array.from({ length: 401 }, (_, at) => ({
    Quote_Line_Id__c: `${at}`,
    OpportunityId: id,
    Quantity: 1,
    TotalPrice: 2,
  }));
  await crm.upsertMany('OpportunityLineItem', 'Quote_Line_Id__c', lines);
  expect(salesforce.calls.length - calls).toBe(3);
  const created = salesforce.rows('OpportunityLineItem');
  expect(created).toHaveLength(401);
  await crm.deleteMany(created.map(({ Id }) => Id));
  expect(salesforce.rows('OpportunityLineItem')).toHaveLength(0);
});

it('names what is refused of many records, without those that were only rolled back', async () => {
  const { id } = await open().upsert('Opportunity', 'Quote_Number__c', 'A2', anOpportunity);
  const good = { Quote_Line_Id__c: 'x', OpportunityId: id, Quantity: 1, TotalPrice: 2 };
  const error = await failure(
    open().upsertMany('OpportunityLineItem', 'Quote_Line_Id__c', [
      good,
      { ...good, Quote_Line_Id__c: 'y', UnitPrice: 1 },
    ]),
  );
  expect(error).toMatchObject({ kind: 'refused', faults: [{ code: 'FIELD_INTEGRITY_EXCEPTION' }] });
  expect(salesforce.rows('OpportunityLineItem')).toHaveLength(0);
});

const FAULTS: [SalesforceFault, CrmErrorKind][] = [
  [429, 'down'],
  [500, 'stuck'],
  [502, 'down'],
  [503, 'down'],
  ['UNABLE_TO_LOCK_ROW', 'busy'],
  ['DUPLICATE_VALUE', 'busy'],
  ['REQUEST_LIMIT_EXCEEDED', 'limit'],
  ['REQUIRED_FIELD_MISSING', 'refused'],
  ['hang', 'stuck'],
  ['drop before', 'down'],
  ['drop after', 'down'],
  ['no JSON', 'stuck'],
];
it.each(FAULTS)('takes %s for %s', async (fault, kind) => {
  salesforce.fail(/PATCH/, fault);
  const crm = open(credentials(), fault === 'hang' ? { timeoutMs: 1000 } : {});
  const error = await failure(crm.upsert('Opportunity', 'Quote_Number__c', 'A3', anOpportunity));
  expect(error.kind).toBe(kind);
  expect(error.message).toMatch(/^Salesforce|^The daily limit/);
});

it('signs in once more when its token has ended, and only once', async () => {
  const tokens = new Map();
  const crm = open(credentials(), { tokens });
  await crm.query('select Name from Organization');
  salesforce.endTokens();
  await crm.query('select Name from Organization');
  const signIns = () => salesforce.calls.filter((call) => call.includes('oauth2')).length;
  const before = signIns();
  salesforce.fail(/GET/, 401, 401);
  expect(await failure(crm.query('select Name from Organization'))).toMatchObject({ kind: 'auth' });
  expect(signIns() - before).toBe(1);
});

it('lets a person choose among several matches and similar records', async () => {
  for (const _ of [1, 2]) salesforce.add('Opportunity', { ...anOpportunity, Quote_Number__c: 'twice' });
  const several = await failure(open().upsert('Opportunity', 'Quote_Number__c', 'twice', anOpportunity));
  expect(several).toMatchObject({ kind: 'choose', choices: [{ object: 'Opportunity' }, { object: 'Opportunity' }] });
  const similar = salesforce.add('Contact', { LastName: 'Doe', Email: 'doe@example.org' });
  salesforce.duplicatesOf('Contact', [similar]);
  const detected = await failure(open().create('Contact', { LastName: 'Doe' }));
  expect(detected.choices).toEqual([{ object: 'Contact', id: similar.Id, name: 'Doe', hint: 'doe@example.org' }]);
});

it('reports how many calls are used, and stops before a call on request', async () => {
  const usage: [number, number][] = [];
  await open(credentials(), { onUsage: (...counts) => usage.push(counts) }).query('select Name from Organization');
  expect(usage).toEqual([[salesforce.usage.used, 15_000]]);
  const before = () => Promise.reject(new Error('not now'));
  await expect(open(credentials(), { before }).query('select Name from Organization')).rejects.toThrow('not now');
});

it('keeps apostrophes of values inside the text of a query', () => {
  expect(soqlText(`O'Neil \\ "x"\n`)).toBe(`'O\\'Neil \\\\ \\"x\\"\\n'`);
});

it('calls https addresses alone, and this computer only where that is allowed', () => {
  for (const good of ['https://company.my.salesforce.com', 'https://login.salesforce.com/'])
    expect(isCrmAddress(good, PUBLIC)).toBe(true);
  for (const bad of [
    'http://company.my.salesforce.com',
    'https://user:pass@company.my.salesforce.com',
    'https://company.my.salesforce.com/path',
    'https://company.my.salesforce.com?x=1',
    'https://127.0.0.1',
    'https://localhost:8080',
    'http://127.0.0.1:8080',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'company.my.salesforce.com',
    '',
  ])
    expect(isCrmAddress(bad, PUBLIC)).toBe(false);
  expect(isCrmAddress('http://127.0.0.1:8080', HERE)).toBe(true);
  expect(isCrmAddress('http://10.0.0.1', HERE)).toBe(false);
});
