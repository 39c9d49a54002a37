// The events of webhooks: their names in messages, and their names for users.

export const WEBHOOK_EVENTS = {
  'quote.created': 'A quote is made',
  'quote.submitted': 'A quote is submitted',
  'quote.approved': 'Its discount is approved',
  'quote.sent': 'A quote is sent to the customer',
  'quote.viewed': 'The customer opens its page for the first time',
  'quote.accepted': 'The customer accepts it',
  'quote.declined': 'The customer declines it',
  'quote.won': 'A quote is won, whoever says so',
  'quote.lost': 'A quote is lost, whoever says so',
  'quote.expired': 'The last day of a sent quote is over',
  'order_request.created': 'An order request is made for the ERP',
  'import.finished': 'An import is applied, or failed',
} as const;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];

/** The event that "Send a test" sends. Endpoints cannot subscribe to it. */
export const TEST_EVENT = 'webhook.test';
