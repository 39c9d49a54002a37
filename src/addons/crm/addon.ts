import { defineAddon } from '#platform/addons/addon.ts';
import { Crm, QuoteCrm } from './crm.contract.ts';

export const crm = defineAddon({
  name: 'crm',
  title: 'Salesforce',
  purpose: 'Pushes quotes and contacts to Salesforce and shows their state there.',
  whileOff: 'Nothing is pushed. Quotes that Salesforce knows are brought up to date after it is switched on.',
  calls: { Crm, QuoteCrm },
});
