// The roles of users in a territory: their names, and the user roles that each one requires.
import { z } from 'zod';
import type { Role } from '#platform/shared/roles.ts';

export const TERRITORY_ROLES = ['sales', 'cs', 'is', 'manager'] as const;
export const TerritoryRole = z.enum(TERRITORY_ROLES);
export type TerritoryRole = z.infer<typeof TerritoryRole>;

export const TERRITORY_ROLE_LABELS: Record<TerritoryRole, string> = {
  sales: 'Sales rep.',
  cs: 'CS rep.',
  is: 'IS rep.',
  manager: 'Territory manager',
};

/** A user needs one of these user roles to have the role in a territory. */
export const TERRITORY_ROLE_FITS: Record<TerritoryRole, readonly Role[]> = {
  sales: ['salesrep'],
  cs: ['csrep'],
  is: ['insiderep'],
  manager: ['salesQuoteManager', 'salesadmin'],
};
