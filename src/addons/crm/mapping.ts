// Maps values of a quote to fields of the CRM: the sources, the rows, and what an org does not accept (docs/decisions/0038).
import type { ExportedText } from '#core/quoting/quotes/quote-fields.ts';
import type { StatusId } from '#core/quoting/quotes/status.ts';
import type { CrmField } from '#platform/outside/crm-field.ts';

export const CRM_OBJECTS = ['Account', 'PricebookEntry', 'Opportunity', 'OpportunityLineItem', 'Contact'] as const;
export type CrmObject = (typeof CRM_OBJECTS)[number];

type Kind = 'text' | 'number' | 'date' | 'id';
type Source = {
  label: string;
  kind: Kind;
  /** The longest text that the source returns. 0 means no limit. */
  max: number;
  /** True if its row must not be removed, because records are found by it. */
  key?: true;
};

const textSource = (label: string, max: number): Source => ({ label, kind: 'text', max });
const number = (label: string): Source => ({ label, kind: 'number', max: 0 });
const date = (label: string): Source => ({ label, kind: 'date', max: 0 });

/** The values of a quote that each object may get. */
export const SOURCES = {
  Account: { accountNumber: { ...textSource('Account number', 40), key: true } },
  PricebookEntry: { itemNumber: { ...textSource('Item number', 100), key: true }, currency: textSource('Currency', 3) },
  Opportunity: {
    quoteNumber: { ...textSource('Quote number', 10), key: true },
    title: textSource('Facility and quote number', 120),
    stage: textSource('Stage for the status', 0),
    closeDate: date('Valid until, or the day the quote was closed'),
    totalAmount: number('Total'),
    subtotal: number('Subtotal'),
    freightAmount: number('Freight'),
    taxAmount: number('Tax'),
    revision: number('Revision'),
    status: textSource('Status', 20),
    currency: textSource('Currency', 3),
    quoteDate: date('Quote date'),
    validUntil: date('Valid until'),
    facilityName: textSource('Facility', 200),
    facilityAcctNo: textSource('Account number', 40),
    salesRepName: textSource('Sales rep.', 200),
    salesRepEmail: textSource('Sales rep. email', 320),
    customerReference: textSource('Customer reference', 100),
    poNumber: textSource('PO number', 100),
    lostReason: textSource('Loss reason', 100),
    lostCompetitor: textSource('Winning competitor', 100),
    lostCompetitorPrice: number('Competitor price'),
    url: textSource('Link to the quote', 255),
  },
  OpportunityLineItem: {
    lineId: { ...textSource('Line ID', 10), key: true },
    quantity: number('Quantity'),
    lineTotal: number('Line total'),
    unitPrice: number('Unit price'),
    netPrice: number('Unit price after quote discount'),
    listPrice: number('List price'),
    discountPct: number('Discount %'),
    netDiscountPct: number('Discount %, including quote discount'),
    lineNo: number('Line number'),
    itemNumber: textSource('Item number', 100),
    description: textSource('Description', 255),
    unit: textSource('Unit', 20),
  },
  Contact: {
    // The CRM refuses a longer address.
    contactEmail: { ...textSource('Email', 80), key: true },
    contactFirstName: textSource('First name', 40),
    contactLastName: textSource('Last name', 80),
    contactPhone: textSource('Phone', 40),
  },
} as const satisfies Record<CrmObject, Record<string, Source>> & { Opportunity: Record<ExportedText['name'], Source> };

export type SourceOf<O extends CrmObject> = keyof (typeof SOURCES)[O] & string;

export type MappingRow = { object: CrmObject; field: string; source: string; constant: string };
export type Stages = Record<StatusId, string>;
export type Mapping = { rows: MappingRow[]; stages: Stages };

/** The name of a CRM field. For a price book entry, it can also be a field of its product. */
export const FIELD_NAME = /^(Product2\.)?[A-Za-z][A-Za-z0-9_]{0,79}$/;
/** Fields that the push itself sets. */
const OWN_FIELDS = new Set(['Id', 'AccountId', 'Pricebook2Id', 'PricebookEntryId', 'OpportunityId', 'ContactId']);

export function sourceOf(object: CrmObject, source: string): Source | undefined {
  const sources: Record<string, Source> = SOURCES[object];
  return Object.hasOwn(sources, source) ? sources[source] : undefined;
}

/** The field by which records of an object are found. */
export function keyFieldOf(rows: readonly MappingRow[], object: CrmObject): string {
  return rows.find((row) => row.object === object && sourceOf(object, row.source)?.key)?.field ?? '';
}

export type MappingProblem = { object: CrmObject; field: string; problem: string };

