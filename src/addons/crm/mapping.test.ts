// Tests the rules of the mapping: rows that are wrong for any org, and rows that a given org does not accept.
import { expect, it } from 'vitest';
import { SALESFORCE_FIELDS } from '#testing/salesforce-fields.ts';
import { type Mapping, type MappingRow, problemsIn, type Stages, wrongRows } from './mapping.ts';

const row = (object: MappingRow['object'], field: string, source: string, constant = ''): MappingRow => ({
  object,
  field,
  source,
  constant,
});
const KEYS = [
  row('Account', 'AccountNumber', 'accountNumber'),
  row('PricebookEntry', 'ProductCode', 'itemNumber'),
  row('Opportunity', 'Quote_Number__c', 'quoteNumber'),
  row('OpportunityLineItem', 'Quote_Line_Id__c', 'lineId'),
  row('Contact', 'Email', 'contactEmail'),
];
const REQUIRED = [
  row('Opportunity', 'Name', 'title'),
  row('Opportunity', 'StageName', 'stage'),
  row('Opportunity', 'CloseDate', 'closeDate'),
  row('OpportunityLineItem', 'Quantity', 'quantity'),
  row('Contact', 'LastName', 'contactLastName'),
];
const STAGES = Object.fromEntries(
  ['Editing', 'Won'].map((status) => [status, status === 'Won' ? 'Closed Won' : 'Prospecting']),
) as Stages;

const WRONG: [what: string, rows: MappingRow[], problem: RegExp][] = [
  ['a name that is none', [row('Opportunity', "x' or Name != '", 'title')], /API name/],
  ['a path outside the product', [row('Opportunity', 'Product2.Code__c', 'title')], /API name/],
  ['a field of the push itself', [row('Opportunity', 'AccountId', 'title')], /set automatically/],
  ['a field twice, in any case', [row('Opportunity', 'quote_number__C', 'title')], /already mapped/],
  ['an unknown source', [row('Opportunity', 'Name', 'constructor')], /Choose/],
  ['a key twice', [row('Opportunity', 'Other__c', 'quoteNumber')], /Quote number is already mapped/],
  [
    'UnitPrice beside TotalPrice',
    [row('OpportunityLineItem', 'UnitPrice', 'unitPrice'), row('OpportunityLineItem', 'TotalPrice', 'lineTotal')],
    /not both/,
  ],
];
it.each(WRONG)('refuses %s', (_what, rows, problem) => {
  expect(wrongRows([...KEYS, ...rows]).map((wrongRow) => wrongRow.problem)).toEqual([expect.stringMatching(problem)]);
});

it('accepts good rows, and reports a missing key', () => {
  expect(wrongRows([...KEYS, ...REQUIRED, row('PricebookEntry', 'CurrencyIsoCode', 'currency')])).toEqual([]);
  expect(wrongRows(KEYS.slice(1))).toMatchObject([{ index: -1, problem: 'Map a field of Account to Account number.' }]);
});

const described = SALESFORCE_FIELDS;
const problems = (rows: MappingRow[], stages: Stages = STAGES) =>
  problemsIn({ rows, stages } satisfies Mapping, described).map(({ field, problem }) => `${field}: ${problem}`);

it('reports nothing about rows that the org accepts', () => {
  expect(problems([...KEYS, ...REQUIRED])).toEqual([]);
});

const REFUSED: [rows: MappingRow, problem: RegExp][] = [
  [row('Opportunity', 'Nowhere__c', 'poNumber'), /does not exist/],
  [row('Opportunity', 'ExpectedRevenue', 'subtotal'), /cannot edit/],
  [row('Opportunity', 'NextStep', '', 'x'.repeat(256)), /holds 255 characters, but the value can have 256/],
  [row('Opportunity', 'Quote_Revision__c', 'poNumber'), /type double/],
  [row('Opportunity', 'Quote_Revision__c', '', 'one'), /must be a number/],
  [row('Opportunity', 'IsPrivate', '', 'perhaps'), /true or false/],
  [row('OpportunityLineItem', 'ServiceDate', '', 'soon'), /must be a date/],
  [row('Opportunity', 'NextStep', 'quoteDate'), /^$/],
];
it.each(REFUSED)('compares %o with the fields of the org', (overrides, problem) => {
  const messages = problems([...KEYS, ...REQUIRED, overrides]).filter((candidate) =>
    candidate.startsWith(`${overrides.field}:`),
  );
  expect(messages.join(' ')).toMatch(problem);
});

it('names stages that are not in the list, keys that are not external ids, and required fields without a row', () => {
  expect(problems([...KEYS, ...REQUIRED], { ...STAGES, Won: 'Triumph', Editing: 'Triumph' })).toContain(
    'StageName: This value is not in the picklist: Triumph.',
  );
  const byName = KEYS.map((key) => (key.source === 'quoteNumber' ? { ...key, field: 'NextStep' } : key));
  expect(problems([...byName, ...REQUIRED])).toContainEqual(expect.stringMatching(/^NextStep: .*external ID/));
  expect(problems([...KEYS, ...REQUIRED.slice(1)])).toContainEqual(expect.stringMatching(/^Name: .*requires/));
});
