// The first step of an import: its kind and its file, chosen or dropped.
import { Button, FileButton, Group, Select, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useFileDrop } from '#platform/ui/file-drop.web.ts';
import { DataImport, type ImportKindView, type ImportView } from '../data-import.contract.ts';

const ACCEPTED = { table: '.csv,.txt,.tsv,.xlsx,.gz', geojson: '.json,.geojson,.gz' };

export function UploadPanel({
  kinds,
  first,
  upload: values,
  onUploaded,
}: {
  kinds: ImportKindView[];
  /** The initial kind, if this user may import it. */
  first: string | undefined;
  upload: ((file: File) => Promise<ImportView>) | undefined;
  onUploaded: (view: ImportView) => void;
}) {
  const [name, setName] = useState(first ?? null);
  const upload = useMutation({
    mutationFn: (input: { kind: string; file: File }) =>
      values ? values(input.file) : api(DataImport).UploadImport(input),
    onSuccess: onUploaded,
  });
  const kind = kinds.find((candidate) => candidate.kind === name) ?? (kinds.length === 1 ? kinds[0] : undefined);
  const send = (file: File | null | undefined) => {
    if (file && kind) upload.mutate({ kind: kind.kind, file });
  };
  const { over, area } = useFileDrop(({ files }) => send(files[0]));
  return (
    <Stack gap="md">
      {kinds.length > 1 ? (
        <Select
          label="What is in the file?"
          placeholder="Choose a kind"
          maw={360}
          data={kinds.map((entry) => ({ value: entry.kind, label: entry.label }))}
          value={kind?.kind ?? null}
          onChange={(next) => {
            setName(next);
            upload.reset();
          }}
          searchable
          nothingFoundMessage="No matching kind"
          data-autofocus
        />
      ) : null}
      {kind ? (
        <Stack
          gap="xs"
          p="md"
          {...area}
          style={{
            border: `1px dashed var(${over ? '--mantine-primary-color-filled' : '--app-line'})`,
            borderRadius: 6,
          }}
        >
          <Text size="sm">{kind.hint}</Text>
          <Group gap="sm">
            <FileButton onChange={send} accept={ACCEPTED[kind.files]} key={upload.submittedAt}>
              {(props) => (
                <Button {...props} leftSection={<IconUpload size={16} aria-hidden />} loading={upload.isPending}>
                  Choose file
                </Button>
              )}
            </FileButton>
            <Text size="sm" className="muted">
              or drop it here.{' '}
              {kind.files === 'geojson' ? 'GeoJSON' : 'CSV, tab- or pipe-separated text, or Excel (.xlsx)'}, optionally
              compressed (.gz). Up to 200 MB.
            </Text>
          </Group>
          <Text size="sm" className="muted">
            {kind.files === 'geojson'
              ? 'Each feature needs its outline and a property with the ZIP, such as ZCTA5CE20, GEOID20 or zip.'
              : `An empty cell or a missing column leaves the stored value as it is. Recognized columns: ${kind.fields.map(({ label }) => label).join(' · ')}.`}
          </Text>
        </Stack>
      ) : null}
      <ErrorAlert error={upload.error} title="This file cannot be imported" onClose={() => upload.reset()} />
    </Stack>
  );
}
