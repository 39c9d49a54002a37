// Shows one file and its versions to download. Users who edit contracts can also rename, move or remove it and add versions.
import { Anchor, Button, FileInput, Group, Select, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { sizeText } from '#platform/shared/size-text.ts';
import { type ContractFile, ContractFiles, FILE_AUDIENCES, FileEdit } from './contract-files.contract.ts';
import { FolderSelect } from './FolderDialog.tsx';
import { AUDIENCE_CHOICES } from './file-words.ts';

export function FileDrawer({ file, keeps, onClose }: { file: ContractFile; keeps: boolean; onClose: () => void }) {
  return (
    <RecordDrawer title={file.name} onClose={onClose}>
      <Stack gap="xl">
        {keeps ? <FileForm file={file} onClose={onClose} /> : null}
        <Versions file={file} />
        {keeps ? <NewVersion file={file} /> : null}
      </Stack>
    </RecordDrawer>
  );
}

const LABELS = { name: 'Name', folderId: 'In', audience: 'For' };

function FileForm({ file, onClose }: { file: ContractFile; onClose: () => void }) {
  const { id, version, versions, name, folderId, audience, contractId } = file;
  const [removing, setRemoving] = useState(false);
  const form = useRecordForm({
    record: { id, version, name, folderId, audience },
    schema: FileEdit,
    save: (values) => api(ContractFiles).SaveContractFile(values),
    onSaved: (saved) => {
      notifications.show({ message: `${saved.name} is saved.` });
      onClose();
    },
  });
  const remove = useMutation({
    ...api(ContractFiles).RemoveContractFile.mutation(),
    onSuccess: () => {
      notifications.show({ message: `${name} is removed.` });
      onClose();
    },
  });
  const { values, errors, set } = form;
  return (
    <>
      <RecordForm
        form={form}
        label="File"
        labels={LABELS}
        more={
          <Button variant="default" c="red" mr="auto" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        }
      >
        <TextInput
          label="Name"
          required
          maxLength={150}
          autoComplete="off"
          value={values.name}
          error={errors['name']}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <FolderSelect
          contractId={contractId}
          value={values.folderId}
          error={errors['folderId']}
          onChange={(next) => set({ folderId: next })}
        />
        <Select
          label="For"
          allowDeselect={false}
          data={AUDIENCE_CHOICES}
          value={values.audience}
          onChange={(next) =>
            set({ audience: FILE_AUDIENCES.find((fileAudience) => fileAudience === next) ?? values.audience })
          }
        />
      </RecordForm>
      {removing ? (
        <ConfirmDialog
          title={`Remove ${name}?`}
          action="Remove"
          harmful
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ id, version })}
          onClose={() => setRemoving(false)}
        >
          {`${versions > 1 ? `Including its ${versions} versions. ` : ''}This cannot be undone.`}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

function Versions({ file }: { file: ContractFile }) {
  const query = useQuery({ ...api(ContractFiles).GetContractFileVersions.query({ id: file.id }), staleTime: 0 });
  const download = useMutation({ ...api(ContractFiles).DownloadContractFile.mutation(), onSuccess: saveFile });
  return (
    <section aria-label="Versions">
      <Title order={3} size="h6" mb="xs">
        Versions
      </Title>
      {query.data ? (
        <Stack gap="xs" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
          {query.data.map((version) => (
            <li key={version.id}>
              <Anchor
                component="button"
                type="button"
                size="sm"
                ta="left"
                style={{ overflowWrap: 'anywhere' }}
                onClick={() => download.mutate({ id: file.id, versionId: version.id })}
              >
                {version.versionNo} · {version.name}
              </Anchor>
              <Text size="xs" className="muted tabular">
                {[sizeText(version.size), version.uploadedBy, formatInstant(version.uploadedAt)]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </li>
          ))}
        </Stack>
      ) : query.error ? null : (
        <Skeleton height={60} aria-label="Loading" />
      )}
      <ErrorAlert
        error={query.error ?? download.error}
        title={query.error ? 'The versions could not be loaded' : 'The file could not be downloaded'}
      />
    </section>
  );
}

function NewVersion({ file }: { file: ContractFile }) {
  const { id: fileId, contractId, version } = file;
  const [chosen, setChosen] = useState<File | null>(null);
  const add = useMutation({
    ...api(ContractFiles).UploadContractFile.mutation(),
    onSuccess: ({ name, versions }) => {
      notifications.show({ message: `Version ${versions} of ${name} is saved.` });
      setChosen(null);
    },
  });
  return (
    <section aria-label="New version">
      <Group align="end" wrap="nowrap">
        <FileInput
          flex={1}
          miw={0}
          label="New version"
          description="Existing versions are kept"
          placeholder="Choose a file"
          clearable
          value={chosen}
          onChange={setChosen}
        />
        <Button
          disabled={chosen === null}
          loading={add.isPending}
          onClick={() => chosen && add.mutate({ contractId, fileId, version, file: chosen })}
        >
          Add
        </Button>
      </Group>
      <ErrorAlert error={add.error} title="The version could not be added" />
    </section>
  );
}
