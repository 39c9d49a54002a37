// Who keeps contracts (issue decisions: roles).
import { hasRole, type Role, SEES_ALL_ROLES } from '#shared/roles.ts';

/** Who edits contracts, decides on letters of commitment, and sees administrative fees. */
export const CONTRACT_KEEPERS: readonly Role[] = ['contractdept', 'systemadmin'];

type HasRoles = { roles: readonly Role[] };

export function keepsContracts(user: HasRoles): boolean {
  return hasRole(user, ...CONTRACT_KEEPERS);
}

/** Who reads every contract and every roster; all others only those of the facilities they serve. */
export function readsAllContracts(user: HasRoles): boolean {
  return hasRole(user, ...SEES_ALL_ROLES);
}
