import { defineAddon } from '#platform/addons/addon.ts';
import { Savings } from './savings.contract.ts';

export const savings = defineAddon({
  name: 'savings',
  title: 'Savings analyses',
  purpose: 'Compares what a customer buys today with our prices and makes quotes from it.',
  whileOff: 'Files that are being read wait.',
  calls: { Savings },
});
