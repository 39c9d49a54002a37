import { addonServer } from '#platform/addons/addon.server.ts';
import { singleSignOn } from './addon.ts';
import { signOnAdminAnswers } from './settings.server.ts';
import { signOnAnswers } from './sign-on.server.ts';

export const singleSignOnServer = addonServer(singleSignOn, {
  answers: { SignOn: signOnAnswers, SignOnAdmin: signOnAdminAnswers },
});
