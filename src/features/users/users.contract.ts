// Users: the calls of their editing that the rest of the product needs (specification section 7, Users).
import { z } from 'zod';
import { Nothing, post } from '#api/endpoint.ts';
import { ROLES } from '#shared/roles.ts';

export const UserEdit = {
  GetAllRoles: post('/api/UserEdit/GetAllRoles', Nothing, z.array(z.object({ id: z.enum(ROLES), name: z.string() })), {
    access: ['systemadmin'],
    summary: 'Every role a user can have, with its name in words.',
  }),
};
