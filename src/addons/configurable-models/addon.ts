import { defineAddon } from '#platform/addons/addon.ts';
import { ConfigurableModels } from './configurable-models.contract.ts';
import { QuoteConfigurations } from './choosing/choosing.contract.ts';

export const configurableModels = defineAddon({
  name: 'configurable-models',
  title: 'Configurable models',
  purpose: 'Puts products such as beds together from options on the quote, by rules.',
  needs: ['configurators'],
  calls: { ConfigurableModels, QuoteConfigurations },
});
