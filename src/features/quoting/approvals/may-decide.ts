// Who may decide an approval request (design 2 and 3).
import type { Role } from '#shared/roles.ts';

/**
 * Whether a person's roles reach over every rule that fired: the rule's own role; salesadmin, who approves without limit, over every
 * role's rules but a system administrator's; systemadmin over all. That nobody decides their own request is checked beside it.
 */
export function mayDecide(user: { roles: readonly Role[] }, rules: readonly { role: Role }[]): boolean {
  const has = (role: Role) => user.roles.includes(role);
  const reaches = ({ role }: { role: Role }) =>
    has(role) || has('systemadmin') || (has('salesadmin') && role !== 'systemadmin');
  return rules.every(reaches);
}
