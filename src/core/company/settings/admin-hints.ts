// The purpose of each administration screen. Only Settings shows it, so the frame of every screen loads without it.
import { paths } from '#platform/shared/paths.ts';
import type { AdminPath } from './admin-screens.ts';

type Hint = { group: 'People and places' | 'Items and prices' | 'Company' | 'Data'; hint: string };

export const ADMIN_HINTS: Record<AdminPath, Hint> = {
  [paths.users]: {
    group: 'People and places',
    hint: 'Invite and deactivate users, and assign roles.',
  },
  [paths.regions]: { group: 'People and places', hint: 'Who manages which region.' },
  [paths.territories]: {
    group: 'People and places',
    hint: 'Which territory serves which ZIPs and facilities, and since when.',
  },
  [paths.facilities]: { group: 'People and places', hint: 'Every facility: account, addresses, terms, who serves it.' },
  [paths.tazImport]: { group: 'People and places', hint: 'Assign ZIPs to territories from a file.' },
  [paths.findRep]: { group: 'People and places', hint: 'Who serves a ZIP or a facility, today or on another day.' },
  [paths.itemClasses]: { group: 'Items and prices', hint: 'Choose which item classes are offered in quotes.' },
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
  [paths.itemDocuments]: {
    group: 'Items and prices',
    hint: 'Brochures, instructions and data sheets, with their revisions.',
  },
  [paths.imageInbox]: {
    group: 'Items and prices',
    hint: 'Process new pictures and assign them to products.',
  },
  [paths.itemImages]: {
    group: 'Items and prices',
    hint: 'Pictures by product: order, text, who sees them, what is missing.',
  },
  [paths.mediaLibrary]: {
    group: 'Items and prices',
    hint: 'Where original pictures are stored, and which are only on this server.',
  },
  [paths.quoteTemplates]: { group: 'Items and prices', hint: 'Items that are often quoted together.' },
  [paths.promotions]: { group: 'Items and prices', hint: 'Discounts, fixed prices and free goods for a limited time.' },
  [paths.company]: { group: 'Company', hint: 'Name, address, time zone, validity, terms by version, currencies.' },
  [paths.approvalRules]: { group: 'Company', hint: 'Which discounts, totals and prices need approval, and from whom.' },
  [paths.mailbox]: { group: 'Company', hint: 'Mail that was sent, is waiting or failed.' },
  [paths.backgroundWork]: { group: 'Company', hint: 'View waiting and failed jobs, and retry them.' },
  [paths.apiKeys]: { group: 'Company', hint: 'Programs that use the API on behalf of a person, and what they may do.' },
  [paths.notificationSettings]: {
    group: 'Company',
    hint: 'How people are notified: bell, immediate email, daily email.',
  },
  [paths.publicSite]: {
    group: 'Company',
    hint: 'Temporarily block access for sales representatives and sales support.',
  },
  [paths.audit]: { group: 'Data', hint: 'Every change: who made it, when, and the old and new values.' },
  [paths.securityLog]: {
    group: 'Data',
    hint: 'Failed sign-ins, lock-outs, refused calls, API keys, permission changes, exports: who, when, from where.',
  },
  [paths.retention]: {
    group: 'Data',
    hint: 'How long mail, history, imports, order files and sessions are kept, and what would be deleted.',
  },
  [paths.features]: { group: 'Company', hint: 'Which features this company uses; turn off the rest.' },
  [paths.dataImport]: { group: 'Data', hint: 'Import facilities, items, prices and people from files.' },
};
