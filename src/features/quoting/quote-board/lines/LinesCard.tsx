// The lines with all their actions (add, paste, templates, selection, line panel) and the totals: a grid on wide screens, cards on narrow ones.
import { Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { firstUnit } from '#features/catalogue/items/ItemMarks.tsx';
import { AddLine } from '#features/quoting/quote-edit/lines/AddLine.tsx';
import type { LinePatch, QuoteItem } from '#features/quoting/quote-edit/lines/quote-item.ts';
import { countOf } from '#shared/count-of.ts';
import { NARROW } from '#ui/DataList.tsx';
import { later } from '#ui/later.tsx';
import { useOnce } from '#ui/once.web.ts';
import classes from './lines.module.css';
import { placedColumns } from '../layout/columns.ts';
import { useBoardLayout } from '../layout/layout.web.ts';
import { useMayRequest } from '../rail/may-request.web.ts';
import { useBoard } from '../state/board.web.ts';
import { Totals } from '../terms/TotalsCard.tsx';
import { ownLines } from '../state/changes.ts';
import { copyOf } from './selection/copy-lines.ts';
import { FindBar } from './find/FindBar.tsx';
import { focusCell } from './grid/focus-cell.web.ts';
import { LineCards } from './LineCards.tsx';
import { LineGrid } from './grid/LineGrid.tsx';
import { LineTools } from './LineTools.tsx';
import { addSection, moveToSection, notDone, rowActions } from './line-actions.web.ts';
import { copyToClipboard, useCopyLines, useLineKeys, usePasteAnywhere } from './line-keys.web.ts';
import { isLinked, mayEditPrice } from './line-words.ts';
import { PriceReasons } from './PriceReasons.tsx';
import { QuantityDialog } from './selection/QuantityDialog.tsx';
import { DiscountDialog, PriceReasonDialog } from './selection/ReasonDialog.tsx';
import { SelectionBar } from './selection/SelectionBar.tsx';
import { useFind } from './find/use-find.web.ts';

/** A board opens without them. */
const PasteDialog = later(() => import('#features/quoting/quote-edit/paste/PasteDialog.tsx'), {
  loading: <></>,
  failed: 'The dialog for pasted rows could not be loaded.',
});
const TemplateDialog = later(() => import('./templates/TemplateDialog.tsx'), {
  loading: <></>,
  failed: 'The templates could not be loaded.',
});

type Dialog =
  | { kind: 'paste'; text: string }
  | { kind: 'price'; item: QuoteItem; patch: Pick<LinePatch, 'unitPrice' | 'discountPct'> }
  | { kind: 'discount' | 'quantity' | 'template' };

type Props = {
  /** Opens the line-item panel for a line or a new one. */
  onEdit: (item: QuoteItem | null) => void;
  /** Opens the request for a contract price with that line chosen. The function stays the same while the card is mounted. */
  onRequest: (start: { lineId?: number }) => void;
  /** Opens a comment on the line. The function stays the same while the card is mounted. */
  onComment: (item: QuoteItem) => void;
  /** Opens the choice of a configurator's file. */
  onFile: () => void;
  /** Told how much room descriptions have. The function stays the same while the card is mounted. */
  onRoom: (width: number, isBeside: boolean, longest: number) => void;
};

/** Below this width the lines are cards. A desktop keeps the grid even at twice the font size. */
const CARDS = '(max-width: 39.99em)';

export function LinesCard({ onEdit, onRequest, onComment, onFile, onRoom }: Props) {
  const { data, items, store, canUndo, canRedo, view } = useBoard();
  const { layout } = useBoardLayout();
  const narrow = useMediaQuery(CARDS, false, { getInitialValueInEffect: false });
  /** On a phone the totals are a card of their own. */
  const hasTotals = !useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const editable = data.editable.commercial;
  const mayRequest = useMayRequest();
  const { id: quoteId, currnIdx, facilityId } = data.quote;
  const pasteInto = useMemo(() => ({ id: quoteId, currnIdx, facilityId }), [quoteId, currnIdx, facilityId]);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const addField = useRef<HTMLInputElement>(null);
  const reveal = useRef<((row: number) => void) | null>(null);
  const lines = items.filter((item) => selected.has(item.id));
  const close = () => setDialog(null);

  // Stable functions, so that unchanged rows do not render again.
  const [actions] = useState(() =>
    rowActions(store, {
      onEdit,
      onPrice: (item, patch) => setDialog({ kind: 'price', item, patch }),
      onRequest: (item) => onRequest({ lineId: item.id }),
      onComment,
      onSelected: setSelected,
    }),
  );
  const run = (work: Promise<void>) => {
    work.then(actions.selection.none, notDone);
  };
  /** Scrolls a line into view and focuses one of its cells. Focuses the field that adds lines if the row does not appear. */
  const goTo = (id: number, column: string) => {
    const row = () => {
      const at = store.snapshot().board?.items.findIndex((item) => item.id === id) ?? -1;
      if (at >= 0) reveal.current?.(at);
      return at;
    };
    focusCell(row, column, () => addField.current?.focus());
  };
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
  const change = async (patchOf: (item: QuoteItem) => LinePatch) => {
    const changed = lines
      .map((item) => ({ ...patchOf(item), id: item.id }))
      .filter((line) => Object.keys(line).length > 1);
    await store.saveLines(changed, countOf(changed.length, 'line'));
    actions.selection.none();
  };
  const goBack = (which: 'undo' | 'redo') => {
    const word = which === 'undo' ? 'Undone' : 'Redone';
    store[which]().then(
      (label) => label !== null && notifications.show({ message: `${word}: ${label}` }),
      (error: unknown) => notifications.show({ color: 'red', message: (error as Error).message }),
    );
  };
  // In a new quote, or one without lines, typing starts in the add field. On a phone the keyboard would cover the page.
  const isNew = useLocation({ select: ({ state }) => state.isNewQuote === true });
  const startsHere = useEffectEvent(() => {
    const isIdle = items.length === 0 && document.activeElement === document.body;
    if (editable && !narrow && (isNew || isIdle)) addField.current?.focus();
  });
  useEffect(() => startsHere(), []);
  const show = (id: number) => reveal.current?.(items.findIndex((item) => item.id === id));
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
    onType: () => addField.current?.focus(),
    onFind: find.open,
    onComment: (id) => {
      const item = items.find((one) => one.id === id);
      if (item && item.type !== 'free') onComment(item);
    },
    goBack,
    goTo,
  });

  const onPastEnd = useCallback(() => addField.current?.focus(), []);
  const add = editable ? (
    <div className={`${classes['add']} no-print`}>
      <AddLine
        inputRef={addField}
        facilityId={data.quote.facilityId}
        onAdd={async (hit) => {
          const { id } = await store.addLine({ itemId: hit.id, qty: 1, unit: firstUnit(hit) });
          // Focus moves to the new line's quantity; Enter there returns here.
          goTo(id, 'qty');
        }}
        onPasteTable={(text) => setDialog({ kind: 'paste', text })}
      />
    </div>
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
      onFile={onFile}
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
            editable={editable}
            onCopy={() => void copyToClipboard(copied(), lines.length)}
            sections={items.filter((item) => item.type === 'section')}
            onDiscount={() => setDialog({ kind: 'discount' })}
            onQuantity={() => setDialog({ kind: 'quantity' })}
            onSection={(section) => (section ? run(moveToSection(store, items, lines, section)) : insertSection())}
            onDuplicate={() => {
              actions.duplicate(lines);
              actions.selection.none();
            }}
            onRemove={() => {
              actions.remove(lines);
              actions.selection.none();
            }}
            onLeave={actions.selection.none}
          />
        </div>
      ) : null}
      {items.length === 0 ? (
        <Text ta="center" py="lg" className="muted">
          No lines yet.{editable ? ' Type an item below, paste rows from a spreadsheet, or start from a template.' : ''}
        </Text>
      ) : narrow ? (
        <LineCards items={items} actions={actions} />
      ) : (
        <LineGrid
          selected={selected}
          actions={actions}
          onPastEnd={onPastEnd}
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
      {dialog?.kind === 'paste' ? (
        <PasteDialog
          text={dialog.text}
          quote={pasteInto}
          onAdd={(rows) =>
            store.saveLines(
              rows.map(({ item, ...row }) => ({ id: 0, itemId: item.itemId, ...row })),
              countOf(rows.length, 'pasted line'),
            )
          }
          onClose={close}
        />
      ) : null}
      {dialog?.kind === 'template' ? <TemplateDialog onClose={close} /> : null}
      {dialog?.kind === 'price' ? (
        <PriceReasonDialog
          item={dialog.item}
          patch={dialog.patch}
          currnIdx={data.quote.currnIdx}
          onClose={close}
          onSave={(patch) => {
            store.changeLine(dialog.item, patch);
            close();
          }}
        />
      ) : null}
      {dialog?.kind === 'discount' ? (
        <DiscountDialog
          lines={lines}
          currnIdx={data.quote.currnIdx}
          quoteDiscountPct={data.quote.discountPct}
          onClose={close}
          onSave={change}
        />
      ) : null}
      {dialog?.kind === 'quantity' ? (
        <QuantityDialog
          lines={lines.filter(mayEditPrice)}
          onClose={close}
          onSave={(factor) =>
            change((item) =>
              mayEditPrice(item) && !isLinked(item) ? { qty: Math.round(item.qty * factor * 10_000) / 10_000 } : {},
            )
          }
        />
      ) : null}
    </section>
  );
}
