// Answers the ERP's calls, which fetch, acknowledge and reject orders.
import { isDeepStrictEqual } from 'node:util';
import { type Selectable, sql } from 'kysely';
import { HttpError, invalid } from '#platform/api/http-error.ts';
import type { Answers, Context } from '#platform/api/serve.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import type { OrderRequest } from '#platform/db/tables.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { queueMail } from '#platform/mail/outbox.server.ts';
import { recordEvent } from '#core/quoting/quotes/events/events.server.ts';
import { paths } from '#platform/shared/paths.ts';
import { opensInternalBoard, type Role } from '#platform/shared/roles.ts';
import type { AnswerLine, OrderAnswer, OrderExchange } from './order-requests.contract.ts';
import type { Order, OrderState } from './order.ts';
import { answerWords } from './order-words.ts';

export type OrderRow = Selectable<OrderRequest>;

const OLDEST_FIRST = {
  sorts: { requestedAt: sql`order_request.requested_at` },
  key: sql`order_request.id`,
  first: { field: 'requestedAt', dir: 'asc' as const },
};

export const orderExchangeAnswers: Answers<typeof OrderExchange> = {
  /** One transaction reads and marks the orders, so that no answer includes an order withdrawn in the meantime. */
  GetOrderRequests: ({ services }, { state, since, page, pageSize }) =>
    inTransaction(services.database.db, async (trx) => {
      const request = trx
        .selectFrom('order_request')
        .select('id')
        .where('state', 'in', state ? [state] : ['Waiting', 'Sent'])
        .$if(Boolean(since), (query) => query.where('changed_at', '>=', since ?? ''));
      const result = await pageFrom(request, { page, pageSize }, OLDEST_FIRST);
      const ids = result.records.map(({ id }) => id);
      if (ids.length > 0) {
        await trx
          .updateTable('order_request')
          .set((eb) => ({ state: 'Sent', ...firstSent(services.clock.now(), 'poll'), version: eb('version', '+', 1) }))
          .where('id', 'in', ids)
          .where('state', '=', 'Waiting')
          .execute();
      }
      const rows = await trx
        .selectFrom('order_request')
        .selectAll()
        .where('id', 'in', [0, ...ids])
        // An order whose quote was reopened in between must not reach the ERP.
        .$if(state !== 'Withdrawn', (query) => query.where('state', '!=', 'Withdrawn'))
        .orderBy('requested_at')
        .orderBy('id')
        .execute();
      return {
        ...result,
        records: rows.map((row) => {
          const { lines: _, ...answer } = orderAnswer(row);
          return {
            ...answer,
            requestedAt: row.requested_at,
            changedAt: row.changed_at,
            sentAt: row.sent_at,
            order: row.content as Order,
          };
        }),
      };
    }),

  /**
   * Throws 404 for an unknown key, 409 if the order has another answer or was withdrawn, and 422 for lines that it does not have or that are listed
   * twice.
   */
  AcknowledgeOrder: async ({ db, services, user }, input) => {
    const { key, status, reason } = input;
    const erpOrderNo = input.erpOrderNo ?? '';
    const row = await db.selectFrom('order_request').selectAll().where('key', '=', key).forUpdate().executeTakeFirst();
    if (!row) throw new HttpError(404, `Order request ${key} does not exist.`);
    const order = row.content as Order;
    requireLines(order, input.lines ?? []);
    requireOpen(row, status, erpOrderNo);
    const isRepeated = row.state === status;
    const before = row.answer_lines as AnswerLine[];
    const lines = withAnswers(before, input.lines ?? []);
    // The column stores the fields of a line in a different order.
    if (isRepeated && isDeepStrictEqual(JSON.parse(JSON.stringify(lines)), before)) return orderAnswer(row);
    const now = services.clock.now();
    const change = { answer_lines: JSON.stringify(lines), changed_at: now, version: row.version + 1 };
    const answered = await db
      .updateTable('order_request')
      .set(
        isRepeated
          ? change
          : {
              ...change,
              state: status,
              erp_order_no: status === 'Acknowledged' ? erpOrderNo : '',
              reason: status === 'Rejected' ? (reason ?? '') : '',
              answered_at: now,
              error: '',
              ...firstSent(now, 'poll'),
            },
      )
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const news = lines.filter(
      (line) => line.status !== 'Accepted' && !before.some((was) => isDeepStrictEqual(was, line)),
    );
    if (!isRepeated || news.length > 0) await tellQuote({ db, services, user }, answered, { isRepeated, news });
    return orderAnswer(answered);
  },
};

export function orderAnswer(row: OrderRow): OrderAnswer {
  return {
    key: row.key,
    state: row.state as OrderState,
    erpOrderNo: row.erp_order_no,
    answeredAt: row.answered_at,
    reason: row.reason,
    lines: row.answer_lines as AnswerLine[],
  };
}

/** The time and way of the first sending. */
export function firstSent(now: Date, by: 'poll' | 'file') {
  return {
    sent_at: sql<string>`coalesce(sent_at, ${now})`,
    sent_by: sql<string>`case when sent_by = '' then ${by} else sent_by end`,
  };
}

