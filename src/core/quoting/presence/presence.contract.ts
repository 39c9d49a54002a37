// Where people are: the call by which a screen says so. Others hear of it on the stream (live.contract.ts).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { Id } from '#platform/shared/wire.ts';

export const Presence = {
  SayWhereIAm: post(
    '/api/Live/SayWhereIAm',
    z.object({
      quoteId: Id,
      /** A number that the tab chose: a person may have several open. */
      tab: Id,
      /** The line that has the focus. */
      itemId: Id.nullable(),
      /** They typed in it. */
      typing: z.boolean(),
      /** False: they leave the quote. */
      here: z.boolean(),
    }),
    Nothing,
    {
      access: 'user',
      peopleOnly: true,
      // Each tab has a word a second, and an office is one address.
      rateLimit: 6000,
      summary: 'Shows this user’s position on the quote to other users who have it open. Repeat every 20 seconds.',
    },
  ),
};
