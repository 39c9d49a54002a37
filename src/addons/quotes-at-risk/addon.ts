import { defineAddon } from '#platform/addons/addon.ts';
import { QuoteRisks } from './risks.contract.ts';

export const quotesAtRisk = defineAddon({
  name: 'quotes-at-risk',
  title: 'Quotes at risk',
  purpose: 'Finds open and won quotes whose prices change with contracts, lists or promotions.',
  whileOff: 'Changes of prices are not compared with quotes. The list catches up after it is switched on.',
  calls: { QuoteRisks },
});
