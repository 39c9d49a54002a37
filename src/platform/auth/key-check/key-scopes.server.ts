// The scopes of API keys. A scope allows a key to read or to change one group of calls (docs/decisions/0043).

/** A key never signs in, manages users, creates keys, or reads mail. Otherwise its holder could gain more rights (docs/decisions/0043). */
const KEYLESS_GROUPS: readonly string[] = [
  'Account',
  'ApiKey',
  'Auth',
  'Mailbox',
  'SignIn',
  'SignOn',
  'User',
  'UserEdit',
];

/** Returns whether a key with the right scope may make this call. */
export function isForKeys({ group, peopleOnly }: { group: string; peopleOnly: boolean }): boolean {
  return !peopleOnly && !KEYLESS_GROUPS.includes(group);
}

/** Returns the scope that a call needs, such as 'QuoteEdit:write'. The scope to change a group does not include the scope to read it. */
export function scopeOf({ group, changing }: { group: string; changing: boolean }): string {
  return `${group}:${changing ? 'write' : 'read'}`;
}

/** Returns the scope that a key needs to see what the answer of a call shows. */
export function readScopeOf({ group, answersOf = group }: { group: string; answersOf?: string | undefined }): string {
  return `${answersOf}:read`;
}
