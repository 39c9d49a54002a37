// The kinds of administered records: their names, which some have in the plural (`several`), and who may read their history.
import type { Role } from '#shared/roles.ts';

const SALES: readonly Role[] = ['systemadmin', 'salesadmin'];
/** The roles that may see the administrative fee. Contract/GetContractHistory gives other people the history without it. */
const CONTRACTS: readonly Role[] = ['systemadmin', 'contractdept'];
const SYSTEM: readonly Role[] = ['systemadmin'];

export const RECORD_TYPES = {
  company: { label: 'company', readers: SYSTEM },
  user: { label: 'user', readers: SYSTEM },
  region: { label: 'region', readers: SALES },
  territory: { label: 'territory', readers: SALES },
  facility: { label: 'facility', readers: SALES },
  itemClass: { label: 'item class', readers: SALES },
  picture: { label: 'picture', readers: SALES },
  item: { label: 'item', readers: SALES },
  product: { label: 'product', readers: SALES },
  document: { label: 'document', readers: SALES },
  documentCategory: { label: 'document category', readers: SALES },
  promotion: { label: 'promotion', readers: SALES },
  contract: { label: 'contract', readers: CONTRACTS },
  contractTier: { label: 'contract tier', readers: CONTRACTS },
  contractLine: { label: 'contract line', readers: CONTRACTS },
  quoteTemplate: { label: 'quote template', readers: SALES },
  configurableModel: { label: 'configurable model', readers: SALES },
  approvalRule: { label: 'approval rule', readers: SYSTEM },
  approvalReminder: { label: 'approval reminders', several: true, readers: SYSTEM },
  approvalAbsence: { label: 'absence', readers: SYSTEM },
  currency: { label: 'currency', readers: SYSTEM },
  crm: { label: 'connection to the CRM', readers: SYSTEM },
  signInRule: { label: 'sign-in rules', several: true, readers: SYSTEM },
  orderSettings: { label: 'order settings', several: true, readers: SYSTEM },
  publicSite: { label: 'public site', readers: SYSTEM },
  rosterRow: { label: 'roster row', readers: ['systemadmin', 'contractdept'] },
  letter: { label: 'letter of commitment', readers: ['systemadmin', 'contractdept'] },
  eligibilityRequest: { label: 'eligibility request', readers: ['systemadmin', 'contractdept'] },
  contractFolder: { label: 'folder', readers: ['systemadmin', 'contractdept'] },
  contractFile: { label: 'file', readers: ['systemadmin', 'contractdept'] },
  apiKey: { label: 'API key', readers: SYSTEM },
  webhook: { label: 'webhook', readers: SYSTEM },
  territoryPlan: { label: 'territory plan', readers: SALES },
  zipAreas: { label: 'ZIP areas', several: true, readers: SALES },
  dataImport: { label: 'import', readers: SALES },
} as const satisfies Record<string, { label: string; several?: true; readers: readonly Role[] }>;

export type RecordType = keyof typeof RECORD_TYPES;
export const RECORD_TYPE_IDS = Object.keys(RECORD_TYPES) as [RecordType, ...RecordType[]];
