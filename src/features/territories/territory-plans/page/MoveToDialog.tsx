// Asks which territory ZIPs go to.
import { Button, Group, Modal, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { Territory } from '#features/territories/territories/territories.contract.ts';
import type { Named } from '#shared/wire.ts';
import { Form } from '#ui/Form.tsx';
import { countOf } from '../plan-words.ts';

/** `null`: nothing chosen yet; 'none': no territory. */
export type Target = Named | 'none' | null;

/** Chooses an active territory, or none. */
export function TerritorySelect({
  value,
  error,
  onChange,
  label = 'To',
  withNone = true,
  ...field
}: {
  label?: string;
  /** Whether 'No territory' is a choice. */
  withNone?: boolean;
  value: Target;
  error?: string | undefined;
  onChange: (target: Target) => void;
  'data-autofocus'?: boolean;
}) {
  const found = useQuery(api(Territory).GetActiveTerritoriesSimpleData.query({}));
  const territories = found.data ?? [];
  return (
    <Select
      {...field}
      label={label}
      required
      searchable
      allowDeselect={false}
      placeholder="Choose the territory"
      nothingFoundMessage={found.error ? found.error.message : found.isPending ? 'Loading …' : 'No Record Found'}
      data={[
        ...territories.map(({ id, name }) => ({ value: String(id), label: name })),
        // Last, so that it is never taken by a hasty Enter.
        ...(withNone ? [{ value: 'none', label: 'No territory' }] : []),
      ]}
      value={value === null ? null : value === 'none' ? 'none' : String(value.id)}
      error={error}
      onChange={(next) => {
        const territory = territories.find(({ id }) => String(id) === next);
        onChange(next === 'none' ? 'none' : territory ? { id: territory.id, name: territory.name } : null);
      }}
    />
  );
}

export function MoveToDialog({
  count,
  onMove,
  onClose,
}: {
  count: number;
  onMove: (to: Named | null) => void;
  onClose: () => void;
}) {
  const [target, setTarget] = useState<Target>(null);
  const [tried, setTried] = useState(false);
  return (
    <Modal opened onClose={onClose} title={`Move ${countOf(count, 'ZIP')}`}>
      <Form
        label="Move"
        onSubmit={() => {
          setTried(true);
          if (target !== null) onMove(target === 'none' ? null : target);
        }}
      >
        <Stack>
          <TerritorySelect
            data-autofocus
            value={target}
            error={tried && target === null ? 'Choose the territory' : undefined}
            onChange={setTarget}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Move</Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
