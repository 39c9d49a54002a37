// Uploads many files into a folder. A failed file shows the reason. The user can retry it or add it as a version of the existing file.
import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { conflictOf } from '#platform/shared/conflict.ts';
import { DropZone } from '#platform/ui/DropZone.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { UploadList, useUploads } from '#platform/ui/Uploads.tsx';
import { ContractFiles, FILE_AUDIENCES, type FileAudience } from './contract-files.contract.ts';
import { AUDIENCE_CHOICES } from './file-words.ts';

export function UploadDrawer(props: { contractId: number; folderId: number | null; onClose: () => void }) {
  const { contractId, folderId, onClose } = props;
  const [audience, setAudience] = useState<FileAudience>('all');
  const sent = useUploads<FileAudience>(({ file, given, error }) =>
    api(ContractFiles).UploadContractFile({
      contractId,
      ...(folderId === null ? {} : { folderId }),
      ...thereOf(error),
      audience: given,
      file,
    }),
  );
  return (
    <RecordDrawer title="Upload files" onClose={onClose}>
      <Stack>
        <Select
          label="For"
          allowDeselect={false}
          data={AUDIENCE_CHOICES}
          value={audience}
          onChange={(next) => setAudience(FILE_AUDIENCES.find((fileAudience) => fileAudience === next) ?? audience)}
        />
        <DropZone
          title="Drop files here, or choose them"
          hint="PDF, pictures, Office files, text and ZIP, 25 MB each"
          label="Files"
          onFiles={(files) => void sent.take(files, audience)}
        />
        <UploadList label="Uploads" sent={sent} again={(error) => (thereOf(error) ? 'Add as version' : 'Try again')} />
      </Stack>
    </RecordDrawer>
  );
}

/** The existing file with the same name. */
function thereOf(error: Error | null): { fileId: number; version: number } | null {
  const met = conflictOf(error)?.current;
  return typeof met?.['fileId'] === 'number' ? { fileId: met['fileId'], version: Number(met['version']) } : null;
}
