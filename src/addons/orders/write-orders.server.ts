// The job that writes waiting orders into the folder, oldest first (docs/decisions/0038).
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { inTransaction } from '#platform/db/transaction.server.ts';
import { mailHeldSince } from '#platform/mail/outbox.server.ts';
import type { PlainJob } from '#platform/jobs/jobs.server.ts';
import { pauseAfter, RUN_MS } from '#platform/jobs/leased-queue.server.ts';
import { firstSent } from './erp-calls.server.ts';
import { orderAsFile, orderFileName } from './order-file.server.ts';
import { FolderFault, NameTaken, removeLeftParts, writeOrderFile } from './order-folder.server.ts';
import type { Order, OrderFormat } from './order.ts';
import { type FileSettings, readSettingsRow } from './ways.server.ts';
import { NotWritable, type X12Settings } from './x12.server.ts';

const MAX_PAUSE_S = 300;
/** An order that needs attention waits until a user sends it again or saves the settings. */
const UNTIL_SOMEBODY = '9999-12-31T00:00:00.000Z';

export const writeOrdersJob = {
  name: 'write-orders',
  due: async (services) => {
    if (!services.config.orderFolder) return false;
    const { db } = services.database;
    const now = services.clock.now().toISOString();
    const due = await db
      .selectFrom('order_settings')
      .select('id')
      .where('files', '=', true)
      .where((eb) => eb.or([eb('paused_until', 'is', null), eb('paused_until', '<=', now)]))
      .where((eb) => eb.exists(waiting(db, now).select('order_request.id')))
      .executeTakeFirst();
    // A restored copy must not write orders for the original's ERP.
    return due !== undefined && (await mailHeldSince(db)) === null;
  },
  run: writeOrders,
} satisfies PlainJob<Services>;

function waiting(db: Db, now: string) {
  return db.selectFrom('order_request').where('state', '=', 'Waiting').where('next_at', '<=', now);
}

async function writeOrders(services: Services): Promise<void> {
  const { db } = services.database;
  const folder = services.config.orderFolder;
  if (!folder || (await mailHeldSince(db)) !== null) return;
  const until = performance.now() + RUN_MS;
  await removeLeftParts(folder, services.clock.now().getTime());
  while (performance.now() < until) {
    const settings = await readSettingsRow(db);
    const now = services.clock.now();
    if (!settings.files || (settings.paused_until !== null && Date.parse(settings.paused_until) > now.getTime()))
      return;
    const next = await waiting(db, now.toISOString()).select('id').orderBy('id').limit(1).executeTakeFirst();
    if (!next || !(await writeOne(services, folder, settings, next.id))) return;
  }
}

/** Returns false if the folder does not accept files. */
async function writeOne(services: Services, folder: string, settings: FileSettings, id: number): Promise<boolean> {
  const { db } = services.database;
  const format = settings.format as OrderFormat;
  try {
    // Store the content before writing it, so that the file never gets other content, whatever happens next.
    await inTransaction(db, (trx) => keepFile(trx, settings, format, id));
    await inTransaction(db, async (trx) => {
      const row = await trx
        .selectFrom('order_request')
        .innerJoin('order_file', 'order_file.request_id', 'order_request.id')
        .select(['order_file.name', 'order_file.content'])
        .where('order_request.id', '=', id)
        .where('order_request.state', '=', 'Waiting')
        .where('order_file.format', '=', format)
        .forUpdate()
        .executeTakeFirst();
      // In the meantime, the order was withdrawn, fetched, or written by another server.
      if (!row) return;
      await writeOrderFile(folder, row.name, row.content);
      const now = services.clock.now();
      await trx
        .updateTable('order_file')
        .set({ written_at: now })
        .where('request_id', '=', id)
        .where('format', '=', format)
        .execute();
      await trx
        .updateTable('order_request')
        .set((eb) => ({ state: 'Sent', error: '', ...firstSent(now, 'file'), version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .execute();
    });
    if (settings.failures > 0)
      await db.updateTable('order_settings').set({ failures: 0, problem: '', paused_until: null }).execute();
    return true;
  } catch (error) {
    if (error instanceof NotWritable || error instanceof NameTaken) {
      await db
        .updateTable('order_request')
        .set((eb) => ({ error: error.message, next_at: UNTIL_SOMEBODY, version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .where('state', '=', 'Waiting')
        .execute();
      return true;
    }
    if (!(error instanceof FolderFault)) throw error;
    const seconds = pauseAfter(settings.failures + 1, MAX_PAUSE_S);
    await db
      .updateTable('order_settings')
      .set((eb) => ({
        failures: eb('failures', '+', 1),
        problem: error.message,
        paused_until: new Date(services.clock.now().getTime() + seconds * 1000),
      }))
      .execute();
    return false;
  }
}

async function keepFile(trx: Db, settings: FileSettings, format: OrderFormat, id: number): Promise<void> {
  const row = await trx
    .selectFrom('order_request')
    .select(['key', 'content'])
    .where('id', '=', id)
    .where('state', '=', 'Waiting')
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  const stored = await trx
    .selectFrom('order_file')
    .select('cleared_at')
    .where('request_id', '=', id)
    .where('format', '=', format)
    .executeTakeFirst();
  if (stored?.cleared_at)
    throw new NotWritable(
      'The file for this order was already written and has since been deleted. It is not written again.',
    );
  if (stored) return;
  const content = orderAsFile(row.content as Order, format, x12Of(settings), id);
  await trx
    .insertInto('order_file')
    .values({ request_id: id, format, name: orderFileName(row.key, format), content })
    .execute();
}

export function x12Of({ sender, receiver, test, units, timeZone }: FileSettings): X12Settings {
  return { sender, receiver, test, units: units as { unit: string; code: string }[], timeZone };
}
