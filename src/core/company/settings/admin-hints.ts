// What each administration screen is for. Only Settings says it, so the frame of every screen loads without it.
import { paths } from '#platform/shared/paths.ts';
import type { AdminPath } from './admin-screens.ts';

type Hint = { group: 'People and places' | 'Items and prices' | 'Company' | 'Data'; hint: string };

export const ADMIN_HINTS: Record<AdminPath, Hint> = {
  [paths.users]: {
    group: 'People and places',
    hint: 'Who works here and in which roles; invite and deactivate people.',
  },
  [paths.regions]: { group: 'People and places', hint: 'Who manages which region.' },
  [paths.territories]: {
    group: 'People and places',
    hint: 'Which territory serves which ZIPs and facilities, and since when.',
  },
  [paths.savedMaps]: {
    group: 'People and places',
    hint: 'What a change of territories would do to facilities, quotes and people, before it takes effect.',
  },
  [paths.facilities]: { group: 'People and places', hint: 'Every facility: account, addresses, terms, who serves it.' },
  [paths.alikeFacilities]: {
    group: 'People and places',
    hint: 'Customers that are in the list twice: merge them, or say that they are not the same.',
  },
  [paths.tazImport]: { group: 'People and places', hint: 'ZIPs assigned to territories from a file.' },
  [paths.zipAreas]: { group: 'People and places', hint: 'Real ZIP areas for the map, from a Census file.' },
  [paths.territoryMap]: {
    group: 'People and places',
    hint: 'Territories, facilities and open quotes on a map, as of a day.',
  },
  [paths.findRep]: { group: 'People and places', hint: 'Who serves a ZIP or a facility, today or on another day.' },
  [paths.itemClasses]: { group: 'Items and prices', hint: 'What is offered in quotes.' },
  [paths.crossReferences]: {
    group: 'Items and prices',
    hint: 'What makers, distributors and customers call our items.',
  },
  [paths.products]: {
    group: 'Items and prices',
    hint: 'What buyers see of our items: name, text, pictures, documents.',
  },
  [paths.itemMapping]: {
    group: 'Items and prices',
    hint: 'Items of the ERP that have no product yet, with suggestions.',
  },
  [paths.itemDocuments]: { group: 'Items and prices', hint: 'Brochures, instructions, data sheets, in revisions.' },
  [paths.imageInbox]: {
    group: 'Items and prices',
    hint: 'New pictures on their way to products: waiting, uploaded, filed.',
  },
  [paths.itemImages]: {
    group: 'Items and prices',
    hint: 'Pictures by product: order, text, who sees them, what is missing.',
  },
  [paths.mediaLibrary]: {
    group: 'Items and prices',
    hint: 'Where the originals of pictures are kept, and those that are only here.',
  },
  [paths.configurableModels]: {
    group: 'Items and prices',
    hint: 'What is put together on a quote from options, such as a bed, and the rules between them.',
  },
  [paths.quoteTemplates]: { group: 'Items and prices', hint: 'Items that are often quoted together.' },
  [paths.promotions]: { group: 'Items and prices', hint: 'Discounts, fixed prices and free goods for a limited time.' },
  [paths.company]: { group: 'Company', hint: 'Name, address, time zone, validity, terms by version, currencies.' },
  [paths.approvalRules]: { group: 'Company', hint: 'Which discounts, totals and prices need approval, and from whom.' },
  [paths.mailbox]: { group: 'Company', hint: 'Mail that was sent, is waiting or failed.' },
  [paths.backgroundWork]: { group: 'Company', hint: 'Work that is waiting or failed; try it again.' },
  [paths.apiKeys]: { group: 'Company', hint: 'Other programs that call on behalf of a person, and what they may do.' },
  [paths.crmSettings]: { group: 'Company', hint: 'Connect the CRM, choose what its fields get, test it.' },
  [paths.crmPushes]: { group: 'Company', hint: 'Quotes on their way to the CRM, what failed and why; try it again.' },
  [paths.signInSettings]: {
    group: 'Company',
    hint: 'The sign-in of your company (OpenID Connect), roles from its claims, second factors.',
  },
  [paths.webhooks]: { group: 'Company', hint: 'Other systems that are notified when something happens to a quote.' },
  [paths.webhookDeliveries]: { group: 'Company', hint: 'What was sent to them, what failed and why; send it again.' },
  [paths.orderSettings]: { group: 'Company', hint: 'How won quotes reach the ERP: fetched by key, or as files.' },
  [paths.orderRequests]: { group: 'Company', hint: 'Won quotes on their way to the ERP, and what became of them.' },
  [paths.notificationSettings]: {
    group: 'Company',
    hint: 'How people hear of what concerns them: bell, email at once, one email a day.',
  },
  [paths.publicSite]: { group: 'Company', hint: 'Lock out sales representatives and support for a while.' },
  [paths.audit]: { group: 'Data', hint: 'Every change: who made it, when, and both values.' },
  [paths.securityLog]: {
    group: 'Data',
    hint: 'Failed sign-ins, lock-outs, refused calls, API keys, changed rights, exports: who, when, from where.',
  },
  [paths.retention]: {
    group: 'Data',
    hint: 'How long mail, history, imports, order files and sessions are kept, and what would be deleted.',
  },
  [paths.dataImport]: { group: 'Data', hint: 'Facilities, items, prices, people from files.' },
};
