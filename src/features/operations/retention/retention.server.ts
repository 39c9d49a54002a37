// Answers the Retention calls.
import type { Answers } from '#api/serve.server.ts';
import { changesBetween } from '#features/operations/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#features/operations/history/record-change.server.ts';
import { mailHeldSince } from '#features/operations/mail/outbox.server.ts';
import { countOf } from '#shared/count-of.ts';
import type { Days, Retention } from './retention.contract.ts';
import { RETENTION, RETENTION_KINDS } from './retention-limits.ts';
import { countGoing, countRows } from './retention-rows.server.ts';
import { firstKept, readRetention } from './read-retention.server.ts';

export const retentionAnswers: Answers<typeof Retention> = {
  GetRetention: async ({ db }) => {
    const cleared = await db.selectFrom('retention_cleared').select(['kind', 'before_day']).execute();
    const kinds = [];
    for (const kind of RETENTION_KINDS) {
      const clearedBefore = cleared.find((one) => one.kind === kind)?.before_day ?? null;
      kinds.push({ kind, clearedBefore, ...(await countRows(db, kind)) });
    }
    return { ...(await readRetention(db)), kinds, held: (await mailHeldSince(db)) !== null };
  },

  /** Throws 409 if somebody else has changed the settings. */
  SaveRetention: async ({ db, user }, { version, days: given }) => {
    const before = await readRetention(db, 'update');
    await requireFresh(db, 'retention', { id: 1, version: before.version }, version, {
      version: before.version,
      ...before.days,
    });
    const said = Object.entries(given).filter(([, days]) => days !== undefined);
    const days: Days = { ...before.days, ...(Object.fromEntries(said) as Partial<Days>) };
    const next = before.version + 1;
    await db
      .updateTable('retention')
      .set({ days: JSON.stringify(days), version: next })
      .execute();
    await recordChange(db, user, {
      type: 'retention',
      id: 1,
      name: 'Retention',
      action: 'Edit',
      version: next,
      changes: changesBetween(historyWords(before.days), historyWords(days), LABELS),
    });
    return { version: next, days };
  },

  PreviewRetention: async ({ db, services }, { kind, days }) => {
    if (days === null) return { before: null, rows: 0, more: false, oldest: null, examples: [] };
    const { day, before } = await firstKept(db, services, days);
    return { before: day, ...(await countGoing(db, { kind, before })) };
  },
};

const LABELS = Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, RETENTION[kind].label]));

const historyWords = (days: Days) =>
  Object.fromEntries(
    RETENTION_KINDS.map((kind) => {
      const kept = days[kind];
      return [kind, kept === null ? 'forever' : countOf(kept, 'day', 'days')];
    }),
  );
