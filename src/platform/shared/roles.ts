// The eight roles and the groups built from them (specification section 6, design 3).

export const ROLES = [
  'systemadmin',
  'salesadmin',
  'salesrep',
  'salessupport',
  'csrep',
  'insiderep',
  'salesQuoteManager',
  'contractdept',
] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_LABELS: Record<Role, string> = {
  systemadmin: 'System administrator',
  salesadmin: 'Sales administrator',
  salesrep: 'Sales representative',
  salessupport: 'Sales support',
  csrep: 'Customer service representative',
  insiderep: 'Inside representative',
  salesQuoteManager: 'Sales quote manager',
  contractdept: 'Contract department',
};

/** The specification's 'public role'. */
export const PUBLIC_ROLES: readonly Role[] = ['salesrep', 'salessupport'];
/** The specification's 'internal role'. */
export const INTERNAL_ROLES: readonly Role[] = ['csrep', 'insiderep', 'systemadmin'];
/** These roles may write quotes: everyone except the contract department, which only reads them. */
export const QUOTING_ROLES: readonly Role[] = ROLES.filter((role) => role !== 'contractdept');
/** These roles maintain what selling needs: regions, territories, promotions, templates. */
export const SALES_ADMINISTRATORS: readonly Role[] = ['systemadmin', 'salesadmin'];
/** These roles see every quote. Other users see their own quotes and those of the reps they support or the regions they manage. */
export const SEES_ALL_ROLES: readonly Role[] = ['csrep', 'insiderep', 'salesadmin', 'contractdept', 'systemadmin'];
/** These roles may decide approval requests. The rule's role and the workflow determine which ones. */
export const APPROVER_ROLES: readonly Role[] = ['salesQuoteManager', 'salesadmin', 'contractdept', 'systemadmin'];
/** These roles may see cost, margin and internal notes, and so may read the internal board. */
export const INTERNAL_BOARD_ROLES: readonly Role[] = [
  'csrep',
  'insiderep',
  'systemadmin',
  'salesQuoteManager',
  'salesadmin',
  'contractdept',
];

type HasRoles = { roles: readonly Role[] };

export function hasRole(user: HasRoles, ...roles: readonly Role[]): boolean {
  return user.roles.some((role) => roles.includes(role));
}

export function isInternal(user: HasRoles): boolean {
  return hasRole(user, ...INTERNAL_ROLES);
}

export function seesInternalFigures(user: HasRoles): boolean {
  return hasRole(user, ...INTERNAL_BOARD_ROLES);
}

/** Returns whether this user may start quotes. The contract department only reads them. */
export function startsQuotes(user: HasRoles): boolean {
  return !user.roles.every((role) => role === 'contractdept');
}

/**
 * Returns whether the user opens quotes on the internal board, as internal users and sales quote managers do. Others use the public one (section 2).
 */
export function opensInternalBoard(user: HasRoles): boolean {
  return isInternal(user) || hasRole(user, 'salesQuoteManager');
}

/** Returns whether the sales quote manager's restriction applies: no 'All' sales rep, only the managed regions. */
export function isOnlyQuoteManager(user: HasRoles): boolean {
  return hasRole(user, 'salesQuoteManager') && !hasRole(user, 'csrep', 'insiderep', 'systemadmin', 'salesadmin');
}
