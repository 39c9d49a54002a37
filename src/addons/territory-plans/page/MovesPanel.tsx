// The table of a plan's moves: find, sort, select, change the territory, undo moves, add ZIPs.
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { countOf } from '#platform/shared/count-of.ts';
import type { Sort } from '#platform/shared/wire.ts';
import { type Column, DataList, NARROW } from '#platform/ui/DataList.tsx';
import { KeywordField } from '#platform/ui/ListPage.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { territoryWords } from '../plan-words.ts';
import { AddZipsDrawer } from '../zips/AddZipsDrawer.tsx';
import { MoveToDialog } from './MoveToDialog.tsx';
import { usePlan } from './plan.web.ts';
import type { ShownMove } from './planned.ts';

const PAGE_SIZE = 100;

type Ticks = { ticked: ReadonlySet<string>; onTick: (zips: readonly string[], on: boolean) => void };

export function MovesPanel() {
  const { moves, loaded, store } = usePlan();
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const mayEdit = loaded.allowed.edit && !narrow;
  const [keyword, setKeyword] = useState('');
  const [sort, setSort] = useState<Sort>({ field: 'zip', dir: 'asc' });
  const [request, setAsked] = useState(1);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [adding, setAdding] = useState(false);
  const [sending, setSending] = useState(false);
  const conflicts = new Map(loaded.conflicts.map((conflict) => [conflict.zip, conflict.text]));
  const results = sortMoves(matching(moves, keyword), sort);
  const pageCount = Math.max(1, Math.ceil(results.length / PAGE_SIZE));
  const page = Math.min(request, pageCount);
  const rows = results.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const chosen = moves.filter(({ zip }) => ticked.has(zip)).map(({ zip }) => zip);
  const foundChosen = results.filter(({ zip }) => ticked.has(zip)).length;

  const onTick = (zips: readonly string[], on: boolean) =>
    setTicked((now) => {
      if (on) return new Set([...now, ...zips]);
      const gone = new Set(zips);
      return new Set([...now].filter((zip) => !gone.has(zip)));
    });
  const takeBack = () => {
    store.takeBack(chosen);
    setTicked(new Set());
  };
  useKeys([
    { key: 'a', label: 'Add ZIPs', disabled: !mayEdit, run: () => setAdding(true) },
    { key: 'm', label: 'Move the selected ZIPs to …', disabled: chosen.length === 0, run: () => setSending(true) },
    { key: 'Delete', label: 'Remove the selected moves', disabled: chosen.length === 0, run: takeBack },
  ]);
  const all = results.map(({ zip }) => zip);
  const none = chosen.length === 0 ? 'Select moves first' : undefined;

  return (
    <>
      <Group px="md" py="xs" justify="space-between" gap="sm">
        <Group gap="sm">
          <KeywordField
            label="ZIP, city, county or territory"
            value={keyword}
            onChange={(next) => {
              setKeyword(next);
              setAsked(1);
            }}
          />
          {mayEdit && results.length > 0 ? (
            <Checkbox
              label={
                keyword ? `All ${countOf(results.length, 'move')} found` : `All ${countOf(results.length, 'move')}`
              }
              checked={foundChosen === results.length}
              indeterminate={foundChosen > 0 && foundChosen < results.length}
              onChange={(event) => onTick(all, event.currentTarget.checked)}
            />
          ) : null}
        </Group>
        {mayEdit ? (
          <Group gap="sm">
            {moves.length > 0 ? (
              <>
                <Button
                  variant="default"
                  disabled={chosen.length === 0}
                  title={none}
                  aria-keyshortcuts="Delete"
                  onClick={takeBack}
                >
                  {chosen.length === 0 ? 'Remove' : `Remove ${chosen.length.toLocaleString('en-US')}`}
                </Button>
                <Button
                  variant="default"
                  disabled={chosen.length === 0}
                  title={none}
                  aria-keyshortcuts="m"
                  onClick={() => setSending(true)}
                >
                  {chosen.length === 0 ? 'Move to …' : `Move ${chosen.length.toLocaleString('en-US')} to …`}
                </Button>
              </>
            ) : null}
            <Button
              variant={moves.length === 0 ? 'filled' : 'default'}
              leftSection={<IconPlus size={16} aria-hidden />}
              aria-keyshortcuts="a"
              onClick={() => setAdding(true)}
            >
              Add ZIPs
            </Button>
          </Group>
        ) : null}
      </Group>
      <DataList
        label="Moves"
        columns={columnsOf({ ticked, onTick }, mayEdit, conflicts)}
        rows={rows}
        rowKey={(row) => row.zip}
        sort={sort}
        onSort={setSort}
        page={page}
        pageSize={PAGE_SIZE}
        pageCount={pageCount}
        total={results.length}
        onPage={setAsked}
        card={(row) => <MoveCard row={row} conflict={conflicts.get(row.zip)} />}
        empty={
          moves.length > 0
            ? 'No Record Found'
            : mayEdit
              ? 'No moves yet. Add ZIPs and choose their new territory.'
              : 'No moves.'
        }
      />
      {adding ? <AddZipsDrawer onClose={() => setAdding(false)} /> : null}
      {sending ? (
        <MoveToDialog
          count={chosen.length}
          onMove={(to) => {
            store.move(chosen, to);
            setTicked(new Set());
            setSending(false);
          }}
          onClose={() => setSending(false)}
        />
      ) : null}
    </>
  );
}

