// Answers the TazImport call with a data import of the kind taz.
import type { Answers } from '#platform/api/serve.server.ts';
import type { DataImport } from '#platform/data-import/data-import.contract.ts';
import type { TazImport } from './zip-assignment-import.contract.ts';

export const tazImportAnswers = ({ UploadImport }: Answers<typeof DataImport>): Answers<typeof TazImport> => ({
  importTazData: (context) => UploadImport(context, { kind: 'taz' }),
});
