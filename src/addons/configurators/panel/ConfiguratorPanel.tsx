// Opens the list of items that configurators posted for the quote, and accepts configurator files. Hidden while there is nothing to show.
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { OutputOf } from '#platform/api/endpoint.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { Configurator, QuoteConfigurator } from '../configurator.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useFileDrop } from '#platform/ui/file-drop.web.ts';
import type { BoardPanelProps } from '#core/quoting/quote-board/doors.web.ts';
import { useBoard } from '#core/quoting/quote-board/state/board.web.ts';
import { ConfiguratorDialog } from './ConfiguratorDialog.tsx';
import { FILES_FIELD } from './files-field.ts';

const chooseFiles = () => document.getElementById(FILES_FIELD)?.click();

/** `onShow` is called when files are chosen, because the panel will then show the results. */
export default function ConfiguratorPanel({ onShow }: BoardPanelProps) {
  const { data } = useBoard();
  const { waits: hasPendingItems, connected } = data.configurator;
  const navigate = useNavigate();
  // Opens the list right away for a user who returns from choosing options.
  const isAsked = useAddress()['open'] === 'configurator';
  const [isOpen, setOpen] = useState(isAsked);
  const close = () => {
    setOpen(false);
    if (isAsked) void navigate({ to: '.', search: {}, replace: true });
  };
  const quoteId = data.quote.id;
  const query = api(QuoteConfigurator).GetDmsConfiguratorItems.query({ quoteId });
  const result = useQuery({
    ...query,
    // Reloads the items when the board learns that new ones arrived.
    queryKey: [...query.queryKey, hasPendingItems],
    placeholderData: keepPreviousData,
    staleTime: 0,
    // Without a connected configurator and without waiting items there is nothing to read.
    enabled: hasPendingItems || connected || isAsked,
  });
  const upload = useMutation({
    mutationFn: (files: File[]) => postFiles(quoteId, files),
    onSuccess: () => setOpen(true),
    onSettled: () => result.refetch(),
  });
  const uploadFiles = (files: File[]) => {
    if (files.length === 0 || upload.isPending) return;
    onShow();
    upload.mutate(files);
  };
  const { over: isDraggedOver, area } = useFileDrop(({ files }) => uploadFiles([...files]));
  if (result.error)
    return (
      <ErrorAlert error={result.error} title="The configurator items could not be loaded" onRetry={result.refetch} />
    );
  const { configurations = [], items = [], url = null, editable = false } = result.data ?? {};
  const mayLeave = data.editable.notes;
  const canOpenConfigurator = url !== null && mayLeave;
  const isEmpty =
    configurations.length === 0 &&
    !canOpenConfigurator &&
    upload.isIdle &&
    !data.items.some(({ configured }) => configured);
  const count = items.filter(({ change }) => change !== 'same').length;
  const fileInput = mayLeave ? (
    <input
      id={FILES_FIELD}
      type="file"
      multiple
      hidden
      aria-label="Configurator files"
      accept=".csv,.txt,.tsv,.xlsx,.json"
      onChange={({ currentTarget }) => {
        uploadFiles([...(currentTarget.files ?? [])]);
        // Lets the user choose the same file again after correcting it.
        currentTarget.value = '';
      }}
    />
  ) : null;
  if (isEmpty) return fileInput;
  return (
    <section
      className="card"
      aria-labelledby="configurator-title"
      {...(mayLeave ? area : {})}
      style={
        isDraggedOver ? { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: -2 } : undefined
      }
    >
      {fileInput}
      <Stack p="sm" gap="xs">
        <Title order={2} id="configurator-title">
          Configurator
        </Title>
        <Text size="sm" className={count > 0 ? undefined : 'muted'}>
          {configurations.length === 0
            ? data.items.some(({ configured }) => configured)
              ? 'No configurator items are waiting.'
              : 'This quote has no configurations yet.'
            : count === 0
              ? 'The quote matches the configurator.'
              : `${countOf(count, 'item differs', 'items differ')} from the quote.`}
        </Text>
        <Group gap="sm">
          {configurations.length > 0 ? (
            <Button
              size="compact-sm"
              variant={count > 0 && editable ? 'light' : 'default'}
              onClick={() => setOpen(true)}
            >
              Configurator items
            </Button>
          ) : null}
          {mayLeave ? (
            <Button size="compact-sm" variant="default" loading={upload.isPending} onClick={chooseFiles}>
              Import file
            </Button>
          ) : null}
          {!canOpenConfigurator ? null : (
            <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm">
              Open configurator
            </Anchor>
          )}
        </Group>
        {mayLeave ? (
          <Text size="xs" className="muted">
            You can drop a configurator file (CSV, Excel or JSON) here.
          </Text>
        ) : null}
        <ErrorAlert error={upload.error} title="The file could not be imported" onClose={() => upload.reset()} />
      </Stack>
      {isOpen && result.data && configurations.length > 0 ? (
        <ConfiguratorDialog
          quoteItems={result.data}
          results={upload.data ?? []}
          refetch={() => result.refetch()}
          onClose={close}
        />
      ) : null}
    </section>
  );
}

/** Uploads the files one after the other and returns a sentence for each. Stops at the first file that the server cannot read. */
async function postFiles(quoteId: number, files: readonly File[]): Promise<string[]> {
  const results: string[] = [];
  for (const file of files) {
    try {
      results.push(uploadSentence(file.name, await api(Configurator).UploadConfiguratorItems({ quoteId, file })));
    } catch (problem) {
      const { status, message } = problem as HttpError;
      throw new HttpError(status, [...results, `${file.name}: ${message}`].join('\n'));
    }
  }
  return results;
}

function uploadSentence(
  fileName: string,
  { configurations, ignored }: OutputOf<typeof Configurator.UploadConfiguratorItems>,
): string {
  const each = configurations.map(
    ({ configId, name, items, problems }) =>
      `${name || configId}, ${countOf(items, 'row')}${problems > 0 ? `, ${problems} of them could not be read` : ''}`,
  );
  const columns = ignored.length > 0 ? ` Columns not imported: ${ignored.join(', ')}.` : '';
  return `${fileName}: ${each.join('; ')}.${columns}`;
}
