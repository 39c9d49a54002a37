import { defineAddon } from '#platform/addons/addon.ts';
import { Webhook } from './webhooks.contract.ts';

export const webhooks = defineAddon({
  name: 'webhooks',
  title: 'Webhooks',
  purpose: 'Notifies other systems when something happens to a quote.',
  whileOff: 'Nothing is sent and nothing is noted: what happens in the meantime is never reported.',
  calls: { Webhook },
});
