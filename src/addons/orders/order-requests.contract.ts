// Defines the calls for orders to the ERP: what the ERP fetches and acknowledges, what staff see, and the settings.
import { z } from 'zod';
import { Bytes, Nothing, post } from '#platform/api/endpoint.ts';
import { INTERNAL_ROLES, type Role } from '#platform/shared/roles.ts';
import { Id, PageInput, pageOf, QueryId, RequiredText, Text, TypedDate, Version } from '#platform/shared/wire.ts';
import { Order, ORDER_FORMATS, ORDER_STATES } from './order.ts';

const SINCE = 'Enter a date and time such as 2026-11-23T08:00:00Z';

/** Strict, because an ignored field, such as a price of the ERP, would count as agreed. */
const AnswerLine = z.strictObject({
  lineNo: z.number().int().min(1).max(1_000_000),
  status: z.enum(['Accepted', 'Changed', 'Backordered', 'Rejected']),
  /** Accepted: the ordered quantity. Changed: the quantity that the ERP accepts. */
  qty: z.number().min(0).max(9_999_999).optional(),
  /** mm/dd/yyyy or ISO. */
  shipOn: TypedDate.optional(),
  note: Text(500).optional(),
});
export type AnswerLine = z.infer<typeof AnswerLine>;

export const OrderAnswer = z.object({
  key: z.string(),
  state: z.enum(ORDER_STATES),
  /** The ERP's order number. Empty unless acknowledged. */
  erpOrderNo: z.string(),
  answeredAt: z.string().nullable(),
  reason: z.string(),
  lines: z.array(AnswerLine),
});
export type OrderAnswer = z.infer<typeof OrderAnswer>;

const OrderRequest = OrderAnswer.omit({ lines: true }).extend({
  requestedAt: z.string(),
  changedAt: z.string(),
  sentAt: z.string().nullable(),
  order: Order,
});

/** The ERP's calls. A key needs Order:read to fetch and Order:write to acknowledge. */
export const OrderExchange = {
  GetOrderRequests: post(
    '/api/Order/GetOrderRequests',
    z.strictObject({
      ...PageInput.omit({ sort: true }).shape,
      /** Omitted means all orders that the ERP has not answered: Waiting and Sent. */
      state: z.enum(ORDER_STATES).nullish(),
      /** Only orders created or changed at this instant or later. */
      since: z.iso
        .datetime({ offset: true, error: SINCE })
        // The database has no year 0.
        .refine((instant) => !instant.startsWith('0000'), SINCE)
        .nullish(),
    }),
    pageOf(OrderRequest),
    {
      access: INTERNAL_ROLES,
      summary:
        'Order requests of won quotes, oldest first. A request becomes Sent when it is returned for the first time.',
    },
  ),
  AcknowledgeOrder: post(
    '/api/Order/AcknowledgeOrder',
    z
      .strictObject({
        key: RequiredText(40),
        status: z.enum(['Acknowledged', 'Rejected']),
        /** Required when acknowledged. */
        erpOrderNo: Text(60).nullish(),
        /** The answers about lines. Omitted lines keep their last answer. */
        lines: z.array(AnswerLine).max(5000).nullish(),
        /** Required when rejected. */
        reason: Text(2000).nullish(),
      })
      .refine(({ status, erpOrderNo }) => status !== 'Acknowledged' || Boolean(erpOrderNo), {
        path: ['erpOrderNo'],
        message: 'Enter the ERP order number.',
      })
      .refine(({ status, reason }) => status !== 'Rejected' || Boolean(reason), {
        path: ['reason'],
        message: 'Enter a reason.',
      }),
    OrderAnswer,
    {
      access: INTERNAL_ROLES,
      writes: true,
      summary:
        'Reports the order that the ERP created for a request, or why it rejected the request. A repeated call returns the same answer.',
    },
  ),
};

