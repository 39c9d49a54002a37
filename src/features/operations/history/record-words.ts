// What was done to a record, in people's words: 'Kim Lee deactivated the territory'. The one home of the actions that are recorded.
import { RECORD_TYPES, type RecordType } from './record-types.ts';

/** Every action, as it goes on after the name of who did it; % is what the record is called. */
export const RECORD_ACTIONS = {
  Create: 'added the %',
  Edit: 'changed the %',
  Activate: 'activated the %',
  Deactivate: 'deactivated the %',
  End: 'ended the %',
  Move: 'moved the %',
  Import: 'changed the % by an import',
  Undo: 'put the % back to before an import',
  Invite: 'invited the %',
  'Accept invitation': 'accepted the invitation',
  'Sign out everywhere': 'signed the % out everywhere',
  'Sign out one device': 'signed the % out on one device',
  'Hand over': 'handed the % over',
  'Add ZIPs': 'added ZIPs',
  'ZIPs taken': 'gave its ZIPs to another territory',
  'End ZIPs': 'ended ZIPs',
  'Remove ZIPs': 'removed ZIPs',
  'Add override': 'added an account override',
  'Change override': 'changed an account override',
  'End override': 'ended an account override',
  'Remove override': 'removed an account override',
  'Add contact': 'added a contact',
  'Change contact': 'changed a contact',
  'Remove contact': 'removed a contact',
  'Add membership': 'added a GPO membership',
  'Change membership': 'changed a GPO membership',
  'End membership': 'ended a GPO membership',
  'Remove membership': 'removed a GPO membership',
  'Show in quotes': 'showed the % in quotes',
  'Hide from quotes': 'hid the % from quotes',
  'Make products': 'made products of its items',
  'New terms': 'wrote new terms',
  'New logo': 'chose a new logo',
  'Remove logo': 'removed the logo',
  Lock: 'locked the %',
  Unlock: 'unlocked the %',
} as const;
export type RecordAction = keyof typeof RECORD_ACTIONS;

/** What is done to an import itself. */
const IMPORT_WORDS: Record<string, string> = { Import: 'applied the import', Undo: 'undid the import' };

/** What was done, to follow the name of who did it; without a type as it is said of any record. */
export function recordWords({ type, action }: { type?: RecordType; action: string }): string {
  const own = type === 'dataImport' ? IMPORT_WORDS[action] : undefined;
  const words = Object.hasOwn(RECORD_ACTIONS, action) ? RECORD_ACTIONS[action as RecordAction] : undefined;
  // An action of an older version that is not written any more.
  if (!own && !words) return action.toLowerCase();
  return own ?? (words ?? '').replace('%', type ? RECORD_TYPES[type].label : 'record');
}
