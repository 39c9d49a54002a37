import { addonServer } from '#platform/addons/addon.server.ts';
import { configurableModels } from './addon.ts';
import { configurableModelAnswers } from './configurable-models.server.ts';
import { quoteConfigurationAnswers } from './choosing/choosing.server.ts';

export const configurableModelsServer = addonServer(configurableModels, {
  answers: { ConfigurableModels: configurableModelAnswers, QuoteConfigurations: quoteConfigurationAnswers },
});
