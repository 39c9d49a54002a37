// One search over everything that a user may open: quotes, facilities, items, contracts, users.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { Text } from '#platform/shared/wire.ts';

export const FOUND_KINDS = ['quote', 'facility', 'item', 'contract', 'person'] as const;
export type FoundKind = (typeof FOUND_KINDS)[number];

export const Found = z.object({
  kind: z.enum(FOUND_KINDS),
  title: z.string(),
  /** Distinguishes it from others with the same title. */
  detail: z.string(),
  /** Its address in the browser, which begins with '/'. */
  place: z.string(),
});
export type Found = z.infer<typeof Found>;

export const Palette = {
  FindAnything: post('/api/Palette/FindAnything', z.object({ text: Text(500) }), z.array(Found), {
    access: 'user',
    peopleOnly: true,
    summary:
      'Search results that the user may open: at most 6 of each kind, best first. None for fewer than 2 characters.',
  }),
};
