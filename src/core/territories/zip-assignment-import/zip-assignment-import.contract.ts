// Defines the upload of ZIP assignments (specification section 7, Users). Later steps use the calls of the data import.
import { z } from 'zod';
import { post } from '#platform/api/endpoint.ts';
import { ImportView, MAX_IMPORT_BYTES } from '#platform/data-import/data-import.contract.ts';

export const TazImport = {
  importTazData: post('/api/TazImport/importTazData', z.looseObject({}), ImportView, {
    access: ['systemadmin', 'salesadmin'],
    in: 'upload',
    bodyLimit: MAX_IMPORT_BYTES,
    toDisk: true,
    peopleOnly: true,
    summary: 'Accepts a file that assigns ZIPs to territories. It is checked and applied by the calls of DataImport.',
  }),
};