/** The answers about lines, in line order. A new answer replaces the last one about its line. */
function withAnswers(before: readonly AnswerLine[], answers: readonly AnswerLine[]): AnswerLine[] {
  const lines = new Map([...before, ...answers].map((line) => [line.lineNo, line]));
  return [...lines.values()].toSorted((a, b) => a.lineNo - b.lineNo);
}

function requireLines({ key, lines: ordered }: Order, lines: readonly AnswerLine[]): void {
  const known = new Map(ordered.map(({ lineNo, qty }) => [lineNo, qty]));
  const named = new Set<number>();
  const errors = lines.flatMap(({ lineNo, status, qty, shipOn, note }, index) => {
    const path = `lines.${index}.lineNo`;
    const ordered = known.get(lineNo);
    if (ordered === undefined) return [{ path, message: `${key} has no line ${lineNo}.` }];
    if (named.has(lineNo)) return [{ path, message: `Line ${lineNo} appears twice in this answer.` }];
    named.add(lineNo);
    if (status === 'Accepted' && qty !== undefined && qty !== ordered) {
      const message = `The ordered quantity of line ${lineNo} is ${ordered}. To answer with another quantity, use the status Changed.`;
      return [{ path: `lines.${index}.qty`, message }];
    }
    if (status === 'Rejected' && qty)
      return [{ path: `lines.${index}.qty`, message: `Line ${lineNo} is rejected. Omit its quantity.` }];
    if (status === 'Changed' && qty === undefined && !shipOn && !note) {
      const message = `Specify what changes in line ${lineNo}: qty, shipOn or note.`;
      return [{ path: `lines.${index}.status`, message }];
    }
    return [];
  });
  if (errors.length > 0) throw invalid(errors);
}

function requireOpen(row: OrderRow, status: 'Acknowledged' | 'Rejected', erpOrderNo: string): void {
  const { key, state } = row;
  if (state === 'Waiting' || state === 'Sent') return;
  if (state === 'Withdrawn')
    throw new HttpError(409, `${key} was withdrawn because the quote was reopened. The next order has another key.`);
  if (state === 'Acknowledged' && (status === 'Rejected' || row.erp_order_no !== erpOrderNo))
    throw new HttpError(409, `${key} was already acknowledged as order ${row.erp_order_no}.`);
  if (state === 'Rejected' && status !== 'Rejected')
    throw new HttpError(
      409,
      `${key} was rejected (${row.reason}). It must be sent again before it can be acknowledged.`,
    );
}

/** Records the answer in the quote's history. Mails the users who must act if the ERP rejects the order or does not simply accept lines (`news`). */
async function tellQuote(
  { db, services, user }: Pick<Context<readonly Role[]>, 'db' | 'services' | 'user'>,
  row: OrderRow,
  { isRepeated, news }: { isRepeated: boolean; news: readonly AnswerLine[] },
) {
  const rejected = row.state === 'Rejected';
  const lines = news.map(answerWords);
  await recordEvent(db, {
    quoteId: row.quote_id,
    userId: user.id,
    actor: user.fullName,
    action: isRepeated ? 'AnswerOrderLines' : rejected ? 'RejectOrder' : 'AcknowledgeOrder',
    revision: row.revision,
    comment: [row.reason, ...lines].filter(Boolean).join('\n'),
    changes: row.erp_order_no && !isRepeated ? [{ field: 'Order', before: '', after: row.erp_order_no }] : [],
  });
  if (!rejected && lines.length === 0) return;
  const readers = await ownerSide(db, row.quote_id);
  for (const { userName, facilityName, internal } of readers) {
    const path = internal ? paths.internalBoard(row.quote_id) : paths.publicBoard(row.quote_id);
    await queueMail(db, services.jobs, {
      quoteId: row.quote_id,
      to: [userName],
      subject: `Order ${row.key} for ${facilityName}: ${rejected ? 'rejected by the ERP' : 'the ERP changed lines'}`,
      body: [
        rejected
          ? `The ERP rejected the order for quote ${row.key}:`
          : `The ERP created order ${row.erp_order_no} for quote ${row.key} with changes:`,
        [row.reason, ...lines].filter(Boolean).join('\n'),
        rejected
          ? 'Fix the problem and send the order again from Order Requests, or reopen the quote.'
          : 'Inform the customer, or reopen the quote.',
        `${services.config.publicUrl}${path}`,
      ].join('\n\n'),
    });
  }
}

/** The owner and the sales rep of a quote, if they are active. */
async function ownerSide(db: Db, quoteId: number) {
  const rows = await db
    .selectFrom('quote')
    .innerJoin('app_user', (join) =>
      join.on((eb) =>
        eb.or([eb('app_user.id', '=', eb.ref('quote.owner_id')), eb('app_user.id', '=', eb.ref('quote.sales_rep_id'))]),
      ),
    )
    .select(['app_user.user_name as userName', 'quote.facility_name as facilityName'])
    .select(sql<Role[]>`array(select role from user_role where user_id = app_user.id)`.as('roles'))
    .where('quote.id', '=', quoteId)
    .where('app_user.active', '=', true)
    .orderBy('app_user.id')
    .execute();
  return rows.map(({ roles, ...row }) => ({ ...row, internal: opensInternalBoard({ roles }) }));
}
