// Determines who may decide a rule of an approval request, as an approver or as a deputy (design 2 and 3, docs/decisions/0019).
import { APPROVER_ROLES, hasRole, type Role, SEES_ALL_ROLES } from '#platform/shared/roles.ts';

/** A user who may decide, with their roles and the regions they manage. */
export type Approver = { id: number; roles: readonly Role[]; regionIds: readonly number[] };
/** An absent user whose approvals a deputy decides. */
export type Absentee = Approver & { fullName: string };
export type Decider = Approver & { deputyFor: readonly Absentee[] };

/** The fields of a quote that determine who may decide on it. */
export type DecidedQuote = { region_id: number | null; owner_id: number | null; sales_rep_id: number | null };

/** The capacity in which a user decides: as themselves (null), or as the deputy of an absent user. */
export type Capacity = { deputyFor: Absentee | null };

/** Returns whether one of these roles may decide rules of a role: the role itself or one above it. A sales administrator approves without limit. */
export function reaches(roles: readonly Role[], ruleRole: Role): boolean {
  const has = (role: Role) => roles.includes(role);
  return has(ruleRole) || has('systemadmin') || (has('salesadmin') && ruleRole !== 'systemadmin');
}

/** The roles whose rules these roles may decide. */
export function reachedRoles(roles: readonly Role[]): Role[] {
  return APPROVER_ROLES.filter((role) => reaches(roles, role));
}

/** Returns whether an approver can see the quote without being a deputy. Their deputy then sees it too. */
export function seesToDecide(person: Approver, quote: DecidedQuote): boolean {
  return (
    hasRole(person, ...SEES_ALL_ROLES) ||
    (quote.region_id !== null && person.regionIds.includes(quote.region_id)) ||
    quote.owner_id === person.id ||
    quote.sales_rep_id === person.id
  );
}

/**
 * The capacity in which a user may decide a rule. Null when they may not. Nobody decides their own request, not even as a deputy, and nobody decides
 * as the deputy of the requester.
 */
export function capacityFor(
  person: Decider,
  ruleRole: Role,
  quote: DecidedQuote,
  requestedById: number | null,
): Capacity | null {
  const may = (approver: Approver) =>
    approver.id !== requestedById && reaches(approver.roles, ruleRole) && seesToDecide(approver, quote);
  if (person.id === requestedById) return null;
  if (may(person)) return { deputyFor: null };
  const absent = person.deputyFor.find(may);
  return absent ? { deputyFor: absent } : null;
}
