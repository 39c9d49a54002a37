// The scopes of API keys. A scope allows to read or to change one group of calls (docs/decisions/0210).

/** A key never signs in, manages people, or makes keys. Otherwise its holder could gain more rights. */
export const KEYLESS_GROUPS: readonly string[] = ['Account', 'ApiKey', 'Auth', 'SignIn', 'SignOn', 'User', 'UserEdit'];

/** 'QuoteEdit:write'. The scope to change a group does not include the scope to read it. */
export function scopeOf({ group, changing }: { group: string; changing: boolean }): string {
  return `${group}:${changing ? 'write' : 'read'}`;
}
