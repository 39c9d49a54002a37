// Regions: the simple list that filters use (specification section 7).
import { z } from 'zod';
import { Nothing, post } from '#api/endpoint.ts';
import { Named } from '#shared/wire.ts';

export const Region = {
  GetActiveRegionsSimpleData: post('/api/Region/GetActiveRegionsSimpleData', Nothing, z.array(Named), {
    access: 'user',
  }),
};