export const QuoteOrder = OrderAnswer.extend({
  id: z.number().int(),
  revision: z.number().int(),
  requestedAt: z.string(),
  sentAt: z.string().nullable(),
  /** Why the order has not been sent yet. */
  error: z.string(),
});
export type QuoteOrder = z.infer<typeof QuoteOrder>;

export const QuoteOrders = {
  GetQuoteOrder: post(
    '/api/QuoteEdit/GetQuoteOrder',
    QueryId,
    z.object({
      /** True if an ERP can fetch orders or the server writes files. */
      connected: z.boolean(),
      order: QuoteOrder.nullable(),
    }),
    { access: 'user', in: 'query', summary: 'The newest order request of a won quote, with the response of the ERP.' },
  ),
};

const LISTERS: readonly Role[] = ['systemadmin', 'salesadmin'];
const ADMINISTRATORS: readonly Role[] = ['systemadmin'];
const access = LISTERS;

const OrderRow = QuoteOrder.omit({ lines: true }).extend({
  quoteId: z.number().int(),
  num: z.number().int(),
  facilityName: z.string(),
  poNumber: z.string(),
  total: z.number(),
  currency: z.string(),
  sentBy: z.string(),
  version: z.number().int(),
});
export type OrderRow = z.infer<typeof OrderRow>;

const OrderWays = z.object({
  /** The setting that contains the folder. Empty if there is none. */
  folder: z.string(),
  files: z.boolean(),
  /** Active API keys with the scope Order:read. */
  keys: z.array(z.object({ name: z.string(), lastUsedAt: z.string().nullable() })),
  /** Why the folder does not accept files, and until when the server does not try. */
  problem: z.string(),
  pausedUntil: z.string().nullable(),
});

export const OrderSettingsInput = z.object({
  version: Version,
  files: z.boolean(),
  format: z.enum(ORDER_FORMATS),
  sender: RequiredText(15),
  receiver: RequiredText(15),
  test: z.boolean(),
  units: z.array(z.object({ unit: RequiredText(20), code: RequiredText(2) })).max(200),
});
export const OrderSettings = z.object({
  settings: OrderSettingsInput.extend({
    sender: z.string(),
    receiver: z.string(),
    units: z.array(z.object({ unit: z.string(), code: z.string() })),
  }),
  ways: OrderWays,
});
export type OrderSettings = z.infer<typeof OrderSettings>;

export const OrderRequests = {
  SearchOrderRequests: post(
    '/api/OrderRequest/SearchOrderRequests',
    PageInput.extend({
      state: z.enum(ORDER_STATES).nullish(),
      /** Searches the quote's number, its facility, the PO number and the order number. */
      keyword: Text(200).nullish(),
    }),
    pageOf(OrderRow).extend({ ways: OrderWays }),
    { access, summary: 'All order requests, newest first.' },
  ),
  ResendOrderRequest: post('/api/OrderRequest/ResendOrderRequest', z.object({ id: Id, version: Version }), OrderRow, {
    access,
    writes: true,
    summary: 'Queues a request to be sent again with the same content.',
  }),
  GetOrderFile: post('/api/OrderRequest/GetOrderFile', QueryId.extend({ format: z.enum(ORDER_FORMATS) }), Bytes, {
    access,
    in: 'query',
    file: 'application/octet-stream',
    summary: 'An order as a file in one of the formats.',
  }),
  GetOrderSettings: post('/api/OrderRequest/GetOrderSettings', Nothing, OrderSettings, { access: ADMINISTRATORS }),
  SaveOrderSettings: post('/api/OrderRequest/SaveOrderSettings', OrderSettingsInput, OrderSettings, {
    access: ADMINISTRATORS,
    writes: true,
  }),
  TestOrderFolder: post(
    '/api/OrderRequest/TestOrderFolder',
    Nothing,
    z.object({ ok: z.boolean(), sentence: z.string() }),
    { access: ADMINISTRATORS, summary: 'Tests the order folder by writing and removing a file.' },
  ),
};
