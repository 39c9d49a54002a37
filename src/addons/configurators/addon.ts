import { defineAddon } from '#platform/addons/addon.ts';
import { Configurator, QuoteConfigurator } from './configurator.contract.ts';

export const configurators = defineAddon({
  name: 'configurators',
  title: 'Configurators',
  purpose: 'Takes items from outside configurators, by call or file, into the lines of a quote.',
  whileOff: 'Calls of configurators are refused. Lines that they made stay.',
  calls: { Configurator, QuoteConfigurator },
});
