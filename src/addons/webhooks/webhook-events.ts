// The events of webhooks: their names in messages, and their names for users.

export const WEBHOOK_EVENTS = {
  'quote.created': 'A quote is created',
  'quote.submitted': 'A quote is submitted',
  'quote.approved': 'The discount on a quote is approved',
  'quote.sent': 'A quote is sent to the customer',
  'quote.viewed': 'The customer opens the page of a quote for the first time',
  'quote.accepted': 'The customer accepts a quote',
  'quote.declined': 'The customer declines a quote',
  'quote.won': 'A quote is won, marked by the customer or by staff',
  'quote.lost': 'A quote is lost, marked by the customer or by staff',
  'quote.expired': 'A sent quote expires',
  'order_request.created': 'An order request for the ERP is created',
  'import.finished': 'An import is applied or fails',
} as const;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];

/** The event that "Send test event" sends. Endpoints cannot subscribe to it. */
export const TEST_EVENT = 'webhook.test';
