import { addonWeb } from '#platform/addons/addon.web.ts';
import { adminScreens } from '#core/company/settings/doors.web.ts';
import { userPanels } from '#core/people/user-admin/doors.web.ts';
import { paths } from '#platform/shared/paths.ts';

export const singleSignOnWeb = addonWeb('single-sign-on', {
  screens: [{ path: paths.signInSettings, page: () => import('./SignInSettingsPage.tsx') }],
  doors: [
    userPanels.door.with(() => import('./UserSignOnPanel.tsx')),
    adminScreens.with({
      label: 'Sign-in',
      to: paths.signInSettings,
      roles: ['systemadmin'],
      before: paths.notificationSettings,
      hint: 'Your company’s identity provider (OpenID Connect), roles and second factors.',
    }),
  ],
});
