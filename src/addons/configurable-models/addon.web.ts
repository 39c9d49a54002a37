import { addonWeb } from '#platform/addons/addon.web.ts';
import { adminScreens } from '#core/company/settings/doors.web.ts';
import { lineTools } from '#core/quoting/quote-board/doors.web.ts';
import { paths } from '#platform/shared/paths.ts';

export const configurableModelsWeb = addonWeb('configurable-models', {
  screens: [
    { path: '/pub-quote-board/$id/configure', page: () => import('./choosing/ConfigurePage.tsx') },
    { path: paths.configurableModels, page: () => import('./admin/ModelsPage.tsx') },
    {
      path: '/admin/settings/configurable-models/$id',
      page: () => import('./admin/ModelPage.tsx'),
    },
  ],
  doors: [
    lineTools.with({
      label: 'Configure',
      isShown: ({ configurator, editable }) => configurator.offers && editable.commercial,
      to: paths.configureQuote,
    }),
    adminScreens.with({
      label: 'Configurable Models',
      to: paths.configurableModels,
      roles: ['systemadmin', 'salesadmin'],
      before: paths.quoteTemplates,
      hint: 'Products that are configured from options, such as beds.',
    }),
  ],
});
