// Counts the open quotes of a departing user by their part in them, and hands the quotes over.
import { sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { type FieldChange, recordEvents } from '../events/events.server.ts';
import { QUOTE_LABELS } from '../quote-fields.ts';
import { OPEN_STATUSES } from '../status.ts';

/** The parts that a user can have in a quote, each with its column and its name in the history. */
const PARTS = {
  sales: { column: 'sales_rep_id', field: QUOTE_LABELS.salesRepId },
  cs: { column: 'cs_rep_id', field: QUOTE_LABELS.csRepId },
  is: { column: 'is_rep_id', field: QUOTE_LABELS.isRepId },
  owner: { column: 'owner_id', field: 'Owner' },
  assignee: { column: 'assignee_id', field: 'Assignee' },
} as const;
export type QuotePart = keyof typeof PARTS;
const QUOTE_PARTS = Object.keys(PARTS) as QuotePart[];

type Person = { id: number; fullName: string };

/** Counts a user's open quotes by part and in total. */
export async function openQuotesOf(db: Db, userId: number): Promise<Record<QuotePart | 'all', number>> {
  return open(db, userId)
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .select(QUOTE_PARTS.map((part) => countPart(part, userId).as(part)))
    .$castTo<Record<QuotePart | 'all', number>>()
    .executeTakeFirstOrThrow();
}

/** Hands over a user's open quotes, part by part, and adds an event to each quote. Returns the number of changed quotes. */
export async function handOverQuotes(
  db: Db,
  services: Pick<Services, 'clock'>,
  actor: Person,
  from: Person,
  to: Partial<Record<QuotePart, Person>>,
): Promise<number> {
  const quotes = await open(db, from.id)
    .select(['id', 'revision', 'status_id', ...QUOTE_PARTS.map((part) => PARTS[part].column)])
    .orderBy('id')
    .forUpdate()
    .execute();
  const events = quotes.flatMap((quote) => {
    const changes = QUOTE_PARTS.flatMap((part): FieldChange[] => {
      const successor = quote[PARTS[part].column] === from.id ? to[part] : undefined;
      return successor ? [{ field: PARTS[part].field, before: from.fullName, after: successor.fullName }] : [];
    });
    if (changes.length === 0) return [];
    return [
      {
        quoteId: quote.id,
        userId: actor.id,
        actor: actor.fullName,
        action: 'HandOver',
        from: quote.status_id,
        to: quote.status_id,
        revision: quote.revision,
        changes,
      },
    ];
  });
  if (events.length === 0) return 0;
  const handed = Object.fromEntries(
    QUOTE_PARTS.flatMap((part) => {
      const [{ column }, successor] = [PARTS[part], to[part]];
      return successor
        ? [
            [
              column,
              sql`case when ${sql.ref(column)} = ${from.id} then ${successor.id}::int else ${sql.ref(column)} end`,
            ],
          ]
        : [];
    }),
  );
  await db
    .updateTable('quote')
    .set((eb) => ({ ...handed, version: eb('version', '+', 1), updated_at: services.clock.now() }))
    .where('id', '=', (eb) => eb.fn.any(eb.val(events.map(({ quoteId }) => quoteId))))
    .execute();
  await recordEvents(db, events);
  return events.length;
}

/** The open quotes in which a user has a part. */
function open(db: Db, userId: number) {
  return db
    .selectFrom('quote')
    .where('status_id', 'in', OPEN_STATUSES)
    .where((eb) => eb.or(QUOTE_PARTS.map((part) => eb(PARTS[part].column, '=', userId))));
}

const countPart = (part: QuotePart, userId: number) =>
  sql<number>`count(*) filter (where ${sql.ref(PARTS[part].column)} = ${userId})`;
