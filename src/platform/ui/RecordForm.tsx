// A form for one saved record: fields, errors, buttons, and both values after a conflict with another user.
import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, use, useEffect, useRef, useState } from 'react';
import { ConflictDialog } from './ConflictDialog.tsx';
import { DiscardDialog } from './DiscardDialog.tsx';
import { ErrorAlert } from './ErrorAlert.tsx';
import { Form } from './Form.tsx';
import { DrawerDirty } from './RecordDrawer.tsx';
import type { RecordFormState } from './record-form.web.ts';

type Props<T> = {
  form: RecordFormState<T>;
  /** The labels of fields, for the conflict. */
  labels: Partial<Record<keyof T & string, string>>;
  /** Formats a value for a conflict. If it returns undefined or '', the value is shown as plain text, as Yes or No, or as – if there is none. */
  inWords?: (field: keyof T & string, value: unknown) => string | undefined;
  label?: string;
  action?: string;
  /** More buttons to the left of Cancel. */
  more?: ReactNode;
  /** Without this the form has no Cancel button. */
  onCancel?: () => void;
  children: ReactNode;
};

export function RecordForm<T>({ form, labels, inWords, label, action, more, onCancel, children }: Props<T>) {
  const { conflict } = form;
  const [asking, setAsking] = useState(false);
  const dirtyRef = use(DrawerDirty);
  useEffect(() => {
    if (dirtyRef) dirtyRef.current = form.dirty;
  }, [dirtyRef, form.dirty]);
  const fields = useRef<HTMLDivElement>(null);
  // The drawer looks for its first focusable field before the record is loaded, so the form sets the focus.
  useEffect(() => fields.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), []);
  const display = (field: keyof T & string, value: unknown) => inWords?.(field, value) || valueText(value);
  const cancel = () => (form.dirty ? setAsking(true) : onCancel?.());
  return (
    <Form onSubmit={form.submit} isGuarded {...(label ? { label } : {})}>
      <Stack ref={fields}>
        {children}
        <ErrorAlert error={form.error} title="The changes could not be saved" />
        <Group justify="flex-end" className="no-print">
          {more}
          {onCancel ? (
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          ) : null}
          <Button type="submit" loading={form.busy}>
            {action ?? 'Save'}
          </Button>
        </Group>
      </Stack>
      {conflict ? (
        <ConflictDialog
          conflict={conflict}
          rows={conflict.fields.map((field) => ({
            label: labels[field] ?? field,
            theirs: display(field, conflict.current[field]),
            mine: display(field, form.values[field]),
          }))}
          busy={form.busy}
          onTakeTheirs={form.takeTheirs}
          onKeepMine={form.keepMine}
        />
      ) : null}
      {asking ? (
        <DiscardDialog
          onStay={() => setAsking(false)}
          onDiscard={() => {
            setAsking(false);
            onCancel?.();
          }}
        />
      ) : null}
    </Form>
  );
}

function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