/** The problems of mapping rows that do not depend on the org. */
export function wrongRows(rows: readonly MappingRow[]): { index: number; path: 'field' | 'source'; problem: string }[] {
  const wrong: ReturnType<typeof wrongRows> = [];
  for (const [index, { object, field, source }] of rows.entries()) {
    const say = (path: 'field' | 'source', problem: string) => wrong.push({ index, path, problem });
    const isProductField = field.startsWith('Product2.');
    if (!FIELD_NAME.test(field) || (isProductField && object !== 'PricebookEntry'))
      say('field', 'Enter the API name of the field, such as Next_Step__c.');
    else if (OWN_FIELDS.has(field)) say('field', 'This field is set automatically. Remove it from the mapping.');
    else if (
      rows.findIndex((row) => row.object === object && row.field.toLowerCase() === field.toLowerCase()) !== index
    )
      say('field', 'This field is already mapped.');
    if (source !== '' && !sourceOf(object, source)) say('source', 'Choose a value for this field.');
  }
  for (const object of CRM_OBJECTS) {
    const keys = rows.flatMap((row, index) =>
      row.object === object && sourceOf(object, row.source)?.key ? [index] : [],
    );
    if (keys.length === 0)
      wrong.push({ index: -1, path: 'source', problem: `Map a field of ${object} to ${keyLabel(object)}.` });
    for (const index of keys.slice(1))
      wrong.push({ index, path: 'source', problem: `${keyLabel(object)} is already mapped.` });
  }
  const fields = new Set(rows.filter(({ object }) => object === 'OpportunityLineItem').map(({ field }) => field));
  if (fields.has('UnitPrice') && fields.has('TotalPrice'))
    wrong.push({
      index: rows.findIndex((row) => row.object === 'OpportunityLineItem' && row.field === 'UnitPrice'),
      path: 'field',
      problem: 'Map either UnitPrice or TotalPrice, not both.',
    });
  return wrong;
}

function keyLabel(object: CrmObject): string {
  return Object.values<Source>(SOURCES[object]).find(({ key }) => key)?.label ?? '';
}

const TAKES: Record<Kind, ReadonlySet<string>> = {
  number: new Set(['double', 'currency', 'percent', 'int', 'long', 'string', 'textarea']),
  date: new Set(['date', 'string', 'textarea']),
  id: new Set(['id', 'reference']),
  text: new Set([
    'string',
    'textarea',
    'picklist',
    'combobox',
    'email',
    'phone',
    'url',
    'reference',
    'encryptedstring',
  ]),
};

/** The parts of a mapping that an org does not accept. `described` contains the fields of each object and of Product2. */
export function problemsIn(
  { rows, stages }: Mapping,
  described: Partial<Record<CrmObject | 'Product2', readonly CrmField[]>>,
): MappingProblem[] {
  const problems: MappingProblem[] = [];
  for (const { object, field, source, constant } of rows) {
    const say = (problem: string) => problems.push({ object, field, problem });
    const [name, objectName] = field.startsWith('Product2.') ? [field.slice(9), 'Product2' as const] : [field, object];
    const facts = described[objectName]?.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (!facts) {
      say(`The field does not exist in ${objectName}, or the connected user cannot see it.`);
      continue;
    }
    const isKey = sourceOf(object, source)?.key === true;
    if ((object === 'Opportunity' || object === 'OpportunityLineItem') && isKey && !facts.externalId)
      say('Records are matched by this field, so it must be an external ID and should be unique.');
    // The push only reads accounts and price book entries.
    const isWritten = object !== 'Account' && object !== 'PricebookEntry';
    if (isWritten && !(facts.createable && facts.updateable)) say('The connected user cannot edit this field.');
    for (const problem of valueProblems(facts, { object, source, constant }, stages)) say(problem);
  }
  for (const object of ['Opportunity', 'OpportunityLineItem', 'Contact'] as const) {
    const mappedFields = new Set(rows.filter((row) => row.object === object).map(({ field }) => field.toLowerCase()));
    for (const { name, nillable, createable, defaultedOnCreate } of described[object] ?? [])
      if (
        createable &&
        !nillable &&
        !defaultedOnCreate &&
        !OWN_FIELDS.has(name) &&
        !mappedFields.has(name.toLowerCase())
      )
        problems.push({ object, field: name, problem: 'Salesforce requires this field, but it is not mapped.' });
  }
  return problems;
}

function valueProblems(
  facts: CrmField,
  { object, source, constant }: Omit<MappingRow, 'field'>,
  stages: Stages,
): string[] {
  const known = sourceOf(object, source);
  const values = source === 'stage' ? Object.values(stages) : source === '' ? [constant] : null;
  if (values === null && known && !TAKES[known.kind].has(facts.type))
    return [`A field of type ${facts.type} cannot hold the value “${known.label}”.`];
  const problems: string[] = [];
  const longest = values ? Math.max(...values.map(({ length }) => length)) : (known?.max ?? 0);
  if (facts.length > 0 && longest > facts.length)
    problems.push(`The field holds ${facts.length} characters, but the value can have ${longest}.`);
  if (values && facts.type === 'boolean' && !values.every((value) => /^(true|false)$/.test(value)))
    problems.push('The value must be true or false.');
  if (values && TAKES.number.has(facts.type) && facts.type !== 'string' && facts.type !== 'textarea')
    if (!values.every((value) => value.trim() !== '' && Number.isFinite(Number(value))))
      problems.push('The value must be a number.');
  if (values && facts.type === 'date' && !values.every((value) => /^\d{4}-\d{2}-\d{2}$/.test(value)))
    problems.push('The value must be a date such as 2026-12-31.');
  if (values && (facts.restrictedPicklist || (facts.type === 'picklist' && source === 'stage'))) {
    const active = new Set(
      facts.picklistValues.filter((picklistValue) => picklistValue.active).map(({ value }) => value),
    );
    const missing = [...new Set(values)].filter((value) => !active.has(value));
    if (missing.length > 0)
      problems.push(
        `${missing.length === 1 ? 'This value is' : 'These values are'} not in the picklist: ${missing.join(', ')}.`,
      );
  }
  return problems;
}
