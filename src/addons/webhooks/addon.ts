import { defineAddon } from '#platform/addons/addon.ts';
import { Webhook } from './webhooks.contract.ts';

export const webhooks = defineAddon({
  name: 'webhooks',
  title: 'Webhooks',
  purpose: 'Notifies other systems when something happens to a quote.',
  whileOff:
    'Events are not recorded and waiting deliveries are not sent. After it is switched on, waiting deliveries are sent and expired quotes are reported, but no other events of the meantime.',
  calls: { Webhook },
});
