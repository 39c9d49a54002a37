// The screen for duplicate facilities: alike pairs, past merges, and pairs that are marked as not the same.
import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { FacilityLink } from '#core/customers/facilities/FacilityLink.tsx';
import { formatInstant } from '#platform/shared/dates.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { pageShown, useListAddress } from '#platform/ui/list-address.web.ts';
import { AlikeFacilityText } from './AlikeFacilityText.tsx';
import {
  type AlikePair,
  type FacilityApart,
  FacilityDuplicates,
  type FacilityMerge,
} from './facility-duplicates.contract.ts';
import { MergeFacilitiesDialog } from './MergeFacilitiesDialog.tsx';

const PAGE_SIZE = 25;
const SHOWN = [
  { value: 'merged', label: 'Merged' },
  { value: 'apart', label: 'Not duplicates' },
];

export default function AlikeFacilitiesPage() {
  const list = useListAddress('alike-facilities', { keyword: '', show: '' }, { field: '', dir: 'asc' });
  const { keyword, show } = list.filters;
  const criteria = { keyword, page: list.page, pageSize: PAGE_SIZE };
  const shared = { placeholderData: keepPreviousData, staleTime: 0 };
  const pairs = useQuery({
    ...api(FacilityDuplicates).SearchAlikeFacilities.query(criteria),
    ...shared,
    enabled: show === '',
  });
  const merges = useQuery({
    ...api(FacilityDuplicates).SearchFacilityMerges.query(criteria),
    ...shared,
    enabled: show === 'merged',
  });
  const apart = useQuery({
    ...api(FacilityDuplicates).SearchFacilitiesApart.query(criteria),
    ...shared,
    enabled: show === 'apart',
  });
  const [merging, setMerging] = useState<AlikePair | null>(null);
  const [undoing, setUndoing] = useState<FacilityMerge | null>(null);
  const tellApart = useMutation({
    ...api(FacilityDuplicates).TellFacilitiesApart.mutation(),
    onSuccess: ({ first, second }) =>
      notifications.show({ message: `${first.acctNo} and ${second.acctNo} are marked as not duplicates.` }),
  });
  const forget = useMutation(api(FacilityDuplicates).ForgetFacilitiesApart.mutation());
  const tell = ({ first, second }: AlikePair) => tellApart.mutate({ first: ofRead(first), second: ofRead(second) });
  const acts = {
    merge: setMerging,
    tell,
    undo: setUndoing,
    forget: ({ id, version }: FacilityApart) => forget.mutate({ id, version }),
  };
  const failed = tellApart.error ?? forget.error;
  const total = (show === 'merged' ? merges : show === 'apart' ? apart : pairs).data?.total;

  return (
    <ListPage
      title="Duplicate Facilities"
      hint="Facilities that may be listed twice under different account numbers. Merge them, or mark them as not duplicates."
      noun={show === 'merged' ? ['merge', 'merges'] : ['pair', 'pairs']}
      total={total}
      alert={
        <ErrorAlert
          error={failed}
          onClose={() => {
            tellApart.reset();
            forget.reset();
          }}
        />
      }
      filters={
        <>
          <KeywordField
            label="Name, account, city or ZIP"
            value={keyword}
            onChange={(next) => list.filter({ keyword: next })}
          />
          <FilterSelect
            label="Show"
            w={190}
            all="Possible duplicates"
            choices={SHOWN}
            value={show}
            onChange={(next) => list.filter({ show: next })}
          />
        </>
      }
    >
      {show === 'merged' ? (
        <DataList
          label="Merges"
          columns={mergeColumns(acts.undo)}
          {...pageShown(merges, list, PAGE_SIZE)}
          rowKey={({ id }) => id}
          card={(row) => (
            <Stack gap={4}>
              <MergeText merge={row} />
              <Undo merge={row} onUndo={acts.undo} />
            </Stack>
          )}
        />
      ) : show === 'apart' ? (
        <DataList
          label="Pairs marked as not duplicates"
          columns={apartColumns(acts.forget)}
          {...pageShown(apart, list, PAGE_SIZE)}
          rowKey={({ id }) => id}
          card={(row) => (
            <Stack gap={4}>
              <Text size="sm">
                <Named facility={row.first} /> is not a duplicate of <Named facility={row.second} />
              </Text>
              <Text size="sm" className="muted">
                {row.by}, {formatInstant(row.at)}
              </Text>
              <Forget pair={row} onForget={acts.forget} />
            </Stack>
          )}
        />
      ) : (
        <DataList
          label="Possible duplicates"
          columns={pairColumns(acts)}
          {...pageShown(pairs, list, PAGE_SIZE)}
          rowKey={({ first, second }) => `${first.id}-${second.id}`}
          card={(row) => (
            <Stack gap="xs">
              <Text size="sm" className="muted">
                {row.why}
              </Text>
              <AlikeFacilityText facility={row.first} />
              <AlikeFacilityText facility={row.second} />
              <PairButtons pair={row} {...acts} />
            </Stack>
          )}
        />
      )}
      {merging ? <MergeFacilitiesDialog pair={merging} onClose={() => setMerging(null)} /> : null}
      {undoing ? <UndoDialog merge={undoing} onClose={() => setUndoing(null)} /> : null}
    </ListPage>
  );
}

