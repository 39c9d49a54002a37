// The calls that find users by part of a name, for other records.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { ROLES } from '#platform/shared/roles.ts';
import { Id, Text } from '#platform/shared/wire.ts';

export const Person = z.object({ id: z.number().int(), name: z.string(), userName: z.string() });
/** A user to choose. The email address distinguishes users with the same name. */
export type Person = z.infer<typeof Person>;

export const Users = {
  FindUsers: post(
    '/api/User/FindUsers',
    z.object({
      keyword: Text(100).nullish(),
      /** The user has at least one of them; empty allows any. */
      roles: z.array(z.enum(ROLES)).max(ROLES.length).default([]),
      /** A user to leave out. */
      exceptId: Id.nullish(),
      /** Includes inactive users. */
      inactive: z.boolean().default(false),
    }),
    z.array(Person),
    {
      access: ['systemadmin', 'salesadmin', 'contractdept', 'salessupport', 'salesQuoteManager'],
      summary: 'Users by name or email address, active ones unless asked otherwise, the first 20 by name.',
    },
  ),
};
