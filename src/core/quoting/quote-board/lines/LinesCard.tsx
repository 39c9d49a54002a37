// The lines with all their actions (add, paste, templates, selection, line panel) and the totals: a grid on wide screens, cards on narrow ones.
import { Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type RefObject, useState } from 'react';
import { firstUnit } from '#core/catalog/items/ItemMarks.tsx';
import { AddLine } from '#core/quoting/quote-edit/lines/AddLine.tsx';
import type { QuoteItem } from '#core/quoting/quote-edit/lines/quote-item.ts';
import { NARROW } from '#platform/ui/DataList.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import classes from './lines.module.css';
import { placedColumns } from '../layout/columns.ts';
import { useBoardLayout } from '../layout/layout.web.ts';
import { useMayRequest } from '../side-panels/may-request.web.ts';
import { useBoard } from '../state/board.web.ts';
import { Totals } from '../terms/TotalsCard.tsx';
import { ownLines } from '../state/changes.ts';
import { copyOf } from './selection/copy-lines.ts';
import { FindBar } from './find/FindBar.tsx';
import { LineCards } from './LineCards.tsx';
import { LineGrid } from './grid/LineGrid.tsx';
import { LineTools } from './LineTools.tsx';
import { addSection, notDone, rowActions, takeBack } from './line-actions.web.ts';
import { useLineFocus } from './line-focus.web.ts';
import { copyToClipboard, useCopyLines, useLineKeys, usePasteAnywhere } from './line-keys.web.ts';
import { type Dialog, LineDialog } from './LineDialog.tsx';
import { PriceReasons } from './PriceReasons.tsx';
import { SelectionBar } from './selection/SelectionBar.tsx';
import { useFind } from './find/use-find.web.ts';

type Props = {
  /** Opens the line panel for a line, or for a new line when null. */
  onEdit: (item: QuoteItem | null) => void;
  /** Opens the request for a contract price with that line chosen. The function stays the same while the card is mounted. */
  onRequest: (start: { lineId?: number }) => void;
  /** Opens a comment on the line. The function stays the same while the card is mounted. */
  onComment: (item: QuoteItem) => void;
  /** Called with the space available for descriptions. The function stays the same while the card is mounted. */
  onRoom: (width: number, isBeside: boolean, longest: number) => void;
};

/** Below this width the lines are cards. A desktop keeps the grid even at twice the font size. */
const CARDS = '(max-width: 39.99em)';

