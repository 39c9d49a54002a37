import { defineAddon } from '#platform/addons/addon.ts';
import { QuoteRisks } from './risks.contract.ts';

export const quotesAtRisk = defineAddon({
  name: 'quotes-at-risk',
  title: 'Quotes at risk',
  purpose: 'Finds open and won quotes affected by changes to contracts, price lists or promotions.',
  whileOff: 'Quotes are not checked against price changes. The list catches up when the add-on is switched on again.',
  calls: { QuoteRisks },
});
