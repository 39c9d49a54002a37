import { addonServer } from '#platform/addons/addon.server.ts';
import { orders } from './addon.ts';
import { quoteReopened, quoteWon } from '#core/quoting/quote-workflow/doors.server.ts';
import { afterClearing } from '#platform/retention/doors.server.ts';
import { removeClearedFiles } from './cleared-files.server.ts';
import { requestOrder, withdrawOrder } from './make-request.server.ts';
import { orderExchangeAnswers } from './erp-calls.server.ts';
import { orderRequestAnswers, quoteOrderAnswers } from './order-requests.server.ts';
import { writeOrdersJob } from './write-orders.server.ts';

export const ordersServer = addonServer(orders, {
  answers: { OrderExchange: orderExchangeAnswers, OrderRequests: orderRequestAnswers, QuoteOrders: quoteOrderAnswers },
  jobs: [writeOrdersJob],
  doors: [quoteWon.with(requestOrder), quoteReopened.with(withdrawOrder), afterClearing.with(removeClearedFiles)],
});
