import { defineAddon } from '#platform/addons/addon.ts';
import { SignOn } from '#platform/auth/sign-on/sign-on.contract.ts';
import { SignOnAdmin } from './single-sign-on.contract.ts';

export const singleSignOn = defineAddon({
  name: 'single-sign-on',
  title: 'Single sign-on',
  purpose: 'Signs people in at the company’s own provider (OpenID Connect) and takes their roles from it.',
  whileOff: 'Everybody signs in by password, even where the password form is switched off for them.',
  calls: { SignOn, SignOnAdmin },
});
