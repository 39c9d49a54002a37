// Computes the effect of a checked file on quotes: it applies the file in a transaction, reads the figures, and rolls back.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Services } from '#platform/api/services.server.ts';
import type { Db } from '#platform/db/database.server.ts';
import { loadCompany, today } from '#platform/company/company.server.ts';
import { actingName } from '#platform/users/acting-name.server.ts';
import type { JobKind } from '#platform/jobs/jobs.server.ts';
import { Id } from '#platform/shared/wire.ts';
import type { QuoteEffect } from '../data-import.contract.ts';
import type { ImportKindServer, ImportRun } from '../kinds/import-kind.server.ts';
import { openTable, spool } from '../reading/read-table.server.ts';
import { takeChosen } from './merge-rows.server.ts';
import { headingsOf, stageSheet } from './stage-sheet.server.ts';
import { type StoredHeader, storedTable } from './upload-table.server.ts';

const effectJob = { name: 'import-effect', payload: z.object({ importId: Id, asked: z.string() }) };

/** Queues the computation of the effect and replaces an earlier request. Does nothing for kinds without an effect. */
export async function askEffect(db: Db, services: Services, kind: ImportKindServer, importId: number): Promise<void> {
  if (!kind.effect) return;
  const key = randomUUID();
  await db
    .updateTable('data_import')
    .set({ effect: JSON.stringify({ state: 'working', of: null, asked: key }) })
    .where('id', '=', importId)
    .execute();
  await services.jobs.send(db, effectJob, { importId, asked: key });
}

/** The background job. It discards a result that is outdated because rows were decided or the file was checked again. */
export function importEffectWork(kinds: readonly ImportKindServer[]) {
  return {
    ...effectJob,
    retryLimit: 3,
    expireInSeconds: 1800,
    run: async (services: Services, { importId, asked }: { importId: number; asked: string }) => {
      const { longDb: db } = services.database;
      const begun = await db
        .selectFrom('data_import as i')
        .innerJoin('file', 'file.id', 'i.file_id')
        .innerJoin('app_user as u', 'u.id', 'i.created_by')
        .select([
          'i.kind',
          'i.mapping',
          'i.options',
          'file.storage_key',
          'u.id as authorId',
          actingName(sql`u.id`, sql`i.created_by_key`).as('authorName'),
        ])
        .where('i.id', '=', importId)
        .where('i.state', '=', 'Checked')
        .where(sql<string>`i.effect ->> 'asked'`, '=', asked)
        .executeTakeFirst();
      const kind = kinds.find((candidate) => candidate.kind === begun?.kind);
      if (!begun || !kind?.effect) return;
      const storeEffect = (state: 'done' | 'failed', key: QuoteEffect | null) =>
        db
          .updateTable('data_import')
          .set({ effect: JSON.stringify({ state, of: key, asked }) })
          .where('id', '=', importId)
          .where(sql<string>`effect ->> 'asked'`, '=', asked)
          .execute();
      const { chosen = {} } = begun.options as { chosen?: Record<string, unknown> };
      try {
        const target = await tried(services, kind, begun.storage_key, begun.mapping as StoredHeader, {
          importId,
          willWrite: true,
          trial: true,
          later: false,
          today: today(services, await loadCompany(db)),
          options: chosen,
          author: { id: begun.authorId, fullName: begun.authorName },
          comment: '',
        });
        await storeEffect('done', target);
      } catch (error) {
        // The queue retries. Until then the screen shows that the effect is not known.
        await storeEffect('failed', null);
        throw error;
      }
    },
  } satisfies JobKind<typeof effectJob.payload, Services>;
}

/** Applies the file, computes its effect, and rolls everything back. */
async function tried(
  services: Services,
  kind: ImportKindServer,
  storageKey: string,
  mapping: StoredHeader,
  about: Omit<ImportRun, 'headingOf' | 'fields'>,
): Promise<QuoteEffect> {
  const spooled = await spool(await services.files.open(storageKey));
  try {
    const table = await openTable(spooled.path);
    const trx = await services.database.longDb.startTransaction().execute();
    try {
      const source = storedTable(table, mapping);
      const run: ImportRun = {
        ...about,
        headingOf: headingsOf(kind.rows, source.header),
        fields: new Set(source.header.columns.keys()),
      };
      await stageSheet(trx, kind.rows, source, run.options, () => {});
      await takeChosen(trx, about.importId);
      const { writes } = await kind.compare(trx, run);
      if (writes > 0) await kind.write(trx, run);
      return kind.effect ? await kind.effect(trx, run.today) : { open: 0, sent: 0, kinds: [] };
    } finally {
      await trx.rollback().execute();
      await table.close();
    }
  } finally {
    await spooled.remove();
  }
}
