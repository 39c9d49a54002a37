// Answers the Webhook calls. Only calls that create a secret return it.
import { sql } from 'kysely';
import { type FieldError, HttpError, invalid, notFound } from '#platform/api/http-error.ts';
import type { Answers, Context } from '#platform/api/serve.server.ts';
import { holds } from '#platform/db/contains.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { pageFrom } from '#platform/db/page.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import {
  bumpRecord,
  lockForSave,
  oneRecord,
  otherWithName,
  type RecordKind,
  saveRecord,
} from '#platform/history/record-kit.server.ts';
import { wrongAddress } from '#platform/outside/reachable-address.server.ts';
import { newSecret } from '#platform/outside/sign-and-post-webhook.server.ts';
import { BROKEN_SEAL, type EndpointRow } from './deliver.server.ts';
import { replay, searchDeliveries, testWebhook } from './deliveries.server.ts';
import { isRotating, sealSecret, secretsOf } from './secrets.server.ts';
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from './webhook-events.ts';
import { type Webhook, type WebhookEdit, type WebhookState, WholeWebhook } from './webhooks.contract.ts';

const OLD_SECRET_MS = 24 * 3_600_000;
/** The most webhooks. There is a limit because each event writes a row per subscribed endpoint. */
const MAX_WEBHOOKS = 50;
const BY_DESCRIPTION = { column: 'description' };
const LABELS = { description: 'Description', address: 'Address', events: 'Events', active: 'Active' };
/** Resets the failures of an endpoint that starts over. */
const FRESH = { failing_since: null, told_at: null, paused_until: null, last_error: '', ended_why: '' };

type Writing = Pick<Context, 'db' | 'services'> & { user: { id: number; fullName: string } };

const WEBHOOK: RecordKind<WebhookEdit, 'webhook'> = {
  type: 'webhook',
  read: readWebhook,
  nameOf: ({ description }) => description,
  changes: (before, after) => {
    const changes = changesBetween(before ? historyWords(before) : {}, historyWords(after), LABELS);
    const hides = before && before.address !== after.address && !changes.some(({ field }) => field === LABELS.address);
    return hides
      ? [
          ...changes,
          {
            field: LABELS.address,
            before: withoutQuery(before.address),
            after: `${withoutQuery(after.address)} (with another query)`,
          },
        ]
      : changes;
  },
};

const STATE = sql<WebhookState>`case when not webhook_endpoint.active then 'Off'
  when webhook_endpoint.failing_since is not null then 'Failing' else 'Active' end`;
const PROBLEM = sql<string>`case when webhook_endpoint.active then webhook_endpoint.last_error else webhook_endpoint.ended_why end`;

