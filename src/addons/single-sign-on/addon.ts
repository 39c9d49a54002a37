import { defineAddon } from '#platform/addons/addon.ts';
import { SignOn } from '#platform/auth/sign-on/sign-on.contract.ts';
import { SignOnAdmin } from './single-sign-on.contract.ts';

export const singleSignOn = defineAddon({
  name: 'single-sign-on',
  title: 'Single sign-on',
  purpose: 'Lets people sign in with the company’s identity provider (OpenID Connect) and takes their roles from it.',
  whileOff: 'Everyone signs in with a password, even people whose password sign-in is turned off.',
  calls: { SignOn, SignOnAdmin },
});
