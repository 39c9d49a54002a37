// The words of the audit: kinds, actions, and links to records.

import { RECORD_TYPES } from '#platform/history/record-types.ts';
import { RECORD_ACTIONS, recordWords } from '#platform/history/record-words.ts';
import { CONTRACT_KINDS } from '#core/prices/contracts/import/contract-kinds.ts';
import { EVENT_ACTIONS, eventWords } from '#core/quoting/quotes/events/event-words.ts';
import { capitalized } from '#platform/shared/capitalized.ts';
import { paths } from '#platform/shared/paths.ts';
import { type AuditEvent, type AuditKind, MOST_TEXT } from './audit.contract.ts';

/** The one action of a sign-in. */
export const SIGN_IN = 'SignIn';
export function kindLabel(kind: AuditKind): string {
  if (kind === 'quote') return 'Quote';
  return kind === 'signIn' ? 'Sign-in' : capitalized(RECORD_TYPES[kind].label);
}

/** Says what happened, in words that follow the actor's name. */
export function auditWords({ kind, action, actor }: Pick<AuditEvent, 'kind' | 'action' | 'actor'>): string {
  if (kind === 'signIn') return 'signed in';
  return kind === 'quote' ? eventWords({ action, actor }) : recordWords({ type: kind, action });
}

type Choice = { value: string; label: string };

/** The actions to choose from, of one kind or of all kinds in groups. Records and quotes share some words. */
export function actionChoices(kind: AuditKind | null): { group: string; items: Choice[] }[] {
  const ofQuotes = (action: string): Choice => ({
    value: action,
    label: capitalized(eventWords({ action, actor: '' })),
  });
  const ofRecords = (action: string): Choice => ({
    value: action,
    label: capitalized(
      recordWords({ action, ...(kind && kind !== 'quote' && kind !== 'signIn' ? { type: kind } : {}) }),
    ),
  });
  const signIn = { value: SIGN_IN, label: 'Signed in' };
  const records = Object.keys(RECORD_ACTIONS);
  if (kind === 'quote') return [{ group: 'Quotes', items: EVENT_ACTIONS.map(ofQuotes) }];
  if (kind === 'signIn') return [{ group: 'Sign-ins', items: [signIn] }];
  if (kind) return [{ group: kindLabel(kind), items: records.map(ofRecords) }];
  const shared = records.filter((action) => EVENT_ACTIONS.includes(action));
  const own = (action: string) => !shared.includes(action);
  return [
    {
      group: 'Everything',
      items: [
        ...shared.map((value) => ({
          value,
          label: capitalized(recordWords({ action: value }).replace(/record$/, 'record or quote')),
        })),
        signIn,
      ],
    },
    { group: 'Quotes', items: EVENT_ACTIONS.filter(own).map(ofQuotes) },
    { group: 'Records', items: records.filter(own).map(ofRecords) },
  ];
}

/** The screen of an import; the import's name begins with its kind. */
function importScreen(name: string): string {
  if (name.startsWith('ZIP assignments:')) return paths.tazImport;
  if (name.startsWith('ZIP areas:')) return paths.zipAreas;
  return CONTRACT_KINDS.some(({ label }) => name.startsWith(`${label}:`)) ? paths.contractImport : paths.dataImport;
}

/**
 * The link to a record. A list without a screen per record is searched by the record's name. A picture links to its events, because it may be in
 * the inbox or the gallery, and a saved view, because it may be of any list.
 */
export function recordLink({ kind, recordId: id, name }: Pick<AuditEvent, 'kind' | 'recordId' | 'name'>): {
  to: string;
  search?: Record<string, string>;
} {
  const named = { page: '1', keyword: name };
  switch (kind) {
    case 'quote':
      return { to: paths.internalBoard(id) };
    case 'user':
    case 'signIn':
      return { to: paths.editUser(id) };
    case 'picture':
    case 'savedView':
    case 'sentReport':
      return { to: paths.audit, search: { kind, text: name.slice(0, MOST_TEXT) } };
    case 'territory':
      return { to: paths.territory(id) };
    case 'facility':
      return { to: paths.facility(id) };
    case 'configurableModel':
      return { to: paths.configurableModel(id) };
    case 'quoteTemplate':
      return { to: paths.quoteTemplate(id) };
    case 'savingsAnalysis':
      return { to: paths.savingsAnalysis(id) };
    case 'apiKey':
      return { to: paths.apiKeys, search: named };
    case 'territoryPlan':
      return { to: paths.savedMap(id) };
    case 'region':
      return { to: paths.regions, search: { ...named, active: 'all' } };
    case 'item':
      return { to: paths.itemMapping, search: { page: '1', keyword: name, state: 'Ignored' } };
    case 'product':
      return { to: paths.product(id) };
    case 'document':
    case 'documentCategory':
      return { to: paths.itemDocuments, search: kind === 'document' ? named : {} };
    case 'crossReference':
      return { to: paths.crossReferences, search: { ...named, state: 'all' } };
    case 'itemClass':
      return { to: paths.itemClasses, search: named };
    case 'promotion':
      return { to: paths.promotions, search: named };
    case 'contract':
      return { to: paths.contract(id) };
    case 'contractTier':
    case 'contractLine':
      return { to: paths.contracts, search: { page: '1', keyword: name.split(',')[0] ?? '' } };
    case 'approvalAbsence':
      return { to: paths.absences };
    case 'approvalReminder':
    case 'approvalRule':
      return { to: paths.approvalRules };
    case 'crm':
      return { to: paths.crmSettings };
    case 'signInRule':
      return { to: paths.signInSettings };
    case 'webhook':
      return { to: paths.webhooks };
    case 'orderSettings':
      return { to: paths.orderSettings };
    case 'notificationSettings':
      return { to: paths.notificationSettings };
    case 'feature':
      return { to: paths.features };
    case 'retention':
      return { to: paths.retention };
    case 'publicSite':
      return { to: paths.publicSite };
    case 'rosterRow':
    case 'letter':
      return { to: paths.contracts, search: { keyword: name.split(' in ').at(-1) ?? '' } };
    case 'eligibilityRequest':
      return { to: paths.eligibilityRequest(id) };
    case 'contractFolder':
    case 'contractFile':
      return { to: paths.contractFolders, search: { keyword: name } };
    case 'zipAreas':
      return { to: paths.zipAreas };
    case 'dataImport':
      return { to: importScreen(name) };
    case 'company':
    case 'currency':
      return { to: paths.company };
  }
}
