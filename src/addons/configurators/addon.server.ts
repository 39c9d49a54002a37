import { addonServer } from '#platform/addons/addon.server.ts';
import { configurators } from './addon.ts';
import { configuratorAnswers, quoteConfiguratorAnswers } from './configurator.server.ts';

export const configuratorsServer = addonServer(configurators, {
  answers: { Configurator: configuratorAnswers, QuoteConfigurator: quoteConfiguratorAnswers },
});
