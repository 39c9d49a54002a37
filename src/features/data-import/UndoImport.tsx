// Takes an import back, after asking.
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { DataImport, type ImportView } from './data-import.contract.ts';

type Props = {
  record: { id: number; kindLabel: string; fileName: string };
  onUndone: (view: ImportView) => void;
  compact?: boolean;
};

export function UndoButton({ record, onUndone, compact }: Props) {
  const [asking, setAsking] = useState(false);
  const undo = useMutation({
    ...api(DataImport).UndoImport.mutation(),
    onSuccess: (view) => {
      setAsking(false);
      onUndone(view);
    },
  });
  const close = () => {
    setAsking(false);
    undo.reset();
  };
  return (
    <>
      <Button
        variant="default"
        {...(compact ? { size: 'compact-sm' } : {})}
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        onClick={() => setAsking(true)}
        aria-label={compact ? `Undo the import of ${record.fileName}` : undefined}
      >
        Undo
      </Button>
      {asking ? (
        <ConfirmDialog
          title="Undo this import?"
          action="Undo import"
          harmful
          busy={undo.isPending}
          error={undo.error}
          onConfirm={() => undo.mutate({ id: record.id })}
          onClose={close}
        >
          {`What ${record.fileName} (${record.kindLabel}) made is removed, and what it changed gets its former values back. This is refused when something was built on it since.`}
        </ConfirmDialog>
      ) : null}
    </>
  );
}
