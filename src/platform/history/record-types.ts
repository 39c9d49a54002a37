// The kinds of administered records: their names, for some also in the plural (`several`), the roles that may read their history, and the kind of
// entry that the security log records for their changes.
import type { SecurityKind } from '#platform/security-events/security-kinds.ts';
import type { Role } from '#platform/shared/roles.ts';

const SALES: readonly Role[] = ['systemadmin', 'salesadmin'];
/** The roles that may see the administrative fee. Contract/GetContractHistory returns the history without it to other users. */
const CONTRACTS: readonly Role[] = ['systemadmin', 'contractdept'];
const SYSTEM: readonly Role[] = ['systemadmin'];

export const RECORD_TYPES = {
  company: { label: 'company', readers: SYSTEM, security: 'Settings' },
  user: { label: 'user', readers: SYSTEM, security: 'Rights' },
  region: { label: 'region', readers: SALES, security: 'Rights' },
  territory: { label: 'territory', readers: SALES },
  facility: { label: 'facility', readers: SALES },
  itemClass: { label: 'item class', readers: SALES },
  crossReference: { label: 'cross-reference', readers: SALES },
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
  approvalRule: { label: 'approval rule', readers: SYSTEM, security: 'Settings' },
  approvalReminder: { label: 'approval reminders', several: true, readers: SYSTEM, security: 'Settings' },
  approvalAbsence: { label: 'absence', readers: SYSTEM, security: 'Rights' },
  currency: { label: 'currency', readers: SYSTEM, security: 'Settings' },
  crm: { label: 'connection to the CRM', readers: SYSTEM, security: 'Settings' },
  signInRule: { label: 'sign-in rules', several: true, readers: SYSTEM, security: 'Rights' },
  orderSettings: { label: 'order settings', several: true, readers: SYSTEM, security: 'Settings' },
  notificationSettings: { label: 'notification settings', several: true, readers: SYSTEM, security: 'Settings' },
  retention: { label: 'retention rules', several: true, readers: SYSTEM, security: 'Settings' },
  feature: { label: 'features', several: true, readers: SYSTEM, security: 'Settings' },
  publicSite: { label: 'public site', readers: SYSTEM, security: 'Settings' },
  rosterRow: { label: 'roster row', readers: ['systemadmin', 'contractdept'] },
  letter: { label: 'letter of commitment', readers: ['systemadmin', 'contractdept'] },
  eligibilityRequest: { label: 'eligibility request', readers: ['systemadmin', 'contractdept'] },
  contractFolder: { label: 'folder', readers: ['systemadmin', 'contractdept'] },
  contractFile: { label: 'file', readers: ['systemadmin', 'contractdept'] },
  apiKey: { label: 'API key', readers: SYSTEM, security: 'Key' },
  webhook: { label: 'webhook', readers: SYSTEM, security: 'Settings' },
  savedView: { label: 'saved view', readers: SYSTEM },
  sentReport: { label: 'report sent by email', readers: SYSTEM },
  territoryPlan: { label: 'territory plan', readers: SALES },
  zipAreas: { label: 'ZIP areas', several: true, readers: SALES },
  savingsAnalysis: { label: 'savings analysis', readers: SALES },
  dataImport: { label: 'import', readers: SALES },
} as const satisfies Record<
  string,
  { label: string; several?: true; readers: readonly Role[]; security?: SecurityKind }
>;

export type RecordType = keyof typeof RECORD_TYPES;
export const RECORD_TYPE_IDS = Object.keys(RECORD_TYPES) as [RecordType, ...RecordType[]];
