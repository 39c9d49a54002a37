import { defineAddon } from '#platform/addons/addon.ts';
import { OrderExchange, OrderRequests, QuoteOrders } from './order-requests.contract.ts';

export const orders = defineAddon({
  name: 'orders',
  title: 'Orders for the ERP',
  purpose: 'Sends won quotes to the ERP through the API or as files, and shows the response.',
  whileOff: 'Quotes won in the meantime get no order request. Waiting requests are sent after it is switched on.',
  calls: { OrderExchange, OrderRequests, QuoteOrders },
});
