// Broadcasts a user's position on a quote to all servers. It is not stored (docs/decisions/0013).
import type { Answers } from '#platform/api/serve.server.ts';
import { requireQuote } from '#core/quoting/quotes/sight.server.ts';
import { notifyServers } from '#platform/live/channel.server.ts';
import { wordOf } from '#platform/live/who-is-where.server.ts';
import type { Presence } from './presence.contract.ts';

export const presenceAnswers: Answers<typeof Presence> = {
  SayWhereIAm: async ({ db, user }, { tab, here, ...place }) => {
    await requireQuote(db, user, place.quoteId);
    const { id: userId, sessionId } = user;
    await notifyServers(db, wordOf(`${sessionId}/${tab}`, here ? { ...place, userId, sessionId } : null));
    return {};
  },
};
