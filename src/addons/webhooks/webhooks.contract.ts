// Defines the calls for webhooks: the endpoints that receive events, and the result of each delivery (docs/decisions/0038).
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { FormQuery } from '#platform/shared/record.ts';
import type { Role } from '#platform/shared/roles.ts';
import { changesOverVersion, Id, PageInput, pageOf, RequiredText, Text, Version } from '#platform/shared/wire.ts';
import { WEBHOOK_EVENT_NAMES } from './webhook-events.ts';

const ADMINISTRATORS: readonly Role[] = ['systemadmin'];

export const WEBHOOK_STATES = ['Active', 'Failing', 'Off'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];
export const DELIVERY_STATES = ['Waiting', 'Delivered', 'Failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const WebhookRow = z.object({
  id: z.number().int(),
  description: z.string(),
  address: z.string(),
  events: z.array(z.string()),
  state: z.enum(WEBHOOK_STATES),
  failingSince: z.string().nullable(),
  /** The latest error since the last delivery, or why the endpoint is off. */
  problem: z.string(),
  /** The number of pending deliveries. */
  waiting: z.number().int(),
  version: z.number().int(),
});
export type WebhookRow = z.infer<typeof WebhookRow>;

/** The required fields of a webhook. Only the server checks them, because it reports all errors at once and some only it can detect. */
export const WholeWebhook = z.object({
  /** The name that users see. */
  description: RequiredText(100),
  address: RequiredText(1000),
  events: z.array(z.enum(WEBHOOK_EVENT_NAMES)).min(1, 'Choose at least one event').max(100),
});

export const WebhookInput = z
  .object({
    /** 0 means a new webhook. */
    id: Id.or(z.literal(0)).default(0),
    description: Text(100),
    address: Text(1000),
    events: z.array(z.enum(WEBHOOK_EVENT_NAMES)).max(100),
    active: z.boolean().optional(),
    version: Version.optional(),
  })
  .check(changesOverVersion);

/** A webhook as its form shows it. For a new webhook the fields are blank. */
export const WebhookEdit = z.object({
  id: z.number().int(),
  description: z.string(),
  address: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENT_NAMES)),
  active: z.boolean(),
  version: z.number().int(),
});
export type WebhookEdit = z.infer<typeof WebhookEdit>;

const WithSecret = WebhookEdit.extend({
  /** The new secret, only in the answer to the call that creates it. Otherwise null. */
  secret: z.string().nullable(),
});

const Changing = z.object({ id: Id, version: Version });

const DeliveryRow = z.object({
  id: z.number().int(),
  webhookId: z.number().int(),
  webhook: z.string(),
  /** The webhook-id, which is the same in every try. */
  key: z.string(),
  type: z.string(),
  at: z.string(),
  state: z.enum(DELIVERY_STATES),
  tries: z.number().int(),
  lastAt: z.string().nullable(),
  /** The time of the next try. Null if there is none, or if it is due at once. */
  nextAt: z.string().nullable(),
  /** True if the endpoint is off. The delivery waits until an administrator activates it. */
  off: z.boolean(),
  /** The HTTP status of the last try. */
  status: z.number().int().nullable(),
  answer: z.string(),
  error: z.string(),
  ms: z.number().int().nullable(),
  /** The body that is sent. */
  body: z.string(),
});
export type DeliveryRow = z.infer<typeof DeliveryRow>;

const access = ADMINISTRATORS;

export const Webhook = {
  SearchWebhooks: post(
    '/api/Webhook/SearchWebhooks',
    PageInput.extend({
      /** Searches description and address. */
      keyword: Text(200).nullish(),
      state: z.enum(WEBHOOK_STATES).nullish(),
    }),
    pageOf(WebhookRow),
    { access, summary: 'All webhooks, without their secrets.' },
  ),
  PopulateWebhookEditModel: post(
    '/api/Webhook/PopulateWebhookEditModel',
    FormQuery,
    z.object({
      webhook: WebhookEdit,
      /** The time until which the previous secret also signs. Null if there is only one secret. */
      oldSecretUntil: z.string().nullable(),
      /** A sentence that explains why the endpoint receives nothing. */
      problem: z.string(),
    }),
    { access, in: 'query', summary: 'A webhook to edit; without an id a new one.' },
  ),
  SaveWebhook: post('/api/Webhook/SaveWebhook', WebhookInput, WithSecret, {
    access,
    writes: true,
    peopleOnly: true,
    summary: 'Creates or changes a webhook. The secret of a new webhook is returned only once.',
  }),
  RotateWebhookSecret: post('/api/Webhook/RotateWebhookSecret', Changing, WithSecret, {
    access,
    writes: true,
    peopleOnly: true,
    summary:
      'Creates a new secret and returns it only once. Both secrets sign for 24 hours, or until the old one is revoked.',
  }),
  EndOldWebhookSecret: post('/api/Webhook/EndOldWebhookSecret', Changing, WebhookEdit, {
    access,
    writes: true,
    summary: 'From now on only the newest secret signs.',
  }),
  DeleteWebhook: post('/api/Webhook/DeleteWebhook', Changing, z.object({ id: z.number().int() }), {
    access,
    writes: true,
    summary: 'Deletes a webhook, its secret and its deliveries.',
  }),
  TestWebhook: post(
    '/api/Webhook/TestWebhook',
    z.object({ id: Id }),
    z.object({
      ok: z.boolean(),
      /** The endpoint's answer, or why there is none. */
      sentence: z.string(),
      answer: z.string(),
      ms: z.number().int(),
    }),
    { access, summary: 'Sends the event webhook.test to an endpoint once and returns the answer.' },
  ),
  SearchWebhookDeliveries: post(
    '/api/Webhook/SearchWebhookDeliveries',
    PageInput.extend({
      webhookId: Id.nullish(),
      state: z.enum(DELIVERY_STATES).nullish(),
      type: Text(40).nullish(),
      /** Searches the webhook-id and the body. */
      keyword: Text(200).nullish(),
    }),
    pageOf(DeliveryRow).extend({
      webhooks: z.array(z.object({ id: z.number().int(), name: z.string() })),
      failed: z.number().int(),
    }),
    { access, summary: 'Sent and waiting deliveries of the last 30 days, newest first.' },
  ),
  ReplayWebhookDeliveries: post(
    '/api/Webhook/ReplayWebhookDeliveries',
    z.object({
      /** One delivery in any state. Omitted means all failed ones. */
      id: Id.nullish(),
      /** Limits all failed deliveries to those of this webhook. */
      webhookId: Id.nullish(),
    }),
    z.object({ replayed: z.number().int() }),
    { access, writes: true, summary: 'Sends deliveries again with the same webhook-id.' },
  ),
};
