// The roles that edit and read contracts (issue decisions: roles).
import { hasRole, type Role, SEES_ALL_ROLES } from '#platform/shared/roles.ts';

/** The roles that edit contracts, decide on letters of commitment, and see administrative fees. */
export const CONTRACT_KEEPERS: readonly Role[] = ['contractdept', 'systemadmin'];

type HasRoles = { roles: readonly Role[] };

export function keepsContracts(user: HasRoles): boolean {
  return hasRole(user, ...CONTRACT_KEEPERS);
}

/** Returns whether the user may read every contract and every roster. Other users read only those of the facilities they serve. */
export function readsAllContracts(user: HasRoles): boolean {
  return hasRole(user, ...SEES_ALL_ROLES);
}
