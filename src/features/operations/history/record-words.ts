// Words for actions on records: 'Kim Lee deactivated the territory'. Every recorded action is defined here.
import { RECORD_TYPES, type RecordType } from './record-types.ts';

/** Every action, to follow the actor's name; % stands for the record. */
export const RECORD_ACTIONS = {
  Create: 'added the %',
  Edit: 'changed the %',
  Activate: 'activated the %',
  Deactivate: 'deactivated the %',
  End: 'ended the %',
  Remove: 'removed the %',
  Terminate: 'terminated the %',
  'New price': 'gave the % a new price',
  'Change price': 'changed a coming price of the %',
  'Remove price': 'took a coming price from the %',
  'Remove tier': 'removed a tier of the %',
  'Remove line': 'removed a line of the %',
  Move: 'moved the %',
  Restore: 'brought the % back',
  Refuse: 'refused the %',
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
  'Add identifier': 'added an identifier',
  'Change identifier': 'changed an identifier',
  'End identifier': 'ended an identifier',
  'Remove identifier': 'removed an identifier',
  'Show in quotes': 'showed the % in quotes',
  'Hide from quotes': 'hid the % from quotes',
  'Make products': 'made products of its items',
  'Map items': 'mapped items to the %',
  'Leave out': 'left the % out of the products',
  'Unmap items': 'took items from the %',
  Merge: 'merged the % into another',
  'Take over': 'merged others into the %',
  Split: 'split items off the %',
  'New revision': 'added a revision of the %',
  'Link document': 'linked a document to the %',
  'Unlink document': 'took a document from the %',
  'Hide picture': 'changed who sees pictures of the %',
  'Remove picture': 'removed a picture of the %',
  'Restore picture': 'brought pictures of the % back',
  'Order pictures': 'put the pictures of the % in another order',
  'Describe picture': 'wrote the text of a picture of the %',
  'New terms': 'wrote new terms',
  'New logo': 'chose a new logo',
  'Remove logo': 'removed the logo',
  'Send request': 'sent the %',
  'Start review': 'started to review the %',
  'Ask for information': 'asked for information on the %',
  'Give information': 'gave the information for the %',
  'Send to GPO': 'sent the % to the GPO',
  Approve: 'approved the %',
  Reject: 'rejected the %',
  Withdraw: 'withdrew the %',
  Revoke: 'revoked the approval of the %',
  Lapse: 'let the % lapse',
  'Join quote': 'added a quote to the %',
  'Leave quote': 'took a quote out of the %',
  Lock: 'locked the %',
  Unlock: 'unlocked the %',
} as const;
export type RecordAction = keyof typeof RECORD_ACTIONS;

/** Actions on an import itself. */
const IMPORT_WORDS: Record<string, string> = { Import: 'applied the import', Undo: 'undid the import' };

/** What happened, to follow the actor's name; without a type in general words. */
export function recordWords({ type, action }: { type?: RecordType; action: string }): string {
  const own = type === 'dataImport' ? IMPORT_WORDS[action] : undefined;
  const words = Object.hasOwn(RECORD_ACTIONS, action) ? RECORD_ACTIONS[action as RecordAction] : undefined;
  // An action that older versions wrote.
  if (!own && !words) return action.toLowerCase();
  return own ?? (words ?? '').replace('%', type ? RECORD_TYPES[type].label : 'record');
}
