import { defineAddon } from '#platform/addons/addon.ts';
import { Eligibility } from './eligibility.contract.ts';

export const eligibility = defineAddon({
  name: 'eligibility',
  title: 'Eligibility requests',
  purpose: 'Lets reps request a contract tier for a facility from a quote. The contract department decides.',
  whileOff: 'Open requests stay open and do not lapse.',
  calls: { Eligibility },
});
