// A drawer that reads a record and shows its form.
import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorAlert } from './ErrorAlert.tsx';
import { RecordDrawer } from './RecordDrawer.tsx';

type Props<R> = {
  title: string;
  size?: string;
  /** The query of the record. */
  edit: { data: R | undefined; error: Error | null };
  /** The message if the record cannot be read. */
  failed: string;
  onClose: () => void;
  children: (record: R) => ReactNode;
};

export function EditDrawer<R>({ edit, failed, children, ...drawer }: Props<R>) {
  return (
    <RecordDrawer {...drawer}>
      <ErrorAlert error={edit.error} title={failed} />
      {edit.data ? children(edit.data) : edit.error ? null : <Skeleton height={240} />}
    </RecordDrawer>
  );
}
