// The administration screens: what each is for, and who may open it (specification section 2, design 3).
import { paths } from '#shared/paths.ts';
import { hasRole, type Role } from '#shared/roles.ts';

export type AdminScreen = {
  group: 'People and places' | 'Items and prices' | 'Company' | 'Data';
  label: string;
  to: string;
  hint: string;
  roles: readonly Role[];
};

export const ADMIN_SCREENS: AdminScreen[] = [
  {
    group: 'People and places',
    label: 'Users',
    to: paths.users,
    hint: 'Who works here and in which roles; invite and deactivate people.',
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
    hint: 'Which territory serves which ZIPs and facilities, and since when.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'People and places',
    label: 'Territory Plans',
    to: paths.savedMaps,
    hint: 'What a change of territories would do to facilities, quotes and people, before it takes effect.',
    roles: ['systemadmin', 'salesadmin', 'salesQuoteManager'],
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
    label: 'Alike Facilities',
    to: paths.alikeFacilities,
    hint: 'Customers that are in the list twice: merge them, or say that they are not the same.',
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
    label: 'ZIP Areas',
    to: paths.zipAreas,
    hint: 'Real ZIP areas for the map, from a Census file.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'People and places',
    label: 'Map Tool',
    to: paths.territoryMap,
    hint: 'Territories, facilities and open quotes on a map, as of a day.',
    roles: ['systemadmin', 'salesadmin', 'salesQuoteManager'],
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
    label: 'Cross-References',
    to: paths.crossReferences,
    hint: 'What makers, distributors and customers call our items.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'Items and prices',
    label: 'Products',
    to: paths.products,
    hint: 'What buyers see of our items: name, text, pictures, documents.',
    roles: ['systemadmin', 'salesadmin', 'contractdept'],
  },
  {
    group: 'Items and prices',
    label: 'Map Items to Products',
    to: paths.itemMapping,
    hint: 'Items of the ERP that have no product yet, with suggestions.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'Items and prices',
    label: 'Documents',
    to: paths.itemDocuments,
    hint: 'Brochures, instructions, data sheets, in revisions.',
    roles: ['systemadmin', 'salesadmin', 'contractdept'],
  },
  {
    group: 'Items and prices',
    label: 'Image Inbox',
    to: paths.imageInbox,
    hint: 'New pictures on their way to products: waiting, uploaded, filed.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'Items and prices',
    label: 'Item Images',
    to: paths.itemImages,
    hint: 'Pictures by product: order, text, who sees them, what is missing.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'Items and prices',
    label: 'Media Library',
    to: paths.mediaLibrary,
    hint: 'Where the originals of pictures are kept, what is missing, and how to fix it.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'Items and prices',
    label: 'Configurable Models',
    to: paths.configurableModels,
    hint: 'What is put together on a quote from options, such as a bed, and the rules between them.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'Items and prices',
    label: 'Quote Templates',
    to: paths.quoteTemplates,
    hint: 'Items that are often quoted together.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'Items and prices',
    label: 'Promotions',
    to: paths.promotions,
    hint: 'Discounts, fixed prices and free goods for a limited time.',
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
    hint: 'Which discounts, totals and prices need approval, and from whom.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'Mailbox',
    to: paths.mailbox,
    hint: 'Mail that was sent, is waiting or failed.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'Background Work',
    to: paths.backgroundWork,
    hint: 'Work that is waiting or failed; try it again.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'API Keys',
    to: paths.apiKeys,
    hint: 'Other programs that call on behalf of a person, and what they may do.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'Salesforce',
    to: paths.crmSettings,
    hint: 'Connect the CRM, choose what its fields get, test it.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'CRM Pushes',
    to: paths.crmPushes,
    hint: 'Quotes on their way to the CRM, what failed and why; try it again.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'Sign-in',
    to: paths.signInSettings,
    hint: 'The sign-in of your company (OpenID Connect), roles from its claims, second factors.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'Webhooks',
    to: paths.webhooks,
    hint: 'Other systems that are notified when something happens to a quote.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'Webhook Deliveries',
    to: paths.webhookDeliveries,
    hint: 'What was sent to them, what failed and why; send it again.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'Orders for the ERP',
    to: paths.orderSettings,
    hint: 'How won quotes reach the ERP: fetched by key, or as files.',
    roles: ['systemadmin'],
  },
  {
    group: 'Company',
    label: 'Order Requests',
    to: paths.orderRequests,
    hint: 'Won quotes on their way to the ERP, and what became of them.',
    roles: ['systemadmin', 'salesadmin'],
  },
  {
    group: 'Company',
    label: 'Notifications',
    to: paths.notificationSettings,
    hint: 'How people hear of what concerns them: bell, email at once, one email a day.',
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
    hint: 'Every change: who made it, when, and both values.',
    roles: ['systemadmin'],
  },
  {
    group: 'Data',
    label: 'Security Log',
    to: paths.securityLog,
    hint: 'Failed sign-ins, lock-outs, refused calls, API keys, changed rights, exports: who, when, from where.',
    roles: ['systemadmin'],
  },
  {
    group: 'Data',
    label: 'Retention',
    to: paths.retention,
    hint: 'How long mail, history, imports, order files and sessions are kept, and what would be deleted.',
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
export function adminScreensOf(user: { roles: readonly Role[] }): AdminScreen[] {
  return ADMIN_SCREENS.filter((screen) => hasRole(user, ...screen.roles));
}
