// The button above a list that adds a record. The `a` key does the same.
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useKeys } from './keys.tsx';

const LOOK = { leftSection: <IconPlus size={16} aria-hidden />, 'aria-keyshortcuts': 'a' };

type Props = { label: string; disabled?: boolean; onAdd: () => void };

export function AddButton({ label, disabled = false, onAdd }: Props) {
  useKeys([{ key: 'a', label, run: onAdd, disabled }]);
  return (
    <Button {...LOOK} disabled={disabled} onClick={onAdd}>
      {label}
    </Button>
  );
}

/** For a record that is added on a separate page. */
export function AddLink({ label, to }: { label: string; to: string }) {
  const navigate = useNavigate();
  useKeys([{ key: 'a', label, run: () => void navigate({ to }) }]);
  return (
    <Button {...LOOK} component={Link} to={to}>
      {label}
    </Button>
  );
}
