// The scopes of API keys. A scope allows to read or to change one group of calls (docs/decisions/0043).

/** A key never signs in, manages people, makes keys, or reads mail. Otherwise its holder could gain more rights (docs/decisions/0043). */
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

/** Whether a key may make this call, if it has the scope. */
export function isForKeys({ group, peopleOnly }: { group: string; peopleOnly: boolean }): boolean {
  return !peopleOnly && !KEYLESS_GROUPS.includes(group);
}

/** 'QuoteEdit:write'. The scope to change a group does not include the scope to read it. */
export function scopeOf({ group, changing }: { group: string; changing: boolean }): string {
  return `${group}:${changing ? 'write' : 'read'}`;
}

/** The scope that lets a key see what the answer of a call shows. */
export function readScopeOf({ group, answersOf = group }: { group: string; answersOf?: string | undefined }): string {
  return `${answersOf}:read`;
}
