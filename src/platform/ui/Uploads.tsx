// Uploads several files at a time and lists each file with its state, its error, and a button to retry it.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { sizeText } from '#platform/shared/size-text.ts';

/** `given` contains the user's choices at the time the file was dropped. */
type Upload<Given> = {
  key: number;
  file: File;
  given: Given;
  state: 'waits' | 'sends' | 'done' | 'failed';
  error: Error | null;
};

/** The number of simultaneous uploads. */
const AT_ONCE = 3;

export function useUploads<Given>(send: (upload: Upload<Given>) => Promise<unknown>) {
  const [uploads, setUploads] = useState<Upload<Given>[]>([]);
  const keys = useRef(0);
  const change = (key: number, patch: Partial<Upload<Given>>) =>
    setUploads((now) => now.map((entry) => (entry.key === key ? { ...entry, ...patch } : entry)));
  const start = async (upload: Upload<Given>) => {
    change(upload.key, { state: 'sends', error: null });
    const error = await send(upload).then(
      () => null,
      (failure: Error) => failure,
    );
    change(upload.key, { state: error ? 'failed' : 'done', error });
  };
  const take = async (files: File[], input: Given) => {
    const added = files.map(
      (file): Upload<Given> => ({ key: ++keys.current, file, given: input, state: 'waits', error: null }),
    );
    setUploads((now) => [...now, ...added]);
    const waiting = added.values();
    const work = async () => {
      for (const next of waiting) await start(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };
  return { uploads, take, start };
}

type Props<Given> = {
  label: string;
  sent: ReturnType<typeof useUploads<Given>>;
  /** The label of the retry button. */
  again?: (error: Error | null) => string;
};

export function UploadList<Given>({ label, sent, again = () => 'Try again' }: Props<Given>) {
  return (
    <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={label}>
      {sent.uploads.map((upload) => (
        <Group component="li" key={upload.key} justify="space-between" wrap="nowrap" align="start">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {upload.file.name} <span className="muted">{sizeText(upload.file.size)}</span>
            {upload.error ? (
              <Text span size="sm" c="red" display="block" role="alert">
                {upload.error.message}
              </Text>
            ) : null}
          </Text>
          {upload.state === 'failed' ? (
            <Button size="compact-xs" variant="default" flex="none" onClick={() => void sent.start(upload)}>
              {again(upload.error)}
            </Button>
          ) : (
            <Text size="xs" className="muted" flex="none" role="status">
              {{ waits: 'waiting', sends: 'sending…', done: 'saved' }[upload.state]}
            </Text>
          )}
        </Group>
      ))}
    </Stack>
  );
}
