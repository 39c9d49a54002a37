// The administration screens: what each is for, and who may open it (specification section 2, design 3).
import { paths } from '#shared/paths.ts';
import { hasRole, type Role } from '#shared/roles.ts';

export type Door = {
  group: 'People and places' | 'Items and prices' | 'Company' | 'Data';
  label: string;
  to: string;
  hint: string;
  roles: readonly Role[];
};

export const DOORS: Door[] = [
  {
    group: 'People and places',
    label: 'Users',
    to: paths.users,
    hint: 'Who works here, in which roles; invite and let go.',
    roles: ['systemadmin'],
  },
  {
    group: 'People and places',
    label: 'Regions',
    to: paths.regions,
    hint: 'Who manages which region.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'People and places',
    label: 'Territories',
    to: paths.territories,
    hint: 'Who serves which ZIPs and facilities, and since when.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'People and places',
    label: 'Facilities',
    to: paths.facilities,
    hint: 'Every facility: account, addresses, terms, who serves it.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'People and places',
    label: 'TAZ Import',
    to: paths.tazImport,
    hint: 'ZIPs assigned to territories from a file.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'People and places',
    label: 'Find My Rep',
    to: paths.findRep,
    hint: 'Who serves a ZIP or a facility, today or on another day.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'Items and prices',
    label: 'Item Classes',
    to: paths.itemClasses,
    hint: 'What is offered in quotes.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'Items and prices',
    label: 'Quote Templates',
    to: paths.quoteTemplates,
    hint: 'Items that are quoted together, ready to be added.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'Items and prices',
    label: 'Promotions',
    to: paths.promotions,
    hint: 'Discounts, fixed prices and free goods for a while.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'Company',
    label: 'Company',
    to: paths.company,
    hint: 'Name, address, time zone, validity, terms by version, currencies.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'Approval Rules',
    to: paths.approvalRules,
    hint: 'Which discounts, totals and prices ask for approval, and whose.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'Mailbox',
    to: paths.mailbox,
    hint: 'Mail that was sent, waits or failed.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'Background Work',
    to: paths.backgroundWork,
    hint: 'What waits, what failed, try again.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'Public Site',
    to: paths.publicSite,
    hint: 'Lock out sales representatives and support for a while.',
    roles: ['systemadmin'],
  },
  {
    group: 'Data',
    label: 'Audit',
    to: paths.audit,
    hint: 'Everything that was changed: who, when, from what to what.',
    roles: ['systemadmin'],
  },
  {
    group: 'Data',
    label: 'Data Import',
    to: paths.dataImport,
    hint: 'Facilities, items, prices, people from files.',
    roles: ['systemadmin'],
  },
];

/** The screens this person may open. */
export function doorsOf(user: { roles: readonly Role[] }): Door[] {
  return DOORS.filter((door) => hasRole(user, ...door.roles));
}
