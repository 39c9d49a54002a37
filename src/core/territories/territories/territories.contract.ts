// Defines the call for territories: the simple list that filters use (specification section 7).
import { z } from 'zod';
import { Nothing, post } from '#platform/api/endpoint.ts';
import { Named } from '#platform/shared/wire.ts';

export const Territory = {
  GetActiveTerritoriesSimpleData: post(
    '/api/Territory/GetActiveTerritoriesSimpleData',
    Nothing,
    z.array(Named.extend({ regionId: z.number().int() })),
    { access: 'user' },
  ),
};
