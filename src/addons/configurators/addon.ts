import { defineAddon } from '#platform/addons/addon.ts';
import { Configurator, QuoteConfigurator } from './configurator.contract.ts';

export const configurators = defineAddon({
  name: 'configurators',
  title: 'Configurators',
  purpose: 'Adds items from external configurators to quotes, by API call or file.',
  whileOff: 'Calls from configurators are refused. Existing lines stay.',
  calls: { Configurator, QuoteConfigurator },
});
