// Lists the conflicts that prevent publishing a plan. The user keeps or drops the moves, one by one or all at once.
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import { type Column, DataList, NARROW } from '#platform/ui/DataList.tsx';
import { usePlan } from './plan.web.ts';
import { KIND_WORDS, territoryWords } from '../plan-words.ts';
import type { PlanConflict } from '../territory-plans.contract.ts';

const PAGE_SIZE = 100;

export function ConflictsPanel() {
  const { loaded, moves, store } = usePlan();
  const [request, setAsked] = useState(1);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const mayEdit = loaded.allowed.edit && !narrow;
  // A decided conflict disappears at once. The server checks the plan again after the save.
  const undecided = new Set(moves.filter(({ unsaved }) => !unsaved).map(({ zip }) => zip));
  const conflicts = loaded.conflicts.filter(({ zip }) => undecided.has(zip));
  const pageCount = Math.max(1, Math.ceil(conflicts.length / PAGE_SIZE));
  const page = Math.min(request, pageCount);
  const ticks = conflicts.filter(({ zip }) => ticked.has(zip));
  const chosen = ticks.length > 0 ? ticks : conflicts;
  const keepable = chosen.filter(({ kind }) => kind === 'moved');
  const keep = (these: readonly PlanConflict[]) => {
    store.rebase(these.map(({ zip, now, to }) => ({ zip, from: now, to })));
    setTicked(new Set());
  };
  const drop = (these: readonly PlanConflict[]) => {
    store.takeBack(these.map(({ zip }) => zip));
    setTicked(new Set());
  };
  const which = ticks.length > 0 ? `${ticks.length.toLocaleString('en-US')} selected` : 'all';
  const tick: Column<PlanConflict> = {
    title: 'Select',
    render: ({ zip }) => (
      <Checkbox
        aria-label={`Select ${zip}`}
        checked={ticked.has(zip)}
        onChange={(event) => {
          const on = event.currentTarget.checked;
          setTicked((now) => new Set(on ? [...now, zip] : [...now].filter((candidate) => candidate !== zip)));
        }}
      />
    ),
  };
  const decide: Column<PlanConflict> = {
    title: 'Resolve',
    render: (row) => <Decision row={row} onKeep={() => keep([row])} onDrop={() => drop([row])} />,
  };
  const columns: Column<PlanConflict>[] = [
    ...(mayEdit ? [tick] : []),
    { title: 'ZIP', render: ({ zip }) => <b className="tabular">{zip}</b> },
    { title: 'Planned', width: 280, render: (row) => plannedInWords(row) },
    { title: 'Conflict', width: 420, render: (row) => <span title={row.text}>{row.text}</span> },
    ...(mayEdit ? [decide] : []),
  ];

  return (
    <>
      {conflicts.length > 0 ? (
        <Group px="md" py="xs" justify="space-between" gap="sm">
          <Text size="sm">
            {countOf(conflicts.length, 'move')} cannot be published yet. Keep a move to plan it from the current
            territory of its ZIP, or remove it to leave the ZIP there.
          </Text>
          {mayEdit ? (
            <Group gap="sm">
              <Button
                variant="default"
                disabled={keepable.length === 0}
                title={keepable.length === 0 ? 'None of these moves can be kept. See the conflicts.' : undefined}
                onClick={() => keep(keepable)}
              >
                Keep {which}
              </Button>
              <Button variant="default" onClick={() => drop(chosen)}>
                {' '}
                Remove {which}{' '}
              </Button>
            </Group>
          ) : null}
        </Group>
      ) : null}
      <DataList
        label="Conflicts"
        columns={columns}
        rows={conflicts.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
        rowKey={({ zip }) => zip}
        page={page}
        pageSize={PAGE_SIZE}
        pageCount={pageCount}
        total={conflicts.length}
        onPage={setAsked}
        card={(row) => (
          <Stack gap={2}>
            <Text size="sm">
              <b className="tabular">{row.zip}</b> {plannedInWords(row)}
            </Text>
            <Text size="sm" className="warning">
              {row.text}
            </Text>
          </Stack>
        )}
        empty={
          loaded.conflicts.length > 0
            ? 'All conflicts are resolved. The effects are recalculated when your changes are saved.'
            : 'This plan has no conflicts.'
        }
      />
    </>
  );
}

function plannedInWords({ from, to }: PlanConflict): string {
  return `${territoryWords(from)} → ${territoryWords(to)}`;
}

/** The user can keep a move only if its ZIP has changed territory since. Other conflicts need another day or another territory. */
function Decision({ row, onKeep, onDrop }: { row: PlanConflict; onKeep: () => void; onDrop: () => void }) {
  const theirs = row.kind === 'moved' && row.now ? `Use theirs: ${row.zip}` : `Remove move of ${row.zip}`;
  return (
    <Group gap={6} wrap="nowrap" title={KIND_WORDS[row.kind]}>
      {row.kind === 'moved' ? (
        <Button size="compact-sm" variant="default" aria-label={`Keep mine: ${row.zip}`} onClick={onKeep}>
          Keep mine
        </Button>
      ) : null}
      <Button size="compact-sm" variant="default" aria-label={theirs} onClick={onDrop}>
        {row.kind === 'moved' && row.now ? 'Use theirs' : 'Remove move'}
      </Button>
    </Group>
  );
}