const ofRead = ({ id, version }: { id: number; version: number }) => ({ id, version });

type PairActs = { merge: (pair: AlikePair) => void; tell: (pair: AlikePair) => void };

const pairColumns = (acts: PairActs): Column<AlikePair>[] => [
  { title: 'Facility', width: 340, render: ({ first }) => <AlikeFacilityText facility={first} /> },
  { title: 'Possible duplicate of', width: 340, render: ({ second }) => <AlikeFacilityText facility={second} /> },
  { title: 'Reason', width: 200, render: ({ why }) => <span title={why}>{why}</span> },
  { title: 'Action', render: (pair) => <PairButtons pair={pair} {...acts} /> },
];

function PairButtons({ pair, merge, tell }: { pair: AlikePair } & PairActs) {
  const both = `${pair.first.acctNo} and ${pair.second.acctNo}`;
  return (
    <Group gap={4} wrap="nowrap">
      <Button size="compact-sm" variant="default" aria-label={`Merge ${both}`} onClick={() => merge(pair)}>
        Merge…
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={`Mark ${both} as not duplicates`}
        onClick={() => tell(pair)}
      >
        Not duplicates
      </Button>
    </Group>
  );
}

function Named({ facility }: { facility: FacilityMerge['kept'] }) {
  return (
    <>
      <span className="tabular">{facility.acctNo}</span> <FacilityLink id={facility.id} name={facility.name} />
    </>
  );
}

function MergeText({ merge }: { merge: FacilityMerge }) {
  return (
    <>
      <Text size="sm">
        {merge.merged.acctNo} {merge.merged.name} into <Named facility={merge.kept} />
      </Text>
      <Text size="sm" className="muted">
        {merge.by}, {formatInstant(merge.at)}
        {merge.undoneAt ? `; undone by ${merge.undoneBy}, ${formatInstant(merge.undoneAt)}` : ''}
      </Text>
    </>
  );
}

function Undo({ merge, onUndo }: { merge: FacilityMerge; onUndo: (merge: FacilityMerge) => void }) {
  if (merge.undoneAt) return null;
  return (
    <Group>
      <Button
        size="compact-sm"
        variant="default"
        disabled={merge.notUndoable !== ''}
        title={merge.notUndoable || undefined}
        aria-label={`Undo the merge of ${merge.merged.acctNo} into ${merge.kept.acctNo}`}
        onClick={() => onUndo(merge)}
      >
        Undo…
      </Button>
    </Group>
  );
}

const mergeColumns = (onUndo: (merge: FacilityMerge) => void): Column<FacilityMerge>[] => [
  {
    title: 'Merged',
    width: 300,
    render: ({ merged }) => (
      <span title={`${merged.acctNo} ${merged.name}`}>
        {merged.acctNo} {merged.name}
      </span>
    ),
  },
  { title: 'Into', width: 300, render: ({ kept }) => <Named facility={kept} /> },
  { title: 'By', render: ({ by, at }) => `${by}, ${formatInstant(at)}` },
  {
    title: 'Undone',
    render: ({ undoneAt, undoneBy }) => (undoneAt ? `${undoneBy}, ${formatInstant(undoneAt)}` : ''),
  },
  { title: '', render: (merge) => <Undo merge={merge} onUndo={onUndo} /> },
];

function Forget({ pair, onForget }: { pair: FacilityApart; onForget: (pair: FacilityApart) => void }) {
  return (
    <Group>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Review ${pair.first.acctNo} and ${pair.second.acctNo} again`}
        onClick={() => onForget(pair)}
      >
        Review again
      </Button>
    </Group>
  );
}

const apartColumns = (onForget: (pair: FacilityApart) => void): Column<FacilityApart>[] => [
  { title: 'Facility', width: 300, render: ({ first }) => <Named facility={first} /> },
  { title: 'Not a duplicate of', width: 300, render: ({ second }) => <Named facility={second} /> },
  { title: 'Decided by', render: ({ by, at }) => `${by}, ${formatInstant(at)}` },
  { title: '', render: (pair) => <Forget pair={pair} onForget={onForget} /> },
];

function UndoDialog({ merge, onClose }: { merge: FacilityMerge; onClose: () => void }) {
  const { id, version, kept, merged } = merge;
  const undo = useMutation({
    ...api(FacilityDuplicates).UndoFacilityMerge.mutation(),
    onSuccess: () => {
      notifications.show({ message: `${merged.acctNo} ${merged.name} is a separate facility again.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Undo the merge of ${merged.acctNo}?`}
      action="Undo merge"
      busy={undo.isPending}
      error={undo.error}
      onConfirm={() => undo.mutate({ id, version })}
      onClose={onClose}
    >
      {`Records that came from ${merged.acctNo} ${merged.name} return to it. Records added to ${kept.acctNo} ${kept.name} since the merge stay there.`}
    </ConfirmDialog>
  );
}
