// The colors of the states of webhooks and deliveries.
import type { Tone } from '#platform/ui/tones.ts';
import type { DeliveryState, WebhookState } from './webhooks.contract.ts';

export const WEBHOOK_TONES: Record<WebhookState, Tone> = { Active: 'green', Failing: 'red', Off: 'orange' };
export const DELIVERY_TONES: Record<DeliveryState, Tone> = { Waiting: 'blue', Delivered: 'green', Failed: 'red' };
