// The button above a list that adds a record. The key `a` does the same.
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useKeys } from './keys.tsx';

export function AddButton({ label, onAdd }: { label: string; onAdd: () => void }) {
  useKeys([{ key: 'a', label, run: onAdd }]);
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} aria-keyshortcuts="a" onClick={onAdd}>
      {label}
    </Button>
  );
}
