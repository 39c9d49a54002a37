// Answers the staff's calls about orders: on the quote, in the list, in the settings.
import { sql } from 'kysely';
import { HttpError, notFound } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import type { Services } from '#platform/api/services.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { orderAnswer } from './erp-calls.server.ts';
import { orderAsFile, orderFileName } from './order-file.server.ts';
import { testFolder } from './order-folder.server.ts';
import type { OrderRequests, OrderRow, OrderSettings, QuoteOrders } from './order-requests.contract.ts';
import type { Order, OrderFormat } from './order.ts';
import { FORMAT_LABELS } from './order-words.ts';
import { isConnected, readSettingsRow, type SettingsRow, waysOf } from './ways.server.ts';
import { x12Of } from './write-orders.server.ts';
import { NotWritable } from './x12.server.ts';

export const quoteOrderAnswers: Answers<typeof QuoteOrders> = {
  GetQuoteOrder: async ({ db, services, user }, { id }) => {
    await requireQuote(db, user, id);
    const row = await db
      .selectFrom('order_request')
      .selectAll()
      .where('quote_id', '=', id)
      .orderBy('revision', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (!row) return { connected: false, order: null };
    const order = {
      ...orderAnswer(row),
      id: row.id,
      revision: row.revision,
      requestedAt: row.requested_at,
      sentAt: row.sent_at,
      error: row.error,
    };
    return { connected: isConnected(await waysOf(db, services)), order };
  },
};

const NEWEST_FIRST = {
  sorts: {
    requestedAt: sql`order_request.requested_at`,
    num: sql`quote.num`,
    state: sql`order_request.state`,
    answeredAt: sql`order_request.answered_at`,
  },
  key: sql`order_request.id`,
  first: { field: 'requestedAt', dir: 'desc' as const },
};

const LABELS = {
  files: 'Write files',
  format: 'Format',
  sender: 'Sender ID',
  receiver: 'Receiver ID',
  test: 'Test',
  units: 'Unit codes',
};
const RECORD = { type: 'orderSettings', id: 1, name: 'Orders for the ERP' } as const;

export const orderRequestAnswers: Answers<typeof OrderRequests> = {
  SearchOrderRequests: async ({ db, services }, { state, keyword, ...page }) => {
    const query = rows(db)
      .$if(Boolean(state), (qb) => qb.where('order_request.state', '=', state ?? 'Waiting'))
      .$if(Boolean(keyword), (qb) =>
        qb.where(
          holds(
            sql`order_request.key || ' ' || quote.facility_name || ' ' || (order_request.content->>'poNumber')
              || ' ' || order_request.erp_order_no`,
            keyword ?? '',
          ),
        ),
      );
    const result = await pageFrom(query, page, NEWEST_FIRST);
    return { ...result, records: result.records.map(orderRow), ways: await waysOf(db, services) };
  },

  /** Throws 409 for an order that the ERP accepted or that was withdrawn. */
  ResendOrderRequest: async ({ db, services, user }, { id, version }) => {
    const row = await db.selectFrom('order_request').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row) throw notFound('order request');
    if (row.version !== version)
      throw new HttpError(409, `Order ${row.key} has changed: it is now ${row.state}. Review it again.`);
    if (row.state === 'Acknowledged')
      throw new HttpError(
        409,
        `The ERP already created order ${row.erp_order_no} for ${row.key}, so it cannot be sent again.`,
      );
    if (row.state === 'Withdrawn') throw new HttpError(409, `${row.key} was withdrawn because the quote was reopened.`);
    await db
      .updateTable('order_request')
      .set({
        state: 'Waiting',
        reason: '',
        answered_at: null,
        answer_lines: '[]',
        error: '',
        next_at: sql<string>`'epoch'::timestamptz`,
        changed_at: services.clock.now(),
        version: row.version + 1,
      })
      .where('id', '=', id)
      .execute();
    await recordEvent(db, {
      quoteId: row.quote_id,
      userId: user.id,
      actor: user.fullName,
      action: 'ResendOrder',
      revision: row.revision,
    });
    return orderRow(await rows(db).where('order_request.id', '=', id).executeTakeFirstOrThrow());
  },

  /**
   * The written file, or the file that would be written now. Throws 409 if the format cannot represent the order, and 410 if the written file was
   * cleared.
   */
  GetOrderFile: async ({ db }, { id, format }) => {
    const row = await db
      .selectFrom('order_request')
      .select(['id', 'key', 'content'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw notFound('order request');
    const stored = await db
      .selectFrom('order_file')
      .select(['content', 'cleared_at'])
      .where('request_id', '=', id)
      .where('format', '=', format)
      .executeTakeFirst();
    if (stored?.cleared_at)
      throw new HttpError(410, `The file for ${row.key} was deleted because of its age. The order itself is kept.`);
    const content = stored?.content ?? (await contentNow(db, row, format));
    return { name: orderFileName(row.key, format), bytes: Buffer.from(content) };
  },

  GetOrderSettings: ({ db, services }) => settingsView(db, services),

  SaveOrderSettings: async ({ db, services, user }, input) => {
    const before = await db.selectFrom('order_settings').selectAll().forUpdate().executeTakeFirstOrThrow();
    await requireFresh(db, 'orderSettings', { id: 1, version: before.version }, input.version, inputOf(before));
    if (input.files && !services.config.orderFolder)
      throw new HttpError(409, 'No order folder is configured. Set ORDER_FOLDER on the server, then restart it.');
    const { version: _, units, ...rest } = input;
    const next = before.version + 1;
    const after = await db
      .updateTable('order_settings')
      .set({ ...rest, units: JSON.stringify(units), version: next, paused_until: null, problem: '', failures: 0 })
      .returningAll()
      .executeTakeFirstOrThrow();
    // Retry under the new settings what failed under the old ones.
    await db
      .updateTable('order_request')
      .set((eb) => ({ next_at: sql<string>`'epoch'::timestamptz`, error: '', version: eb('version', '+', 1) }))
      .where('state', '=', 'Waiting')
      .where('error', '<>', '')
      .execute();
    await recordChange(db, user, {
      ...RECORD,
      action: 'Edit',
      version: next,
      changes: changesBetween(historyWords(before), historyWords(after), LABELS),
    });
    return settingsView(db, services);
  },

  TestOrderFolder: async ({ services }) => {
    const folder = services.config.orderFolder;
    if (!folder)
      return { ok: false, sentence: 'No order folder is configured. Set ORDER_FOLDER on the server, then restart it.' };
    const problem = await testFolder(folder);
    return { ok: problem === '', sentence: problem || 'Files can be written to the order folder (ORDER_FOLDER).' };
  },
};

async function contentNow(db: Db, row: { id: number; content: unknown }, format: OrderFormat): Promise<string> {
  try {
    return orderAsFile(row.content as Order, format, x12Of(await readSettingsRow(db)), row.id);
  } catch (error) {
    if (error instanceof NotWritable) throw new HttpError(409, error.message);
    throw error;
  }
}

function rows(db: Db) {
  return db
    .selectFrom('order_request')
    .innerJoin('quote', 'quote.id', 'order_request.quote_id')
    .selectAll('order_request')
    .select(['quote.num', 'quote.facility_name']);
}

type Found = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;

function orderRow(row: Found): OrderRow {
  const { lines: _, ...answer } = orderAnswer(row);
  const order = row.content as Order;
  return {
    ...answer,
    id: row.id,
    quoteId: row.quote_id,
    num: row.num,
    revision: row.revision,
    facilityName: row.facility_name,
    poNumber: order.poNumber,
    total: order.total,
    currency: order.currency,
    requestedAt: row.requested_at,
    sentAt: row.sent_at,
    sentBy: row.sent_by,
    error: row.error,
    version: row.version,
  };
}

function inputOf({ version, files, format, sender, receiver, test, units }: SettingsRow): OrderSettings['settings'] {
  const codes = units as OrderSettings['settings']['units'];
  return { version, files, format: format as OrderFormat, sender, receiver, test, units: codes };
}

const historyWords = (row: SettingsRow) => ({
  ...inputOf(row),
  format: FORMAT_LABELS[row.format as OrderFormat],
  units: inputOf(row)
    .units.map(({ unit, code }) => `${unit} ${code}`)
    .join(', '),
});

async function settingsView(db: Db, services: Services): Promise<OrderSettings> {
  const row = await readSettingsRow(db);
  return { settings: inputOf(row), ways: await waysOf(db, services, row) };
}
