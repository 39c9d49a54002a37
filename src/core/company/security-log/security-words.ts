// The words of the security log.
import { RECORD_TYPE_IDS } from '#platform/history/record-types.ts';
import { recordWords } from '#platform/history/record-words.ts';
import { SECURITY_ACTIONS, type SecurityAction, type SecurityKind } from '#platform/security-events/security-kinds.ts';
import type { Tone } from '#platform/ui/tones.ts';

export const KIND_LABELS: Record<SecurityKind, string> = {
  SignInFailed: 'Failed sign-in',
  LockedOut: 'Locked out',
  Refused: 'Refused',
  Key: 'API key',
  Rights: 'Rights',
  Settings: 'Settings',
  Export: 'Export',
};

export const KIND_TONES: Record<SecurityKind, Tone> = {
  SignInFailed: 'orange',
  LockedOut: 'red',
  Refused: 'red',
  Key: 'violet',
  Rights: 'blue',
  Settings: 'blue',
  Export: 'green',
};

/** Returns what happened, in words that follow the name of the actor. `recordType` is set for a change. */
export function securityWords(action: string, recordType: string | null): string {
  const type = RECORD_TYPE_IDS.find((candidate) => candidate === recordType);
  if (type) return recordWords({ type, action });
  return Object.hasOwn(SECURITY_ACTIONS, action) ? SECURITY_ACTIONS[action as SecurityAction] : action.toLowerCase();
}