function columnsOf(
  { ticked, onTick }: Ticks,
  mayEdit: boolean,
  conflicts: ReadonlyMap<string, string>,
): Column<ShownMove>[] {
  const tick: Column<ShownMove> = {
    title: 'Select',
    render: ({ zip }) => (
      <Checkbox
        aria-label={`Select ${zip}`}
        checked={ticked.has(zip)}
        onChange={(event) => onTick([zip], event.currentTarget.checked)}
      />
    ),
  };
  return [
    ...(mayEdit ? [tick] : []),
    { field: 'zip', title: 'ZIP', render: (row) => <b className="tabular">{row.zip}</b> },
    { field: 'city', title: 'City', width: 200, render: (row) => <CityOf row={row} /> },
    { field: 'county', title: 'County', width: 180, render: (row) => row.county || '–' },
    { field: 'state', title: 'State', render: (row) => row.state || '–' },
    { field: 'from', title: 'From', width: 220, render: (row) => <FromOf row={row} /> },
    { field: 'to', title: 'To', width: 220, render: (row) => <b>{territoryWords(row.to)}</b> },
    {
      field: 'changedBy',
      title: 'Changed by',
      width: 240,
      render: (row) => <ByWhom row={row} conflict={conflicts.get(row.zip)} />,
    },
  ];
}

function CityOf({ row }: { row: ShownMove }) {
  if (row.city) return <span title={row.city}>{row.city}</span>;
  return row.unsaved ? <span className="muted">…</span> : <span className="muted">Not in the list of ZIPs</span>;
}

function FromOf({ row }: { row: ShownMove }) {
  if (row.from === undefined) return <span className="muted">…</span>;
  return <span className={row.from ? undefined : 'muted'}>{territoryWords(row.from)}</span>;
}

function ByWhom({ row, conflict }: { row: ShownMove; conflict: string | undefined }) {
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <span className={row.unsaved ? 'muted' : undefined}>{row.unsaved ? 'Not saved yet' : row.changedBy}</span>
      {conflict ? (
        <b className="warning" title={conflict}>
          Conflict
        </b>
      ) : null}
    </Group>
  );
}

function MoveCard(props: { row: ShownMove; conflict: string | undefined }) {
  const { row } = props;
  return (
    <Stack gap={0}>
      <Text size="sm">
        <b className="tabular">{row.zip}</b> <CityOf row={row} />
        {row.state ? `, ${row.state}` : ''}
      </Text>
      <Text size="sm">
        <FromOf row={row} /> → <b>{territoryWords(row.to)}</b>
      </Text>
      <Text size="sm" className="muted" component="div">
        <ByWhom {...props} />
      </Text>
    </Stack>
  );
}

/** The moves whose ZIP begins with the keyword, or whose city, county or territories contain it. */
function matching(moves: readonly ShownMove[], keyword: string): readonly ShownMove[] {
  const text = keyword.trim().toLowerCase();
  if (text === '') return moves;
  if (/^\d{1,5}$/.test(text)) return moves.filter(({ zip }) => zip.startsWith(text));
  return moves.filter(({ city, county, from, to }) =>
    [city, county, from?.name ?? 'No territory', to?.name ?? 'No territory'].some((candidate) =>
      candidate.toLowerCase().includes(text),
    ),
  );
}

const words: Record<string, (move: ShownMove) => string> = {
  zip: ({ zip }) => zip,
  city: ({ city }) => city,
  county: ({ county }) => county,
  state: ({ state }) => state,
  from: ({ from }) => from?.name ?? '',
  to: ({ to }) => to?.name ?? '',
  changedBy: ({ changedBy }) => changedBy,
};

const order = new Intl.Collator('en-US', { sensitivity: 'base' });

/** Sorts moves. Equal moves are in order of ZIP. */
function sortMoves(moves: readonly ShownMove[], { field, dir }: Sort): readonly ShownMove[] {
  const wordOf = words[field] ?? (({ zip }: ShownMove) => zip);
  const sign = dir === 'asc' ? 1 : -1;
  return moves.toSorted((a, b) => sign * order.compare(wordOf(a), wordOf(b)) || order.compare(a.zip, b.zip));
}
