// The duties that a leaving user may have to hand over, and the roles that may take them over.
import { TERRITORY_ROLE_FITS } from '#core/territories/territories/territory-roles.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { INTERNAL_ROLES, QUOTING_ROLES, ROLE_LABELS, type Role } from '#platform/shared/roles.ts';
import type { Duty, Holdings } from '../user-admin.contract.ts';

export const DUTY_LABELS: Record<Duty, string> = {
  sales: 'sales rep.',
  cs: 'CS rep.',
  is: 'IS rep.',
  manager: 'territory manager',
  owner: 'owner',
  assignee: 'assignee',
};

/** A successor needs one of these roles. */
export const DUTY_ROLES: Record<Duty, readonly Role[]> = {
  ...TERRITORY_ROLE_FITS,
  owner: QUOTING_ROLES,
  assignee: INTERNAL_ROLES,
};

/** Returns '12 open quotes and 3 territories'. */
export function dutiesInWords({
  openQuotes,
  territories,
}: Pick<Holdings['duties'][number], 'openQuotes' | 'territories'>) {
  const parts = [
    openQuotes > 0 ? countOf(openQuotes, 'open quote') : '',
    territories.length > 0 ? countOf(territories.length, 'territory', 'territories') : '',
  ];
  return parts.filter(Boolean).join(' and ');
}

/** Returns 'Sales quote manager or Sales administrator'. */
export function rolesInWords(roles: readonly Role[]): string {
  return roles.map((role) => ROLE_LABELS[role]).join(' or ');
}
