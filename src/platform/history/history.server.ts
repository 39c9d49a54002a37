// Answers the History call.
import { forbidden } from '#platform/api/http-error.ts';
import type { Answers } from '#platform/api/serve.server.ts';
import { hasRole } from '#platform/shared/roles.ts';
import type { FieldChange } from '#platform/shared/conflict.ts';
import type { History } from './history.contract.ts';
import { RECORD_TYPES } from './record-types.ts';

export const historyAnswers: Answers<typeof History> = {
  GetCleared: ({ db }) => db.selectFrom('retention_cleared').select(['kind', 'before_day as before']).execute(),

  /** Throws 403 for kinds of records that this user does not administer. */
  GetHistory: async ({ db, user }, { type, id }) => {
    if (!hasRole(user, ...RECORD_TYPES[type].readers)) throw forbidden();
    const events = await db
      .selectFrom('record_event')
      .select(['id', 'at', 'actor', 'action', 'comment', 'changes'])
      .where('record_type', '=', type)
      .where('record_id', '=', id)
      .orderBy('id', 'desc')
      .limit(200)
      .execute();
    return events.map((event) => ({ ...event, changes: event.changes as FieldChange[] }));
  },
};
