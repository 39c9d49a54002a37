import { defineAddon } from '#platform/addons/addon.ts';
import { OrderExchange, OrderRequests, QuoteOrders } from './order-requests.contract.ts';

export const orders = defineAddon({
  name: 'orders',
  title: 'Orders for the ERP',
  purpose: 'Hands won quotes to the ERP, by call or as files, and shows its answer.',
  whileOff:
    'Quotes that are won in the meantime get no order request. Requests that wait are handed over after it is switched on.',
  calls: { OrderExchange, OrderRequests, QuoteOrders },
});