export const webhookAnswers: Answers<typeof Webhook> = {
  SearchWebhooks: async ({ db }, { keyword, state, ...criteria }) => {
    const query = db
      .selectFrom('webhook_endpoint')
      .select(['webhook_endpoint.id', 'description', 'address', 'events', 'failing_since as failingSince', 'version'])
      .select([STATE.as('state'), PROBLEM.as('problem')])
      .select(
        sql<number>`(select count(*)::int from webhook_delivery d where d.endpoint_id = webhook_endpoint.id and d.state = 'Waiting')`.as(
          'waiting',
        ),
      )
      .$if(Boolean(keyword), (qb) => qb.where(holds(sql`description || ' ' || address`, keyword ?? '')))
      .$if(Boolean(state), (qb) => qb.where(STATE, '=', state ?? 'Active'));
    return pageFrom(query, criteria, {
      sorts: { description: sql`lower(webhook_endpoint.description)`, address: sql`webhook_endpoint.address` },
      key: sql`webhook_endpoint.id`,
      first: { field: 'description', dir: 'asc' },
    });
  },

  PopulateWebhookEditModel: async ({ db, services }, { id }) => {
    if (!id)
      return {
        webhook: { id: 0, description: '', address: '', events: [], active: true, version: 0 },
        oldSecretUntil: null,
        problem: '',
      };
    const webhook = await readWebhook(db, id);
    const row = await endpointRow(db, id);
    const sealed = secretsOf(services, row) === null ? BROKEN_SEAL : '';
    return {
      webhook,
      oldSecretUntil: isRotating(services, row) ? row.old_secret_until : null,
      problem: sealed || (row.active ? row.last_error : row.ended_why),
    };
  },

  SaveWebhook: async ({ db, user, services }, input) => {
    const before = await lockForSave(db, WEBHOOK, input);
    const { description, active = before?.active ?? true } = input;
    const events = WEBHOOK_EVENT_NAMES.filter((event) => input.events.includes(event));
    const errors: FieldError[] = (WholeWebhook.safeParse(input).error?.issues ?? []).map(({ path, message }) => ({
      path: path.join('.'),
      message,
    }));
    if (await otherWithName(db, 'webhook', { id: input.id, name: description }, BY_DESCRIPTION))
      errors.push({ path: 'description', message: `A webhook named ${description} already exists.` });
    const wrong = input.address && wrongAddress(input.address, services.config.reach);
    if (wrong) errors.push({ path: 'address', message: wrong });
    if (errors.length > 0) throw invalid(errors);
    const address = new URL(input.address);
    address.hash = '';
    const changed = { description, address: address.href, events, active };
    if (before) {
      const startsOver = before.address !== changed.address || (active && !before.active);
      return {
        ...(await saveRecord({ db, user }, WEBHOOK, before, { ...changed, ...(startsOver ? FRESH : {}) })),
        secret: null,
      };
    }
    await requireRoom(db);
    const secret = newSecret();
    const parts = (id: number) => keepSecret(db, id, { secret: sealSecret(services, id, secret) });
    const row = { ...changed, created_by: user.id };
    return { ...(await saveRecord({ db, user }, WEBHOOK, null, row as never, { parts })), secret };
  },

  /** Throws 409 while the previous secret still signs, because a webhook has at most two. */
  RotateWebhookSecret: async (context, { id, version }) => {
    const { db, services } = context;
    const { before, row } = await lockedWebhook(context, id, version);
    if (isRotating(services, row))
      throw new HttpError(409, 'Two secrets are already active. Revoke the old one before you rotate again.');
    const secret = newSecret();
    const isBroken = secretsOf(services, row) === null;
    await keepSecret(db, id, {
      secret: sealSecret(services, id, secret),
      old_secret: isBroken ? '' : row.secret,
      old_secret_until: isBroken ? null : new Date(services.clock.now().getTime() + OLD_SECRET_MS).toISOString(),
    });
    // Resume deliveries that paused because nothing could be signed.
    if (isBroken)
      await db
        .updateTable('webhook_endpoint')
        .set({ paused_until: null, last_error: '' })
        .where('id', '=', id)
        .execute();
    return { ...(await bumped(context, before, { before: 'kept', after: 'rotated' })), secret };
  },

  EndOldWebhookSecret: async (context, { id, version }) => {
    const { before, row } = await lockedWebhook(context, id, version);
    if (!isRotating(context.services, row)) throw new HttpError(409, 'This webhook has no old secret.');
    await keepSecret(context.db, id, { old_secret: '', old_secret_until: null });
    return bumped(context, before, { before: 'two', after: 'old secret revoked' });
  },

  DeleteWebhook: async (context, { id, version }) => {
    const { db, user } = context;
    const { before } = await lockedWebhook(context, id, version);
    await db.deleteFrom('webhook_endpoint').where('id', '=', id).execute();
    await db.deleteFrom('webhook_delivery').where('endpoint_id', '=', id).execute();
    await recordChange(db, user, { type: 'webhook', id, name: before.description, action: 'Remove' });
    return { id };
  },

  TestWebhook: testWebhook,
  SearchWebhookDeliveries: searchDeliveries,
  ReplayWebhookDeliveries: replay,
};

async function readWebhook(db: Db, id: number, lock?: 'lock'): Promise<WebhookEdit> {
  const query = db
    .selectFrom('webhook_endpoint')
    .select(['id', 'description', 'address', 'events', 'active', 'version'])
    .where('id', '=', id);
  const result = await oneRecord('webhook', query, lock);
  return { ...result, events: result.events as WebhookEvent[] };
}

async function endpointRow(db: Db, id: number): Promise<EndpointRow> {
  const row = await db.selectFrom('webhook_endpoint').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('webhook');
  return row;
}

async function lockedWebhook({ db }: Writing, id: number, version: number) {
  const before = await readWebhook(db, id, 'lock');
  await requireFresh(db, 'webhook', before, version);
  return { before, row: await endpointRow(db, id) };
}

async function keepSecret(
  db: Db,
  id: number,
  values: { secret?: string; old_secret?: string; old_secret_until?: string | null },
): Promise<void> {
  await db.updateTable('webhook_endpoint').set(values).where('id', '=', id).execute();
}

/** Records a change of the secrets. The history contains only the fact, not the secrets. */
async function bumped(
  { db, user }: Writing,
  { id, description }: WebhookEdit,
  secret: { before: string; after: string },
) {
  const { version } = await bumpRecord(db, 'webhook', id);
  const changes = [{ field: 'Secret', ...secret }];
  await recordChange(db, user, { type: 'webhook', id, name: description, action: 'Edit', version, changes });
  return readWebhook(db, id);
}

async function requireRoom(db: Db): Promise<void> {
  const { count } = await db
    .selectFrom('webhook_endpoint')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  if (count >= MAX_WEBHOOKS)
    throw new HttpError(409, `There are already ${count} webhooks, which is the maximum. Delete one first.`);
}

/** The address without its query, which may contain a password of the endpoint. */
function withoutQuery(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return `${origin}${pathname}${search ? '?…' : ''}`;
}

const historyWords = ({ description, address, events, active }: WebhookEdit) => ({
  description,
  address: withoutQuery(address),
  events: events.join(', '),
  active: active ? 'Yes' : 'No',
});
