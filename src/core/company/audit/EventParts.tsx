// The parts of an event in the audit and the security log: its time, and the link to its record.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CONTRACT_KINDS } from '#core/prices/contracts/import/contract-kinds.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { type AuditEvent, MAX_TEXT_LENGTH } from './audit.contract.ts';

export function When({ at, timeZone }: { at: string; timeZone: string | undefined }) {
  return (
    <time dateTime={at} className="tabular" style={{ whiteSpace: 'nowrap' }}>
      {formatInstant(at, timeZone)}
    </time>
  );
}

type Recorded = Pick<AuditEvent, 'kind' | 'recordId' | 'name'>;

export function RecordLink({ event }: { event: Recorded }) {
  const { to, search } = placeOf(event);
  return (
    <Anchor
      style={{ overflowWrap: 'anywhere' }}
      renderRoot={(props) => <Link {...props} to={to} {...(search ? { search } : {})} />}
    >
      {event.name}
    </Anchor>
  );
}

/**
 * Returns the page of a record. A list without a page per record is searched by the record's name. A picture links to its events, because it may be
 * in the inbox or the gallery. So does a saved view, because it may belong to any list.
 */
function placeOf({ kind, recordId: id, name }: Recorded): {
  to: string;
  search?: Record<string, string>;
} {
  const search = { page: '1', keyword: name };
  switch (kind) {
    case 'quote':
      return { to: paths.internalBoard(id) };
    case 'user':
    case 'signIn':
      return { to: paths.editUser(id) };
    case 'picture':
    case 'savedView':
    case 'sentReport':
      return { to: paths.audit, search: { kind, text: name.slice(0, MAX_TEXT_LENGTH) } };
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
      return { to: paths.apiKeys, search: search };
    case 'territoryPlan':
      return { to: paths.savedMap(id) };
    case 'region':
      return { to: paths.regions, search: { ...search, active: 'all' } };
    case 'item':
      return { to: paths.itemMapping, search: { page: '1', keyword: name, state: 'Ignored' } };
    case 'product':
      return { to: paths.product(id) };
    case 'document':
    case 'documentCategory':
      return { to: paths.itemDocuments, search: kind === 'document' ? search : {} };
    case 'crossReference':
      return { to: paths.crossReferences, search: { ...search, state: 'all' } };
    case 'itemClass':
      return { to: paths.itemClasses, search: search };
    case 'promotion':
      return { to: paths.promotions, search: search };
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

/** Returns the page of an import. The name of the import begins with its kind. */
function importScreen(name: string): string {
  if (name.startsWith('ZIP assignments:')) return paths.tazImport;
  if (name.startsWith('ZIP areas:')) return paths.zipAreas;
  return CONTRACT_KINDS.some(({ label }) => name.startsWith(`${label}:`)) ? paths.contractImport : paths.dataImport;
}
