import { defineAddon } from '#platform/addons/addon.ts';
import { Webhook } from './webhooks.contract.ts';

export const webhooks = defineAddon({
  name: 'webhooks',
  title: 'Webhooks',
  purpose: 'Notifies other systems when something happens to a quote.',
  whileOff:
    'Nothing is noted, and what waits is not sent. After it is switched on, what waited is sent, and quotes that expired are reported; nothing else is.',
  calls: { Webhook },
});
