// Describes the loopback Salesforce's objects: the fields that quotes touch, with the lengths and rights of a new org.
import type { CrmField } from '#platform/outside/crm-field.ts';

const STAGES = [
  'Prospecting',
  'Value Proposition',
  'Proposal/Price Quote',
  'Negotiation/Review',
  'Closed Won',
  'Closed Lost',
];

function field(name: string, type: string, more: Partial<CrmField> = {}): CrmField {
  return {
    name,
    type,
    length: type === 'string' ? 255 : 0,
    createable: true,
    updateable: true,
    nillable: true,
    defaultedOnCreate: false,
    externalId: false,
    restrictedPicklist: false,
    picklistValues: [],
    ...more,
  };
}
const readOnly = { createable: false, updateable: false };
const onlyOnce = { updateable: false, nillable: false };
const id = field('Id', 'id', { ...readOnly, nillable: false, length: 18 });

export const SALESFORCE_FIELDS: Record<string, CrmField[]> = {
  Account: [
    id,
    field('Name', 'string', { nillable: false }),
    field('AccountNumber', 'string', { length: 40 }),
    field('Customer_Code__c', 'string', { length: 20, externalId: true }),
  ],
  Pricebook2: [id, field('Name', 'string'), field('IsStandard', 'boolean', readOnly)],
  PricebookEntry: [
    id,
    field('Pricebook2Id', 'reference', onlyOnce),
    field('ProductCode', 'string', readOnly),
    field('IsActive', 'boolean', { defaultedOnCreate: true }),
  ],
  Product2: [id, field('Name', 'string', { nillable: false }), field('ProductCode', 'string')],
  Opportunity: [
    id,
    field('Name', 'string', { length: 120, nillable: false }),
    field('AccountId', 'reference'),
    field('Pricebook2Id', 'reference'),
    field('StageName', 'picklist', {
      nillable: false,
      length: 255,
      restrictedPicklist: true,
      picklistValues: STAGES.map((value) => ({ value, active: true })),
    }),
    field('CloseDate', 'date', { nillable: false }),
    field('Amount', 'currency'),
    field('ExpectedRevenue', 'currency', readOnly),
    field('NextStep', 'string'),
    field('Description', 'textarea', { length: 32_000 }),
    field('IsPrivate', 'boolean', { nillable: false, defaultedOnCreate: true }),
    field('Quote_Number__c', 'string', { length: 20, externalId: true }),
    field('Quote_Revision__c', 'double'),
    field('Quote_Address__c', 'url', { length: 255 }),
  ],
  OpportunityLineItem: [
    id,
    field('OpportunityId', 'reference', onlyOnce),
    field('PricebookEntryId', 'reference', { updateable: false }),
    field('Quantity', 'double', { nillable: false }),
    field('UnitPrice', 'currency'),
    field('TotalPrice', 'currency'),
    field('Description', 'string'),
    field('ServiceDate', 'date'),
    field('Quote_Line_Id__c', 'string', { length: 20, externalId: true }),
  ],
  Contact: [
    id,
    field('AccountId', 'reference'),
    field('FirstName', 'string', { length: 40 }),
    field('LastName', 'string', { length: 80, nillable: false }),
    field('Name', 'string', { ...readOnly, length: 121 }),
    field('Email', 'email', { length: 80 }),
    field('Phone', 'phone', { length: 40 }),
    field('Title', 'string', { length: 128 }),
  ],
  OpportunityContactRole: [
    id,
    field('OpportunityId', 'reference', onlyOnce),
    field('ContactId', 'reference', onlyOnce),
    field('Role', 'picklist'),
    field('IsPrimary', 'boolean', { defaultedOnCreate: true }),
  ],
  Organization: [id, field('Name', 'string', readOnly), field('IsSandbox', 'boolean', readOnly)],
};
