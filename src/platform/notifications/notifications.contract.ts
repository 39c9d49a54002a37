// The calls for notifications and the ways to receive them (docs/decisions/0014).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { Id, PageInput, pageOf } from '#platform/shared/wire.ts';
import { NotificationKind, Way } from './notification-kinds.ts';

export const NotificationRow = z.object({
  id: z.number().int(),
  kind: NotificationKind,
  /** 'Kim Lee asks you for discount approval' */
  title: z.string(),
  /** The address of the exact place. */
  path: z.string(),
  quoteId: z.number().int().nullable(),
  /** The subject: '104512-R2 · Peoria Medical Center', or the name of a file or an endpoint. May be empty. */
  about: z.string(),
  at: z.string(),
  read: z.boolean(),
});
export type NotificationRow = z.infer<typeof NotificationRow>;

/** How this user receives each kind that applies to them. */
const OwnWays = z.array(
  z.object({
    kind: NotificationKind,
    label: z.string(),
    /** The user's choice. Null if there is none, so that `start` applies. */
    chosen: Way.nullable(),
    start: Way,
  }),
);

export const NotificationCalls = {
  SearchNotifications: post(
    '/api/Notification/SearchNotifications',
    PageInput.omit({ sort: true }),
    pageOf(NotificationRow).extend({ unread: z.number().int() }),
    { access: 'user', summary: 'The notifications of this user, newest first, and how many are unread.' },
  ),
  CountUnread: post('/api/Notification/CountUnread', Nothing, z.object({ unread: z.number().int() }), {
    access: 'user',
    summary: 'How many notifications of this person are unread; counting stops at 100.',
  }),
  MarkRead: post(
    '/api/Notification/MarkRead',
    z.union([z.object({ ids: z.array(Id).min(1).max(500) }), z.object({ all: z.literal(true) })]),
    z.object({ unread: z.number().int() }),
    {
      access: 'user',
      writes: true,
      peopleOnly: true,
      summary: 'Marks notifications of the caller as read, on every device.',
    },
  ),
  GetWays: post('/api/Notification/GetWays', Nothing, OwnWays, { access: 'user', peopleOnly: true }),
  SaveWay: post(
    '/api/Notification/SaveWay',
    z.object({
      kind: NotificationKind,
      /** Null: the company's default. */
      way: Way.nullable(),
    }),
    OwnWays,
    { access: 'user', writes: true, peopleOnly: true, summary: 'Sets how this user is notified about a kind.' },
  ),
};
