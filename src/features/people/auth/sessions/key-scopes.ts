// The scopes of API keys: a group of calls, to read or to change (docs/decisions/0210).

/** A key never signs in, manages people, or makes keys: whoever holds one could otherwise give themselves more. */
export const KEYLESS_GROUPS: readonly string[] = ['Account', 'ApiKey', 'Auth', 'SignIn', 'SignOn', 'User', 'UserEdit'];

/** 'QuoteEdit:write'. The scope to change a group does not hold the scope to read it. */
export function scopeOf({ group, changing }: { group: string; changing: boolean }): string {
  return `${group}:${changing ? 'write' : 'read'}`;
}
