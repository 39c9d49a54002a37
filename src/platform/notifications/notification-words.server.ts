// The text and the link of a notification, which depend on its kind and on the current state of its subject. Pure.
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole, opensInternalBoard, type Role } from '#platform/shared/roles.ts';
import type { NotificationKind } from './notification-kinds.ts';

export type About = {
  kind: NotificationKind;
  quoteId: number | null;
  aboutId: number | null;
  /** The user who caused it; empty if there is none. */
  by: string;
  /** The last day of the quote. */
  validUntil: string | null;
  /** The state of the quote's newest request for approval. */
  approval: string | null;
  /** The import as it is now; absent if it was cleared. */
  importRun: { kind: string; state: string; refused: number } | null;
};

export function titleOf({ kind, quoteId, by, validUntil, approval, importRun }: About): string {
  const somebody = by || 'Someone';
  const many = MANY[kind];
  if (many && quoteId === null) return many.title(somebody);
  switch (kind) {
    case 'approvalAsked':
      return `${somebody} asks you for discount approval`;
    case 'approvalDecided':
      return `${somebody} ${approval === 'Approved' ? 'approved' : approval === 'Rejected' ? 'rejected' : 'decided on'} the discount`;
    case 'infoAsked':
      return `${somebody} asks for information`;
    case 'question':
      return `${somebody} wrote on the customer’s page`;
    case 'accepted':
      return `${somebody} accepted the quote`;
    case 'declined':
      return `${somebody} declined the quote`;
    case 'opened':
      return 'The customer opened the quote for the first time';
    case 'expiring':
      return `Valid until ${formatDate(validUntil)}`;
    case 'atRisk':
      return 'A price is at risk';
    case 'assigned':
      return `${somebody} assigned the quote to you`;
    case 'mentioned':
      return `${somebody} mentions you`;
    case 'importEnded':
    case 'importInbox':
      return importRun ? importWords(importRun) : 'The file was refused';
    case 'webhookFailing':
      return 'Webhooks are failing';
    case 'crmFailing':
      return 'Pushes to the CRM are failing';
  }
}

/** For kinds that may notify a user about many quotes at once: the title, and the path of the list of these quotes. */
const MANY: Partial<Record<NotificationKind, { title: (by: string) => string; path: string }>> = {
  atRisk: { title: () => 'Prices of many quotes are at risk', path: paths.contractRisks },
  assigned: { title: (by) => `${by} assigned many quotes to you`, path: paths.home },
  expiring: { title: () => 'Many sent quotes expire in 7 days', path: paths.home },
};

function importWords({ state, refused }: NonNullable<About['importRun']>): string {
  if (state === 'Failed') return 'The import failed';
  if (state === 'Undone') return 'The import was undone';
  const rows = refused > 0 ? `, ${countOf(refused, 'row', 'rows')} refused` : '';
  return `The import is ${state === 'Applied' ? 'finished' : 'checked'}${rows}`;
}

/** Returns the address of the exact place, for a user with these roles. */
export function placeAddress(
  { kind, quoteId, aboutId, importRun }: Pick<About, 'kind' | 'quoteId' | 'aboutId' | 'importRun'>,
  reader: { roles: readonly Role[] },
): string {
  if (quoteId !== null) {
    const internal = opensInternalBoard(reader) || hasRole(reader, 'salesadmin', 'contractdept');
    const board = internal || kind === 'approvalAsked' ? paths.internalBoard(quoteId) : paths.publicBoard(quoteId);
    if (kind === 'approvalAsked') return `${board}?decide`;
    return kind === 'mentioned' && aboutId !== null ? `${board}?comment=${aboutId}` : board;
  }
  const many = MANY[kind];
  if (many) return many.path;
  if (kind === 'webhookFailing') return paths.webhooks;
  if (kind === 'crmFailing') return paths.crmPushes;
  return importRun && aboutId !== null ? importPlace(importRun.kind, aboutId) : paths.dataImport;
}

/** Returns the address of an import. */
export function importPlace(kind: string, id: number): string {
  return `${IMPORT_SCREENS[kind] ?? paths.dataImport}?import=${id}`;
}

/** The screens of import kinds that are not on the Data Import page. */
const IMPORT_SCREENS: Record<string, string> = {
  taz: paths.tazImport,
  'zip-areas': paths.zipAreas,
  contracts: paths.contractImport,
  'contract-prices': paths.contractImport,
  rosters: paths.contractImport,
  letters: paths.contractImport,
};
