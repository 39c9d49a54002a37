// Saved views of lists: filters and order under a name, for one user or shared with roles. Not for API keys.
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { changesOverVersion, Id, RequiredText, Text, Version } from '#platform/shared/wire.ts';

/** The address of a list in the browser, without its query. */
const Screen = Text(100).regex(/^[\w/-]+$/, 'This is not a list');

export const View = z.object({
  id: z.number().int(),
  screen: z.string(),
  name: z.string(),
  /** The query of the list's address, without '?'. */
  address: z.string(),
  /** The roles that see it, besides its owner. */
  shared: z.array(z.enum(ROLES)),
  ownerName: z.string(),
  isMine: z.boolean(),
  /** May rename, share, change and delete it: its owner, and also system administrators if it is shared. */
  mayChange: z.boolean(),
  /** The list opens with this view for this user. */
  isStart: z.boolean(),
  version: z.number().int(),
});
export type View = z.infer<typeof View>;

export const SavedView = {
  GetViews: post('/api/SavedView/GetViews', z.object({ screen: Screen }), z.array(View), {
    access: 'user',
    peopleOnly: true,
    summary: 'The views of a list that the user owns or that are shared with a role of the user, by name.',
  }),
  SaveView: post(
    '/api/SavedView/SaveView',
    z
      .object({
        /** 0 for a new view. */
        id: Id.or(z.literal(0)).default(0),
        version: Version.optional(),
        /** The list of a new view; it never changes. */
        screen: Screen.optional(),
        name: RequiredText(100).optional(),
        /** Only the query of that list, never another path or origin. */
        address: Text(2_000).optional(),
        /** The roles to share it with; true shares it with all. */
        shared: z.union([z.boolean(), z.array(z.enum(ROLES)).max(ROLES.length)]).optional(),
      })
      .check(changesOverVersion),
    View,
    {
      access: 'user',
      peopleOnly: true,
      writes: true,
      summary: 'Saves a view. Omitted fields keep their value. A new view is not shared unless `shared` is given.',
    },
  ),
  DeleteView: post('/api/SavedView/DeleteView', z.object({ id: Id, version: Version }), Nothing, {
    access: 'user',
    peopleOnly: true,
    writes: true,
  }),
  SetStartView: post(
    '/api/SavedView/SetStartView',
    z.object({
      screen: Screen,
      /** Null: the list opens with the last filters again. */
      id: Id.nullable(),
    }),
    Nothing,
    {
      access: 'user',
      peopleOnly: true,
      writes: true,
      summary: 'Sets the view with which a list opens for the user.',
    },
  ),
  GetStartViews: post('/api/SavedView/GetStartViews', Nothing, z.array(View.pick({ screen: true, address: true })), {
    access: 'user',
    peopleOnly: true,
    summary: 'The start views of the user, for all lists.',
  }),
};
