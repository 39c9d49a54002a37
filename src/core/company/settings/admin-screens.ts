// The administration screens, and the roles that may open each (specification section 2, design 3).
import { paths } from '#platform/shared/paths.ts';
import type { Role } from '#platform/shared/roles.ts';

export type AdminScreen = { label: string; to: string; roles: readonly Role[] };
export type AdminPath = (typeof SCREENS)[number]['to'];
/** `before` is the address of the core's screen before which, and in whose group, it is listed. */
export type AddonAdminScreen = AdminScreen & { before: AdminPath; hint: string };

const SCREENS = [
  { label: 'Users', to: paths.users, roles: ['systemadmin'] },
  { label: 'Regions', to: paths.regions, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Territories', to: paths.territories, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Facilities', to: paths.facilities, roles: ['systemadmin', 'salesadmin'] },
  { label: 'TAZ Import', to: paths.tazImport, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Find My Rep', to: paths.findRep, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Item Classes', to: paths.itemClasses, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Cross-References', to: paths.crossReferences, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Products', to: paths.products, roles: ['systemadmin', 'salesadmin', 'contractdept'] },
  { label: 'Map Items to Products', to: paths.itemMapping, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Documents', to: paths.itemDocuments, roles: ['systemadmin', 'salesadmin', 'contractdept'] },
  { label: 'Image Inbox', to: paths.imageInbox, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Item Images', to: paths.itemImages, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Media Library', to: paths.mediaLibrary, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Quote Templates', to: paths.quoteTemplates, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Promotions', to: paths.promotions, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Company', to: paths.company, roles: ['systemadmin'] },
  { label: 'Approval Rules', to: paths.approvalRules, roles: ['systemadmin'] },
  { label: 'Mailbox', to: paths.mailbox, roles: ['systemadmin'] },
  { label: 'Background Work', to: paths.backgroundWork, roles: ['systemadmin'] },
  { label: 'API Keys', to: paths.apiKeys, roles: ['systemadmin'] },
  { label: 'Notifications', to: paths.notificationSettings, roles: ['systemadmin'] },
  { label: 'Public Site', to: paths.publicSite, roles: ['systemadmin'] },
  { label: 'Audit', to: paths.audit, roles: ['systemadmin'] },
  { label: 'Security Log', to: paths.securityLog, roles: ['systemadmin'] },
  { label: 'Features', to: paths.features, roles: ['systemadmin'] },
  { label: 'Retention', to: paths.retention, roles: ['systemadmin'] },
  { label: 'Data Import', to: paths.dataImport, roles: ['systemadmin'] },
] as const satisfies { label: string; to: string; roles: readonly Role[] }[];

/** The screens of the core and of add-ons, in the order of Settings. */
export function adminScreensWith(ofAddons: readonly AddonAdminScreen[]): (AdminScreen | AddonAdminScreen)[] {
  const screens: (AdminScreen | AddonAdminScreen)[] = [...SCREENS];
  for (const screen of ofAddons)
    screens.splice(
      screens.findIndex(({ to }) => to === screen.before),
      0,
      screen,
    );
  return screens;
}
