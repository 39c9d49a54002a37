// The words of the audit: kinds and actions.
import { RECORD_TYPES } from '#platform/history/record-types.ts';
import { RECORD_ACTIONS, recordWords } from '#platform/history/record-words.ts';
import { EVENT_ACTIONS, eventWords } from '#core/quoting/quotes/events/event-words.ts';
import { capitalized } from '#platform/shared/capitalized.ts';
import type { AuditEvent, AuditKind } from './audit.contract.ts';

/** The only action of a sign-in. */
export const SIGN_IN = 'SignIn';

export function kindLabel(kind: AuditKind): string {
  if (kind === 'quote') return 'Quote';
  return kind === 'signIn' ? 'Sign-in' : capitalized(RECORD_TYPES[kind].label);
}

/** Returns what happened, in words that follow the actor's name. */
export function auditWords({ kind, action, actor }: Pick<AuditEvent, 'kind' | 'action' | 'actor'>): string {
  if (kind === 'signIn') return 'signed in';
  return kind === 'quote' ? eventWords({ action, actor }) : recordWords({ type: kind, action });
}

type Choice = { value: string; label: string };

/** Returns the actions to choose from, of one kind or of all kinds in groups. Records and quotes share some words. */
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
