// Notifies the administrators if an endpoint no longer accepts deliveries.
import type { Selectable } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { WebhookEndpoint } from '#platform/db/tables.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { loadCompany } from '#platform/company/company.server.ts';
import { recordChange } from '#platform/history/record-change.server.ts';
import { administrators, notify } from '#platform/notifications/notify.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';
import { formatInstant } from '#platform/shared/dates.ts';

type Endpoint = Pick<Selectable<WebhookEndpoint>, 'id' | 'description' | 'version'>;

const TELL_AFTER_MS = 24 * 3_600_000;
const ENDED = 'The endpoint answered with 410, which means that it wants no more events.';

/** Reports endpoints that have been failing for a day, even while none of their tries is due. */
export const webhookFailingJob = {
  name: 'webhooks-failing',
  patient: true,
  due: async (services) => (await failingFor(services.database.db, services)).length > 0,
  run: async (services) => {
    await inTransaction(services.database.db, async (trx) => {
      for (const id of await failingFor(trx, services)) await tellFailing(trx, services, id);
    });
  },
} satisfies PlainJob<Services>;

const latestToTell = ({ clock }: Services) => new Date(clock.now().getTime() - TELL_AFTER_MS).toISOString();

async function failingFor(db: Db, services: Services): Promise<number[]> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('active', '=', true)
    .where('told_at', 'is', null)
    .where('failing_since', '<=', latestToTell(services))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Sends one mail each time an endpoint has failed for a whole day. */
export async function tellFailing(db: Db, services: Services, id: number): Promise<void> {
  const row = await db
    .updateTable('webhook_endpoint')
    .set({ told_at: services.clock.now() })
    .where('id', '=', id)
    .where('told_at', 'is', null)
    .where('failing_since', '<=', latestToTell(services))
    .returning(['id', 'description', 'version', 'failing_since', 'last_error'])
    .executeTakeFirst();
  if (!row) return;
  const { time_zone: zone } = await loadCompany(db);
  await tellAdministrators(db, services, row, 'has failed for a day', [
    `Deliveries to ${row.description} have been failing since ${formatInstant(row.failing_since, zone)}. Last error: ${row.last_error}`,
    'Each delivery is tried up to ten times over three days. You can send failed deliveries again in Settings → Webhook Deliveries.',
  ]);
}

/** Stops an endpoint that answers 410 until an administrator activates it again. */
export async function noteEnded(db: Db, services: Services, endpoint: Endpoint): Promise<void> {
  const { id, description, version } = endpoint;
  const ended = await db
    .updateTable('webhook_endpoint')
    .set({ active: false, ended_why: ENDED, version: version + 1 })
    .where('id', '=', id)
    .where('active', '=', true)
    .executeTakeFirst();
  if (Number(ended.numUpdatedRows) === 0) return;
  await recordChange(db, null, {
    type: 'webhook',
    id,
    name: description,
    action: 'Edit',
    version: version + 1,
    comment: ENDED,
    changes: [{ field: 'Active', before: 'Yes', after: 'No' }],
  });
  await tellAdministrators(db, services, endpoint, 'was turned off by the receiver', [
    `${description} is off now. ${ENDED} If this is a mistake, turn the webhook on again in Settings → Webhooks.`,
  ]);
}

async function tellAdministrators(
  db: Db,
  services: Services,
  { id: aboutId, description }: Pick<Endpoint, 'id' | 'description'>,
  what: string,
  lines: string[],
): Promise<void> {
  const mail = { what: `The webhook to ${description} ${what}`, paragraphs: () => lines };
  const concerns = (await administrators(db)).map((userId) => ({ userId, aboutId }));
  await notify(db, services, { kind: 'webhookFailing', by: { id: null, name: '' }, mail }, concerns);
}
