// The administration screens, and who may open each (specification section 2, design 3).
import { paths } from '#platform/shared/paths.ts';
import { hasRole, type Role } from '#platform/shared/roles.ts';

export type AdminScreen = { label: string; to: AdminPath; roles: readonly Role[] };
export type AdminPath = (typeof SCREENS)[number]['to'];

const SCREENS = [
  { label: 'Users', to: paths.users, roles: ['systemadmin'] },
  { label: 'Regions', to: paths.regions, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Territories', to: paths.territories, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Territory Plans', to: paths.savedMaps, roles: ['systemadmin', 'salesadmin', 'salesQuoteManager'] },
  { label: 'Facilities', to: paths.facilities, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Alike Facilities', to: paths.alikeFacilities, roles: ['systemadmin', 'salesadmin'] },
  { label: 'TAZ Import', to: paths.tazImport, roles: ['systemadmin', 'salesadmin'] },
  { label: 'ZIP Areas', to: paths.zipAreas, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Map Tool', to: paths.territoryMap, roles: ['systemadmin', 'salesadmin', 'salesQuoteManager'] },
  { label: 'Find My Rep', to: paths.findRep, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Item Classes', to: paths.itemClasses, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Cross-References', to: paths.crossReferences, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Products', to: paths.products, roles: ['systemadmin', 'salesadmin', 'contractdept'] },
  { label: 'Map Items to Products', to: paths.itemMapping, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Documents', to: paths.itemDocuments, roles: ['systemadmin', 'salesadmin', 'contractdept'] },
  { label: 'Image Inbox', to: paths.imageInbox, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Item Images', to: paths.itemImages, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Media Library', to: paths.mediaLibrary, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Configurable Models', to: paths.configurableModels, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Quote Templates', to: paths.quoteTemplates, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Promotions', to: paths.promotions, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Company', to: paths.company, roles: ['systemadmin'] },
  { label: 'Approval Rules', to: paths.approvalRules, roles: ['systemadmin'] },
  { label: 'Mailbox', to: paths.mailbox, roles: ['systemadmin'] },
  { label: 'Background Work', to: paths.backgroundWork, roles: ['systemadmin'] },
  { label: 'API Keys', to: paths.apiKeys, roles: ['systemadmin'] },
  { label: 'Salesforce', to: paths.crmSettings, roles: ['systemadmin'] },
  { label: 'CRM Pushes', to: paths.crmPushes, roles: ['systemadmin'] },
  { label: 'Sign-in', to: paths.signInSettings, roles: ['systemadmin'] },
  { label: 'Webhooks', to: paths.webhooks, roles: ['systemadmin'] },
  { label: 'Webhook Deliveries', to: paths.webhookDeliveries, roles: ['systemadmin'] },
  { label: 'Orders for the ERP', to: paths.orderSettings, roles: ['systemadmin'] },
  { label: 'Order Requests', to: paths.orderRequests, roles: ['systemadmin', 'salesadmin'] },
  { label: 'Notifications', to: paths.notificationSettings, roles: ['systemadmin'] },
  { label: 'Public Site', to: paths.publicSite, roles: ['systemadmin'] },
  { label: 'Audit', to: paths.audit, roles: ['systemadmin'] },
  { label: 'Security Log', to: paths.securityLog, roles: ['systemadmin'] },
  { label: 'Retention', to: paths.retention, roles: ['systemadmin'] },
  { label: 'Data Import', to: paths.dataImport, roles: ['systemadmin'] },
] as const satisfies { label: string; to: string; roles: readonly Role[] }[];

export const ADMIN_SCREENS: readonly AdminScreen[] = SCREENS;

/** The screens this person may open. */
export function adminScreensOf(user: { roles: readonly Role[] }): AdminScreen[] {
  return ADMIN_SCREENS.filter((screen) => hasRole(user, ...screen.roles));
}
