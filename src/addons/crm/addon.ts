import { defineAddon } from '#platform/addons/addon.ts';
import { Crm, QuoteCrm } from './crm.contract.ts';

export const crm = defineAddon({
  name: 'crm',
  title: 'Salesforce',
  purpose: 'Pushes quotes and contacts to Salesforce and shows their state on the quote.',
  whileOff: 'Nothing is pushed. After it is switched on, quotes that are already in Salesforce are updated.',
  calls: { Crm, QuoteCrm },
});
