// Uploads many files into a folder; each one that fails says why, and can be tried again or become the next version of the one that is there.
import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { api } from '#api/client.web.ts';
import { sizeText } from '#features/catalogue/documents/document-words.ts';
import { conflictOf } from '#shared/conflict.ts';
import { DropZone } from '#ui/DropZone.tsx';
import { RecordDrawer } from '#ui/RecordDrawer.tsx';
import { ContractFiles, FILE_AUDIENCES, type FileAudience } from './contract-files.contract.ts';
import { AUDIENCE_CHOICES } from './file-words.ts';

type There = { fileId: number; version: number };
type Sending = {
  key: number;
  file: File;
  audience: FileAudience;
  state: 'waits' | 'sends' | 'done' | 'failed';
  problem: string;
  /** The file of the same name that is there already. */
  there: There | null;
};

/** So many travel at once. */
const AT_ONCE = 3;

export function UploadDrawer(props: { contractId: number; folderId: number | null; onClose: () => void }) {
  const { contractId, folderId, onClose } = props;
  const [audience, setAudience] = useState<FileAudience>('all');
  const [sendings, setSendings] = useState<Sending[]>([]);
  const keys = useRef(0);
  const change = (key: number, patch: Partial<Sending>) =>
    setSendings((now) => now.map((one) => (one.key === key ? { ...one, ...patch } : one)));
  const send = async ({ key, file, audience: forWhom }: Sending, there: There | null) => {
    change(key, { state: 'sends', problem: '', there: null });
    try {
      await api(ContractFiles).UploadContractFile({
        contractId,
        ...(folderId === null ? {} : { folderId }),
        ...there,
        audience: forWhom,
        file,
      });
      change(key, { state: 'done' });
    } catch (error) {
      const met = conflictOf(error)?.current;
      const named =
        typeof met?.['fileId'] === 'number' ? { fileId: met['fileId'], version: Number(met['version']) } : null;
      change(key, { state: 'failed', problem: (error as Error).message, there: named });
    }
  };
  const take = async (files: File[]) => {
    const added = files.map(
      (file): Sending => ({ key: ++keys.current, file, audience, state: 'waits', problem: '', there: null }),
    );
    setSendings((now) => [...now, ...added]);
    const waiting = [...added];
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await send(next, null);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };
  return (
    <RecordDrawer title="Upload files" onClose={onClose}>
      <Stack>
        <Select
          label="For"
          allowDeselect={false}
          data={AUDIENCE_CHOICES}
          value={audience}
          onChange={(next) => setAudience(FILE_AUDIENCES.find((one) => one === next) ?? audience)}
        />
        <DropZone
          title="Drop files here, or choose them"
          hint="PDF, pictures, Office files, text and ZIP, 25 MB each"
          label="Files"
          onFiles={(files) => void take(files)}
        />
        <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label="Uploads">
          {sendings.map((sending) => (
            <Group component="li" key={sending.key} justify="space-between" wrap="nowrap" align="start">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {sending.file.name} <span className="muted">{sizeText(sending.file.size)}</span>
                {sending.problem ? (
                  <Text span size="sm" c="red" display="block" role="alert">
                    {sending.problem}
                  </Text>
                ) : null}
              </Text>
              {sending.state === 'failed' ? (
                <Button
                  size="compact-xs"
                  variant="default"
                  flex="none"
                  onClick={() => void send(sending, sending.there)}
                >
                  {sending.there ? 'Add as version' : 'Try again'}
                </Button>
              ) : (
                <Text size="xs" className="muted" flex="none" role="status">
                  {{ waits: 'waits', sends: 'sending…', done: 'saved' }[sending.state]}
                </Text>
              )}
            </Group>
          ))}
        </Stack>
      </Stack>
    </RecordDrawer>
  );
}
