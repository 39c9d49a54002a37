// The kinds of notifications, the ways to receive each, and the defaults by role. Pure.
import { z } from 'zod';
import { hasRole, QUOTING_ROLES, type Role } from '#platform/shared/roles.ts';

/** `none`: not at all. `bell`: in the list under the bell. `mail`: in the list and by mail at once. `daily`: in the list and in one mail a day. */
export const WAYS = ['none', 'bell', 'mail', 'daily'] as const;
export const Way = z.enum(WAYS);
export type Way = z.infer<typeof Way>;
export const WAY_LABELS: Record<Way, string> = {
  none: 'Nothing',
  bell: 'Bell only',
  mail: 'Email immediately',
  daily: 'Daily email',
};

/** Shown if the company has no default. */
export const BY_ROLE = 'Role default';

export const NOTIFICATION_KINDS = [
  'approvalAsked',
  'approvalDecided',
  'infoAsked',
  'question',
  'accepted',
  'declined',
  'opened',
  'expiring',
  'atRisk',
  'assigned',
  'mentioned',
  'importEnded',
  'importInbox',
  'webhookFailing',
  'crmFailing',
] as const;
export const NotificationKind = z.enum(NOTIFICATION_KINDS);
export type NotificationKind = z.infer<typeof NotificationKind>;

type Kind = {
  /** The name of the kind in the settings. */
  label: string;
  /** The roles that can receive it. Absent: all roles. */
  roles?: readonly Role[];
  start: Way;
  /** Another user is waiting for the reader, or the reader for them, so its mail is sent without collecting more about the same quote. */
  isUrgent?: true;
  /** The default for users with one of these roles, instead of `start`. */
  startOf?: { roles: readonly Role[]; way: Way };
};

const IMPORTERS: readonly Role[] = ['systemadmin', 'salesadmin', 'contractdept'];
const DECIDERS: readonly Role[] = [
  'systemadmin',
  'salesadmin',
  'salesQuoteManager',
  'contractdept',
  'csrep',
  'insiderep',
];
/** Sellers are often away from the screen. */
const SELLERS: readonly Role[] = ['salesrep', 'salessupport'];

export const KINDS: Record<NotificationKind, Kind> = {
  approvalAsked: { label: 'I am asked to approve a discount', roles: DECIDERS, start: 'mail', isUrgent: true },
  approvalDecided: {
    label: 'A discount I requested is decided',
    roles: QUOTING_ROLES,
    start: 'mail',
    isUrgent: true,
  },
  infoAsked: { label: 'Someone asks about my quote', roles: QUOTING_ROLES, start: 'mail', isUrgent: true },
  question: { label: 'A customer asks or replies', roles: QUOTING_ROLES, start: 'mail', isUrgent: true },
  accepted: { label: 'A customer accepts', roles: QUOTING_ROLES, start: 'mail', isUrgent: true },
  declined: { label: 'A customer declines', roles: QUOTING_ROLES, start: 'mail', isUrgent: true },
  opened: { label: 'A customer opens a quote for the first time', roles: QUOTING_ROLES, start: 'bell' },
  expiring: {
    label: 'A sent quote expires in 7 days',
    roles: QUOTING_ROLES,
    start: 'bell',
    startOf: { roles: SELLERS, way: 'daily' },
  },
  atRisk: {
    label: 'A price of my quote is at risk',
    roles: QUOTING_ROLES,
    start: 'bell',
    startOf: { roles: SELLERS, way: 'daily' },
  },
  assigned: {
    label: 'A quote is assigned to me',
    roles: QUOTING_ROLES,
    start: 'bell',
    startOf: { roles: SELLERS, way: 'daily' },
  },
  mentioned: { label: 'Someone mentions me', start: 'mail' },
  importEnded: { label: 'An import of mine finished', roles: IMPORTERS, start: 'bell' },
  importInbox: { label: 'A watched-folder file was not fully imported', roles: ['systemadmin'], start: 'mail' },
  webhookFailing: { label: 'Webhooks are failing', roles: ['systemadmin'], start: 'mail' },
  crmFailing: {
    label: 'Pushes to the CRM are failing',
    start: 'bell',
    startOf: { roles: ['systemadmin'], way: 'mail' },
  },
};

/** The company's default for each kind. Null: by role. */
export type CompanyWays = Record<NotificationKind, Way | null>;

/** Returns the kinds that a user with these roles can receive. */
export function kindsFor(user: { roles: readonly Role[] }): NotificationKind[] {
  return NOTIFICATION_KINDS.filter((kind) => {
    const { roles } = KINDS[kind];
    return !roles || hasRole(user, ...roles);
  });
}

/** Returns how a user without a choice receives the kind: by the company's default, or else by the default of the roles. */
export function startWay(kind: NotificationKind, user: { roles: readonly Role[] }, company: Partial<CompanyWays>): Way {
  const { start, startOf } = KINDS[kind];
  return company[kind] ?? (startOf && hasRole(user, ...startOf.roles) ? startOf.way : start);
}
