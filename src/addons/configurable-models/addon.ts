import { defineAddon } from '#platform/addons/addon.ts';
import { ConfigurableModels } from './configurable-models.contract.ts';
import { QuoteConfigurations } from './choosing/choosing.contract.ts';

export const configurableModels = defineAddon({
  name: 'configurable-models',
  title: 'Configurable models',
  purpose: 'Configures products such as beds on a quote, from options and rules.',
  needs: ['configurators'],
  calls: { ConfigurableModels, QuoteConfigurations },
});
