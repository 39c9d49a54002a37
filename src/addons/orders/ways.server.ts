// The ways in which orders are sent: API keys that may fetch them, and files in a folder.
import { type Selectable, sql } from 'kysely';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import type { OrderSettings as SettingsTable } from '#platform/db/tables.ts';
import type { OrderSettings } from './order-requests.contract.ts';

export type SettingsRow = Selectable<SettingsTable>;
/** The settings and the company's time zone: everything that a file depends on besides its order. */
export type FileSettings = SettingsRow & { timeZone: string };

/** The scope of a key that may fetch orders. */
export const FETCH_SCOPE = 'Order:read';

export async function readSettingsRow(db: Db): Promise<FileSettings> {
  return db
    .selectFrom('order_settings')
    .selectAll()
    .select(sql<string>`(select time_zone from company)`.as('timeZone'))
    .executeTakeFirstOrThrow();
}

export async function waysOf(db: Db, services: Services, row?: SettingsRow): Promise<OrderSettings['ways']> {
  const settings = row ?? (await readSettingsRow(db));
  const now = services.clock.now();
  const paused = settings.paused_until !== null && Date.parse(settings.paused_until) > now.getTime();
  return {
    folder: services.config.orderFolder ? 'ORDER_FOLDER' : '',
    files: settings.files,
    keys: await db
      .selectFrom('api_key')
      .innerJoin('app_user', 'app_user.id', 'api_key.owner_id')
      .select(['api_key.name', 'api_key.last_used_at as lastUsedAt'])
      .where(sql<boolean>`${FETCH_SCOPE} = any(api_key.scopes)`)
      .where('api_key.revoked_at', 'is', null)
      .where('app_user.active', '=', true)
      .where(sql<boolean>`coalesce(api_key.expires_on >= (${now.toISOString()}::timestamptz
        at time zone (select time_zone from company))::date, true)`)
      .orderBy('api_key.name')
      .limit(20)
      .execute(),
    problem: paused ? settings.problem : '',
    pausedUntil: paused ? settings.paused_until : null,
  };
}

export function isConnected({ folder, files, keys }: OrderSettings['ways']): boolean {
  return keys.length > 0 || (files && folder !== '');
}
