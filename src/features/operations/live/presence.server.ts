// Tells every server where a person is. Nothing of it is stored (docs/decisions/0257).
import { sql } from 'kysely';
import type { Answers } from '#api/serve.server.ts';
import { requireQuote } from '#features/quoting/quotes/sight.server.ts';
import { CHANNEL } from './live-hub.server.ts';
import { wordOf } from './places.ts';
import type { Presence } from './presence.contract.ts';

export const presenceAnswers: Answers<typeof Presence> = {
  SayWhereIAm: async ({ db, user }, { tab, here, ...place }) => {
    await requireQuote(db, user, place.quoteId);
    const { id: userId, sessionId } = user;
    const word = wordOf(`${sessionId}/${tab}`, here ? { ...place, userId, sessionId } : null);
    await sql`select pg_notify(${CHANNEL}, ${word})`.execute(db);
    return {};
  },
};
