// Determines a user's roles from the provider's claims, by rows of claim, value and roles.
import { ROLES, type Role } from '#platform/shared/roles.ts';

export type RoleRow = { claim: string; value: string; roles: Role[] };

/** The values of a claim as texts: each entry of a list, or a text and its words (scope). `a.b` refers to a field of an object. */
export function valuesOf(claims: Record<string, unknown>, claim: string): string[] {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : reach(claims, claim);
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((entry: unknown) => {
    if (typeof entry === 'string') return [entry, ...(Array.isArray(value) ? [] : entry.split(' '))];
    return typeof entry === 'number' || typeof entry === 'boolean' ? [String(entry)] : [];
  });
}

function reach(claims: Record<string, unknown>, claim: string): unknown {
  return claim.split('.').reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    return (at as Record<string, unknown>)[name];
  }, claims);
}

export function rolesOfClaims(claims: Record<string, unknown>, rows: readonly RoleRow[]): Role[] {
  const claimedRoles = rows
    .filter(({ claim, value }) => valuesOf(claims, claim).includes(value))
    .flatMap(({ roles }) => roles);
  return ROLES.filter((role) => claimedRoles.includes(role));
}

/** The first claim of the rows that the provider omitted because it has too many values (Entra: more than 200 groups). */
export function leftOut(claims: Record<string, unknown>, rows: readonly RoleRow[]): string | null {
  const names = claims['_claim_names'];
  if (typeof names !== 'object' || names === null) return null;
  return rows.find(({ claim }) => !Object.hasOwn(claims, claim) && Object.hasOwn(names, claim))?.claim ?? null;
}
