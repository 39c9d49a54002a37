// Answers the Retention calls.
import type { Answers } from '#platform/api/serve.server.ts';
import { changesBetween } from '#platform/history/changes-between.server.ts';
import { recordChange, requireFresh } from '#platform/history/record-change.server.ts';
import { mailHeldSince } from '#platform/mail/outbox.server.ts';
import { countOf } from '#platform/shared/count-of.ts';
import type { Months, Retention } from './retention.contract.ts';
import { RETENTION, RETENTION_GROUPS } from './retention-groups.ts';
import { countGoing } from './retention-rows.server.ts';
import { firstKept, readRetention } from './read-retention.server.ts';

export const retentionAnswers: Answers<typeof Retention> = {
  GetRetention: async ({ db }) => ({ ...(await readRetention(db)), held: (await mailHeldSince(db)) !== null }),

  /** Throws 409 if another user has changed the settings. */
  SaveRetention: async ({ db, user }, { version, months: changes }) => {
    const before = await readRetention(db, 'update');
    await requireFresh(db, 'retention', { id: 1, version: before.version }, version, {
      version: before.version,
      ...before.months,
    });
    const changed = Object.entries(changes).filter(([, months]) => months !== undefined);
    const months: Months = { ...before.months, ...(Object.fromEntries(changed) as Partial<Months>) };
    const next = before.version + 1;
    await db
      .updateTable('retention')
      .set({ ...months, version: next })
      .execute();
    await recordChange(db, user, {
      type: 'retention',
      id: 1,
      name: 'Retention',
      action: 'Edit',
      version: next,
      changes: changesBetween(historyWords(before.months), historyWords(months), LABELS),
    });
    return { version: next, months };
  },

  PreviewRetention: async ({ db, services }, { group, months }) => {
    if (months === null) return { before: null, going: [] };
    const { day, before } = await firstKept(db, services, months);
    const going = [];
    for (const kind of RETENTION[group].kinds) going.push({ kind, ...(await countGoing(db, { kind, before })) });
    return { before: day, going };
  },
};

const LABELS = Object.fromEntries(RETENTION_GROUPS.map((group) => [group, RETENTION[group].label]));

const historyWords = (stored: Months) =>
  Object.fromEntries(
    RETENTION_GROUPS.map((group) => {
      const months = stored[group];
      return [group, months === null ? 'forever' : countOf(months, 'month')];
    }),
  );
