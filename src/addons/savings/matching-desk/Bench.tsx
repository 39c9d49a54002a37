// The bench: the rows of the customer's file, the evidence of the current one beside them, and keys for every decision.
import { Button, Chip, Drawer, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { ItemPickerPanel } from '#core/catalog/items/ItemPickerPanel.tsx';
import { countOf } from '#platform/shared/count-of.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { KeywordField } from '#platform/ui/ListPage.tsx';
import { useListAddress } from '#platform/ui/list-address.web.ts';
import { SHOWN_LABELS } from '../savings-labels.ts';
import type { Analysis, SavingsRow } from '../savings.contract.ts';
import { ROWS_SHOWN, type RowsShown } from '../savings-words.ts';
import classes from '../savings.module.css';
import { type Teaching, useActs } from './acts.web.ts';
import { BenchGrid, type GridHandle } from './BenchGrid.tsx';
import { rowText } from './BenchRow.tsx';
import { EvidencePanel } from './EvidencePanel.tsx';
import { type Doing, RowDialog } from './RowDialog.tsx';

/** On narrower screens, the evidence covers the rows. */
const BESIDE = '(min-width: 75em)';

type Props = { analysis: Analysis; onChange: (analysis: Analysis) => void };

export function Bench({ analysis, onChange }: Props) {
  const list = useListAddress(null, { tab: '', show: '', keyword: '' }, { field: 'rowNo', dir: 'asc' });
  // Keeps its initial value, so that deciding the last row does not change which rows are shown.
  const [first] = useState(() => firstShown(analysis));
  const show = ROWS_SHOWN.find((candidate) => candidate === list.filters.show) ?? first;
  const { keyword } = list.filters;
  const isBeside = useMediaQuery(BESIDE, true, { getInitialValueInEffect: false });
  const grid = useRef<GridHandle>(null);
  const [current, setCurrent] = useState<SavingsRow | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [doing, setDoing] = useState<Doing | null>(null);
  const [teaching, setTeaching] = useState<Teaching>({ remember: 'Facility', kind: 'Same' });
  const acts = useActs({
    analysis,
    teaching,
    onChanged: (changed, work) => {
      onChange(changed.analysis);
      setDoing(null);
      if (work === 'undo' || 'split' in work || 'join' in work) grid.current?.goTo(changed.rows[0]?.id);
      else if ('decided' in work && work.decided.decision !== 'open')
        grid.current?.goOn(new Set(changed.rows.map(({ id }) => id)));
    },
  });
  const row = current;
  const accept = (sameNumber: boolean) =>
    row?.match.itemId &&
    acts.run({ row, decided: { decision: 'accept', itemId: row.match.itemId, unit: row.match.unit, sameNumber } });
  const leave = () => row && acts.run({ row, set: { included: !row.included } });
  const mayAccept = row !== null && row.match.itemId !== null && !acts.isPending;
  const none = row === null || acts.isPending;
  useKeys([
    { key: 's', label: 'Accept for all rows with this number', run: () => accept(true), disabled: !mayAccept },
    { key: 'c', label: 'Choose another item', run: () => choose(), disabled: none },
    { key: 'b', label: 'No bid', run: () => setDoing('no-bid'), disabled: none },
    { key: 'w', label: 'Reopen', run: () => reopen(), disabled: none || row.decision === 'open' },
    { key: 'l', label: 'Leave out or include', run: leave, disabled: none || !row.taken },
    { key: 'p', label: 'Price to match', run: () => setDoing('price'), disabled: none || !row.taken },
    { key: 'x', label: 'Split the row', run: () => setDoing('split'), disabled: none || row.qtyPerYear === null },
    { key: 'j', label: 'Rejoin the part', run: () => join(), disabled: none || row.part < 2 },
    { key: 'mod+z', label: 'Undo', run: () => acts.run('undo'), disabled: !acts.last || acts.isPending },
  ]);
  const choose = () => {
    setDoing('choose');
    setOpen(true);
  };
  const join = () => row && acts.run({ row, join: true });
  const reopen = () => row && acts.run({ row, decided: { decision: 'open' } });
  const take = (itemId: number, unit?: string) =>
    row && acts.run({ row, decided: { decision: 'accept', itemId, ...(unit ? { unit } : {}) } });

  const beside =
    row === null ? (
      <Text size="sm" className="muted" p="md">
        Select a row to see its evidence.
      </Text>
    ) : doing === 'choose' ? (
      <Picker
        row={row}
        facilityId={analysis.facility.id}
        onPick={take}
        onClose={() => {
          setDoing(null);
          grid.current?.focus();
        }}
      />
    ) : (
      <EvidencePanel
        key={row.id}
        row={row}
        analysis={analysis}
        busy={acts.isPending}
        teaching={teaching}
        onTeach={setTeaching}
        onAccept={accept}
        onTake={take}
        onChoose={choose}
        onNoBid={() => setDoing('no-bid')}
        onReopen={reopen}
        onLeave={leave}
        onPrice={() => setDoing('price')}
        onSplit={() => setDoing('split')}
        onJoin={join}
      />
    );
  return (
    <>
      <Group px={{ base: 'md', sm: 0 }} mb="xs" justify="space-between" gap="sm">
        <ShownFilter analysis={analysis} value={show} onChange={(next) => list.filter({ show: next })} />
        <Group gap="sm">
          <KeywordField
            label="Number or description"
            w={220}
            value={keyword}
            onChange={(next) => list.filter({ keyword: next })}
          />
          <UndoButton acts={acts} />
        </Group>
      </Group>
      <ErrorAlert error={acts.error} title="The change was not saved" onClose={acts.reset} />
      <div className={classes['bench']}>
        <BenchGrid
          key={`${show} ${keyword}`}
          ref={grid}
          asked={{ id: analysis.id, show, ...(keyword ? { keyword } : {}) }}
          currnIdx={analysis.totals.currnIdx}
          empty={emptyWords(show, keyword, analysis)}
          onCurrent={setCurrent}
          onOpen={() => setOpen(true)}
          onAccept={() => accept(false)}
        />
        {isBeside ? (
          <aside className={`card ${classes['beside']}`} aria-label="Evidence" aria-busy={acts.isPending}>
            {beside}
          </aside>
        ) : null}
      </div>
      {!isBeside && isOpen && row ? (
        <Drawer
          opened
          position="bottom"
          size="88%"
          title="Evidence"
          styles={{ body: { padding: 0 } }}
          closeButtonProps={{ 'aria-label': 'Close' }}
          onClose={() => {
            setOpen(false);
            setDoing(null);
          }}
        >
          {beside}
        </Drawer>
      ) : null}
      {row && doing ? (
        <RowDialog
          doing={doing}
          row={row}
          currnIdx={analysis.totals.currnIdx}
          acts={acts}
          onClose={() => setDoing(null)}
        />
      ) : null}
    </>
  );
}

function UndoButton({ acts }: { acts: ReturnType<typeof useActs> }) {
  return (
    <Button
      variant="default"
      leftSection={<IconArrowBackUp size={16} aria-hidden />}
      disabled={!acts.last || acts.isPending}
      title={acts.last ? rowText(acts.last) : 'Nothing to undo yet'}
      onClick={() => acts.run('undo')}
    >
      Undo
    </Button>
  );
}

/** Rows that need a decision are shown first. If there are none, all rows are shown. */
function firstShown({ counts }: Analysis): RowsShown {
  return counts.toLookAt > 0 ? 'to-look-at' : counts.noMatch > 0 ? 'no-match' : 'all';
}

function emptyWords(show: RowsShown, keyword: string, { counts }: Analysis): string {
  if (keyword !== '' || show === 'all') return 'No Record Found';
  if (show === 'to-look-at' && counts.noMatch > 0)
    return `All proposals are decided. ${countOf(counts.noMatch, 'row has', 'rows have')} no match.`;
  return 'No rows match this filter.';
}

type PickerProps = { row: SavingsRow; facilityId: number; onPick: (itemId: number) => void; onClose: () => void };

/** The item picker, with the manufacturer's number in the customer's row as keyword, or else the first words of the description. */
function Picker({ row, facilityId, onPick, onClose }: PickerProps) {
  const [keyword, setKeyword] = useState(() => row.makerNo || row.description.split(/\s+/).slice(0, 3).join(' '));
  return (
    <>
      <Text size="sm" px="md" pt="sm">
        {rowText(row)}: {[row.maker, row.makerNo, row.description].filter(Boolean).join(' · ')}
      </Text>
      <ItemPickerPanel
        companyName={appConfig.companyName}
        keyword={keyword}
        onKeyword={setKeyword}
        facilityId={facilityId}
        onPick={({ id }) => onPick(id)}
        onClose={onClose}
      />
    </>
  );
}

type ShownProps = { analysis: Analysis; value: RowsShown; onChange: (shown: RowsShown) => void };

const SHOWN_ORDER: RowsShown[] = ['to-look-at', 'no-match', 'taken', 'dearer', 'no-bid', 'left-out', 'all'];

/** Chooses which rows the bench shows, with the number of each. */
function ShownFilter({ analysis, value, onChange }: ShownProps) {
  const { counts, totals } = analysis;
  const numberOf: Record<RowsShown, number> = {
    'to-look-at': counts.toLookAt,
    'no-match': counts.noMatch,
    taken: counts.taken,
    dearer: totals.dearerRows,
    'no-bid': counts.noBid,
    'left-out': counts.leftOut,
    all: counts.all,
  };
  return (
    <Group gap={6} role="radiogroup" aria-label="Rows shown" className={classes['shown']}>
      {SHOWN_ORDER.map((entry) => (
        <Chip
          key={entry}
          type="radio"
          name="rows-shown"
          size="xs"
          value={entry}
          checked={entry === value}
          onChange={() => onChange(entry)}
        >
          {SHOWN_LABELS[entry]} <span className="tabular">{numberOf[entry].toLocaleString('en-US')}</span>
        </Chip>
      ))}
    </Group>
  );
}
