// Prompts for the territory that the selected ZIPs move to.
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { Territory } from '#core/territories/territories/territories.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import type { Named } from '#platform/shared/wire.ts';
import { AskDialog } from '#platform/ui/AskDialog.tsx';

/** `null`: nothing chosen yet. 'none': no territory. */
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
  const query = useQuery(api(Territory).GetActiveTerritoriesSimpleData.query({}));
  const territories = query.data ?? [];
  return (
    <Select
      {...field}
      label={label}
      required
      searchable
      allowDeselect={false}
      placeholder="Choose the territory"
      nothingFoundMessage={query.error ? query.error.message : query.isPending ? 'Loading …' : 'No Record Found'}
      data={[
        ...territories.map(({ id, name }) => ({ value: String(id), label: name })),
        // Comes last, so that pressing Enter early never chooses it.
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
    <AskDialog
      title={`Move ${countOf(count, 'ZIP')}`}
      action="Move"
      onSubmit={() => {
        setTried(true);
        if (target !== null) onMove(target === 'none' ? null : target);
      }}
      onClose={onClose}
    >
      <TerritorySelect
        data-autofocus
        value={target}
        error={tried && target === null ? 'Choose the territory' : undefined}
        onChange={setTarget}
      />
    </AskDialog>
  );
}
