// A sample ERP. It fetches the orders of won quotes with an API key every few seconds and gives each a number.
import type { Order } from '#addons/orders/order.ts';
import { OrderExchange } from '#addons/orders/order-requests.contract.ts';
import type { CallByKey } from './by-key.server.ts';

type Erp = {
  /** Asks for orders now, and gives a number to each one that has none. */
  ask: () => Promise<void>;
  close: () => void;
};

/** The number of the first order. Later orders count up from it. */
const FIRST = 4711;

/** Starts the ERP. It calls `onOrder` with each order and the order's number. */
export function startErp(call: CallByKey, everyMs: number, onOrder: (order: Order, erpOrderNo: string) => void): Erp {
  const ask = async () => {
    const { total } = await call(OrderExchange.GetOrderRequests, { state: 'Acknowledged', page: 1, pageSize: 1 });
    const { records } = await call(OrderExchange.GetOrderRequests, { page: 1, pageSize: 100 });
    let next = FIRST + total;
    for (const { key, order } of records) {
      const erpOrderNo = String(next++);
      await call(OrderExchange.AcknowledgeOrder, { key, status: 'Acknowledged', erpOrderNo });
      onOrder(order, erpOrderNo);
    }
  };
  let asking = false;
  const timer = setInterval(() => {
    if (asking) return;
    asking = true;
    // Nothing is lost while Quoteboard is down: it sends unanswered orders again.
    void ask()
      .catch(() => {})
      .finally(() => (asking = false));
  }, everyMs);
  return { ask, close: () => clearInterval(timer) };
}
