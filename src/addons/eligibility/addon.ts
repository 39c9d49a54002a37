import { defineAddon } from '#platform/addons/addon.ts';
import { Eligibility } from './eligibility.contract.ts';

export const eligibility = defineAddon({
  name: 'eligibility',
  title: 'Eligibility requests',
  purpose: 'Asks the contract department to put a facility on a contract tier, from a quote.',
  whileOff: 'Open requests wait and do not lapse.',
  calls: { Eligibility },
});
