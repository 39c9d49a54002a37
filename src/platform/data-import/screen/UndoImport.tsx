// Undoes an import after a confirmation.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { DataImport, type ImportRow, type ImportView } from '../data-import.contract.ts';

type Props = {
  record: { id: number; kindLabel: string; fileName: string };
  /** Called when the undo runs in the background. */
  onBegun: (view: ImportView) => void;
  compact?: boolean;
};

export function UndoButton({ record, onBegun, compact }: Props) {
  const [asking, setAsking] = useState(false);
  const undo = useMutation({
    ...api(DataImport).UndoImport.mutation(),
    onSuccess: (view) => {
      setAsking(false);
      underWay.add(view.id);
      onBegun(view);
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
          {`Records added by ${record.fileName} (${record.kindLabel}) will be removed, and changed values will be restored. You cannot undo this import if other data now depends on it.`}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

type Seen = Pick<ImportRow, 'id' | 'state' | 'fileName' | 'error'>;

/** Undos that started here or were seen running. Without this, an undo that ends quickly would go unnoticed. */
const underWay = new Set<number>();

/** Reports the end of an undo once, whichever component notices it. */
export function useUndoEnds(visible: readonly Seen[] | undefined): void {
  useEffect(() => {
    for (const { id, state, fileName, error } of visible ?? []) {
      if (state === 'Undoing') underWay.add(id);
      else if (state === 'Undone' && underWay.delete(id)) {
        notifications.show({ message: `Import of ${fileName} undone.` });
      } else if (state === 'Applied' && error !== '' && underWay.delete(id)) {
        const title = `The import of ${fileName} was not undone`;
        notifications.show({ color: 'red', title, message: error });
      }
    }
  }, [visible]);
}
