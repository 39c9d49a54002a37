import { defineAddon } from '#platform/addons/addon.ts';
import { Savings } from './savings.contract.ts';

export const savings = defineAddon({
  name: 'savings',
  title: 'Savings analyses',
  purpose: 'Compares what customers buy today with our prices, and creates quotes from the result.',
  whileOff: 'Files being read are on hold.',
  calls: { Savings },
});
