// The API call with which a screen reports where the user is. Other users get it on the stream (live.contract.ts).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { Id } from '#platform/shared/wire.ts';

export const Presence = {
  SayWhereIAm: post(
    '/api/Live/SayWhereIAm',
    z.object({
      quoteId: Id,
      /** A number chosen by the tab, because a user may have several tabs open. */
      tab: Id,
      /** The line that has the focus. */
      itemId: Id.nullable(),
      /** Whether the user is typing in it. */
      typing: z.boolean(),
      /** False when the user leaves the quote. */
      here: z.boolean(),
    }),
    Nothing,
    {
      access: 'user',
      peopleOnly: true,
      // Each tab may report once a second, and an office may share one address.
      rateLimit: 6000,
      summary: 'Shows this user’s position on the quote to other users who have it open. Repeat every 20 seconds.',
    },
  ),
};
