// Users as other records name them: found by part of a name.
import { z } from 'zod';
import { post } from '#api/endpoint.ts';
import { ROLES } from '#shared/roles.ts';
import { Id, Text } from '#shared/wire.ts';

export const Person = z.object({ id: z.number().int(), name: z.string(), userName: z.string() });
/** A user as one chooses them: the e-mail address tells two of one name apart. */
export type Person = z.infer<typeof Person>;

export const Users = {
  FindUsers: post(
    '/api/User/FindUsers',
    z.object({
      keyword: Text(100).nullish(),
      /** At least one of them; empty: any. */
      roles: z.array(z.enum(ROLES)).max(ROLES.length).default([]),
      /** Not this one. */
      exceptId: Id.nullish(),
      /** Those who have left as well. */
      inactive: z.boolean().default(false),
    }),
    z.array(Person),
    {
      access: ['systemadmin', 'salesadmin'],
      summary: 'Users by name or e-mail address, active ones unless asked otherwise, the first 20 by name.',
    },
  ),
};
