// Creates a folder, or renames and moves one within its contract.
import { Modal, Select, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { RecordForm } from '#platform/ui/RecordForm.tsx';
import { useRecordForm } from '#platform/ui/record-form.web.ts';
import { ContractFiles, type Folder, FolderEdit } from './contract-files.contract.ts';

/** The value of the folder choice that means the top of the contract. */
const TOP = 'top';

type Props = { folder: Folder | null; contractId: number; parentId: number | null; onClose: () => void };

export function FolderDialog({ folder, contractId, parentId, onClose }: Props) {
  const form = useRecordForm({
    record: {
      id: folder?.id ?? 0,
      contractId,
      parentId: folder ? folder.parentId : parentId,
      name: folder?.name ?? '',
      ...(folder ? { version: folder.version } : {}),
    },
    schema: FolderEdit,
    save: (values) => api(ContractFiles).SaveContractFolder(values),
    onSaved: ({ name }) => {
      notifications.show({ message: `${name} is saved.` });
      onClose();
    },
  });
  const { values, errors, set } = form;
  return (
    <Modal opened onClose={onClose} title={folder ? `Rename or move ${folder.name}` : 'New folder'}>
      <RecordForm form={form} label="Folder" labels={{ name: 'Name', parentId: 'In' }} onCancel={onClose}>
        <TextInput
          label="Name"
          required
          data-autofocus
          maxLength={150}
          autoComplete="off"
          value={values.name}
          error={errors['name']}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <FolderSelect
          contractId={contractId}
          value={values.parentId}
          without={folder?.id ?? 0}
          error={errors['parentId']}
          onChange={(next) => set({ parentId: next })}
        />
      </RecordForm>
    </Modal>
  );
}

type SelectProps = {
  contractId: number;
  value: number | null;
  /** The folder to leave out of the choices. */
  without?: number;
  error: string | undefined;
  onChange: (folderId: number | null) => void;
};

/** Offers the folders of a contract to choose from. */
export function FolderSelect({ contractId, value, without = 0, error, onChange }: SelectProps) {
  const folders = useQuery(api(ContractFiles).GetContractFolders.query({ contractId }));
  return (
    <Select
      label="In"
      allowDeselect={false}
      searchable
      data={[
        { value: TOP, label: 'The top of the contract' },
        ...(folders.data ?? [])
          .filter(({ id }) => id !== without)
          .map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={value === null ? TOP : String(value)}
      error={error ?? folders.error?.message}
      onChange={(next) => onChange(next === TOP || next === null ? null : Number(next))}
    />
  );
}