export function LinesCard({ onEdit, onRequest, onComment, onRoom }: Props) {
  const { data, items, store, canUndo, canRedo, view } = useBoard();
  const { layout } = useBoardLayout();
  const narrow = useMediaQuery(CARDS, false, { getInitialValueInEffect: false });
  /** On a phone the totals are a separate card. */
  const hasTotals = !useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const editable = data.editable.commercial;
  const mayRequest = useMayRequest();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const lines = items.filter((item) => selected.has(item.id));

  // The functions keep their identity, so that unchanged rows do not render again.
  const [actions] = useState(() =>
    rowActions(store, {
      onEdit,
      onPrice: (item, patch) => setDialog({ kind: 'price', item, patch }),
      onRequest: (item) => onRequest({ lineId: item.id }),
      onComment,
      onSelected: setSelected,
    }),
  );
  const { goTo, show, reveal, addField, toAddField } = useLineFocus(editable && !narrow);
  const insertSection = useOnce(async () => {
    const above = lines.length > 0 ? ownLines(lines) : items.filter(({ id }) => id === actions.lastLine());
    try {
      const id = await addSection(store, items, above);
      actions.selection.none();
      if (id !== undefined) goTo(id, 'description');
    } catch (error) {
      notDone(error);
    }
  });
  const goBack = (which: 'undo' | 'redo') => takeBack(store, which);
  const find = useFind(items, show);
  const closeFind = () => {
    find.close();
    const id = find.current;
    if (id !== undefined) goTo(id, 'qty');
  };
  const copied = () =>
    copyOf(
      lines,
      placedColumns(layout, view === 'internal').filter(({ hidden }) => !hidden),
    );
  usePasteAnywhere(editable && dialog === null, (text) => setDialog({ kind: 'paste', text }));
  useCopyLines(lines.length > 0, copied);
  useLineKeys({
    editable,
    selected,
    actions,
    isGrid: !narrow && items.length > 0,
    canUndo,
    canRedo,
    onAdd: () => onEdit(null),
    onType: toAddField,
    onFind: find.open,
    onComment: (id) => {
      const item = items.find((candidate) => candidate.id === id);
      if (item && item.type !== 'free') onComment(item);
    },
    goBack,
    goTo,
  });

  const add = editable ? (
    <AddRow field={addField} goTo={goTo} onPaste={(text) => setDialog({ kind: 'paste', text })} />
  ) : null;
  const tools = (
    <LineTools
      isGrid={!narrow}
      onAdd={() => onEdit(null)}
      onPaste={() => setDialog({ kind: 'paste', text: '' })}
      onTemplate={() => setDialog({ kind: 'template' })}
      onSection={insertSection}
      onFind={find.open}
      onBack={goBack}
      onRequest={mayRequest ? () => onRequest({}) : undefined}
    />
  );
  const locked = editable ? null : (
    <Text size="sm" className="muted ellipsis" flex={1} miw={120} title={data.editable.reason}>
      {data.editable.reason}
    </Text>
  );
  const count = items.filter((item) => item.type !== 'section' && item.type !== 'note').length;
  return (
    <section className="card" aria-labelledby="lines-title">
      <div className={narrow ? `${classes['tools']} ${classes['bar']} no-print` : undefined}>
        <Title order={2} id="lines-title" className={narrow ? undefined : 'visually-hidden'}>
          Lines <span className="muted tabular">{count}</span>
        </Title>
        {narrow ? tools : null}
        {narrow ? locked : null}
      </div>
      {narrow ? <PriceReasons items={items} /> : null}
      {find.isOpen && !narrow ? <FindBar {...find.bar} onClose={closeFind} /> : null}
      {selected.size > 0 ? (
        <div className={`${classes['selected']} no-print`}>
          <SelectionBar
            lines={lines}
            actions={actions}
            onCopy={() => void copyToClipboard(copied(), lines.length)}
            onDialog={(kind) => setDialog({ kind })}
            onNewSection={insertSection}
          />
        </div>
      ) : null}
      {items.length === 0 ? (
        <Text ta="center" py="lg" className="muted">
          No lines yet.
          {editable ? ' Enter an item below, paste rows from a spreadsheet, or start from a template.' : ''}
        </Text>
      ) : narrow ? (
        <LineCards items={items} actions={actions} />
      ) : (
        <LineGrid
          selected={selected}
          actions={actions}
          onPastEnd={toAddField}
          reveal={reveal}
          found={find.found}
          onRoom={onRoom}
        />
      )}
      {narrow ? (
        add
      ) : (
        <section className={classes['foot']} aria-label={hasTotals ? 'Totals' : 'Add lines'}>
          {add ?? locked}
          <div className={`${classes['tools']} no-print`}>
            {tools}
            <PriceReasons items={items} onSelect={actions.selection.only} />
          </div>
          {hasTotals ? <Totals lines={count} /> : null}
        </section>
      )}
      {dialog ? (
        <LineDialog dialog={dialog} lines={lines} onSaved={actions.selection.none} onClose={() => setDialog(null)} />
      ) : null}
    </section>
  );
}

type AddRowProps = {
  field: RefObject<HTMLInputElement | null>;
  goTo: (id: number, column: string) => void;
  onPaste: (text: string) => void;
};

function AddRow({ field, goTo, onPaste }: AddRowProps) {
  const { data, store } = useBoard();
  return (
    <div className={`${classes['add']} no-print`}>
      <AddLine
        inputRef={field}
        facilityId={data.quote.facilityId}
        onAdd={async (hit) => {
          const { id } = await store.addLine({ itemId: hit.id, qty: 1, unit: firstUnit(hit) });
          // Focus moves to the new line's quantity. Enter in that field returns here.
          goTo(id, 'qty');
        }}
        onPasteTable={onPaste}
      />
    </div>
  );
}
