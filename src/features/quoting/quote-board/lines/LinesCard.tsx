// The lines with everything done to them: add, paste, templates, selection, panel; a grid on wide screens, cards on narrow ones.
import { Button, Group, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '#api/client.web.ts';
import { AddLine } from '#features/quoting/quote-edit/lines/AddLine.tsx';
import { PasteDialog } from '#features/quoting/quote-edit/paste/PasteDialog.tsx';
import { isTable } from '#features/quoting/quote-edit/paste/paste.ts';
import { QuoteEdit, type QuoteItem, type QuoteItemInput } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { NARROW } from '#ui/DataList.tsx';
import { useKeys } from '#ui/keys.tsx';
import classes from '../board.module.css';
import { asInput, takenOff, type Undo, useBoard } from '../state/board.web.ts';
import type { LinePatch } from '../state/save-queue.ts';
import { focusCell } from './focus-cell.web.ts';
import { LineCards } from './LineCards.tsx';
import { LineGrid } from './LineGrid.tsx';
import type { RowActions } from './LineRow.tsx';
import { mayEditPrice } from './line-words.ts';
import { QuantityDialog } from './QuantityDialog.tsx';
import { DiscountDialog, PriceReasonDialog } from './ReasonDialog.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { TemplateDialog } from './TemplateDialog.tsx';

type Dialog =
  | { kind: 'paste'; text: string }
  | { kind: 'price'; item: QuoteItem; patch: Pick<LinePatch, 'unitPrice' | 'discountPct'> }
  | { kind: 'discount' | 'quantity' | 'template' };

type Props = {
  /** Opens the line-item panel: on an item, or on a new one. */
  onEdit: (item: QuoteItem | null) => void;
};

export function LinesCard({ onEdit }: Props) {
  const board = useBoard();
  const { data, items } = board;
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const editable = data.editable.commercial;
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const lastPicked = useRef<number | null>(null);
  const addField = useRef<HTMLInputElement>(null);
  const reveal = useRef<((row: number) => void) | null>(null);
  const boardRef = useRef(board);
  boardRef.current = board;
  const lines = items.filter((item) => selected.has(item.id));
  const close = () => setDialog(null);

  const actions = useRowActions({ boardRef, setSelected, lastPicked, setDialog, onEdit });
  const run = (work: Promise<void>) => {
    work.then(
      () => setSelected(new Set()),
      (error: unknown) =>
        notifications.show({ color: 'red', title: 'Not done', message: (error as Error).message, autoClose: false }),
    );
  };
  const change = (patchOf: (item: QuoteItem) => Omit<QuoteItemInput, 'id'>) => {
    const before = lines.filter((item) => item.type !== 'free');
    return board
      .saveLines(
        before.map((item) => ({ ...patchOf(item), id: item.id })).filter((line) => Object.keys(line).length > 1),
        {
          label: `${before.length} lines`,
          run: (now) => now.saveLines(before.map((item) => ({ ...backOf(item), id: item.id }))),
        },
      )
      .then(() => setSelected(new Set()));
  };

  usePasteAnywhere(editable && dialog === null, (text) => setDialog({ kind: 'paste', text }));
  useKeys([
    { key: 'a', label: 'Add Item', run: () => onEdit(null), disabled: !editable },
    { key: '+', label: 'Type a line', run: () => addField.current?.focus(), disabled: !editable },
    {
      key: 'mod+z',
      label: 'Undo',
      run: () => board.undo(),
      disabled: !board.canUndo,
      // In a field with something typed it takes back what was typed there.
      whileTyping: (field) => field.matches('[data-cell]:not([data-typed])'),
    },
    {
      key: 'Escape',
      label: 'Leave selection',
      run: () => setSelected(new Set()),
      disabled: selected.size === 0,
      whileTyping: true,
    },
  ]);

  const onPastEnd = useCallback(() => addField.current?.focus(), []);
  const count = items.filter((item) => item.type !== 'section' && item.type !== 'note').length;
  return (
    <section className="card" aria-labelledby="lines-title">
      <Group justify="space-between" p="xs" px="sm" className="no-print" mih={46}>
        {selected.size > 0 ? (
          <SelectionBar
            lines={lines}
            sections={items.filter((item) => item.type === 'section')}
            onDiscount={() => setDialog({ kind: 'discount' })}
            onQuantity={() => setDialog({ kind: 'quantity' })}
            onSection={(section) => run(moveToSection(board.saveLines, items, lines, section))}
            onDuplicate={() => {
              actions.duplicate(lines);
              setSelected(new Set());
            }}
            onRemove={() => {
              actions.remove(lines);
              setSelected(new Set());
            }}
            onLeave={() => setSelected(new Set())}
          />
        ) : (
          <>
            <Group gap="xs">
              <Title order={2} id="lines-title">
                Lines
              </Title>
              <Text className="muted tabular">{count}</Text>
            </Group>
            {editable ? (
              <Group gap="xs">
                <Button size="compact-sm" variant="light" onClick={() => onEdit(null)}>
                  Add Item
                </Button>
                <Button size="compact-sm" variant="default" onClick={() => setDialog({ kind: 'paste', text: '' })}>
                  Paste
                </Button>
                <Button size="compact-sm" variant="default" onClick={() => setDialog({ kind: 'template' })}>
                  Template
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() =>
                    run(
                      board.saveLines([{ id: 0, type: 'section', description: 'Section' }], {
                        label: 'Section added',
                        run: (now, added) => now.saveLines(added.map(takenOff)),
                      }),
                    )
                  }
                >
                  Section
                </Button>
                <Button size="compact-sm" variant="subtle" color="gray" disabled={!board.canUndo} onClick={board.undo}>
                  Undo
                </Button>
              </Group>
            ) : (
              <Text size="sm" className="muted">
                {data.editable.reason}
              </Text>
            )}
          </>
        )}
      </Group>
      {items.length === 0 ? (
        <Text ta="center" py="lg" className="muted">
          No lines yet.{editable ? ' Type an item below, paste rows from a spreadsheet, or start from a template.' : ''}
        </Text>
      ) : narrow ? (
        <LineCards items={items} actions={actions} />
      ) : (
        <LineGrid selected={selected} actions={actions} onPastEnd={onPastEnd} reveal={reveal} />
      )}
      {editable ? (
        <div className={`${classes['add']} no-print`}>
          <AddLine
            inputRef={addField}
            onAdd={async (hit) => {
              const { id } = await board.addLine({ itemId: hit.id, qty: 1, unit: hit.units[0]?.unit ?? '' });
              // The new line's quantity is what comes next; Enter there comes back here.
              const row = () => {
                const at = boardRef.current.items.findIndex((item) => item.id === id);
                if (at >= 0) reveal.current?.(at);
                return at;
              };
              focusCell(row, 'qty', () => addField.current?.focus());
            }}
            onPasteTable={(text) => setDialog({ kind: 'paste', text })}
          />
        </div>
      ) : null}
      {dialog?.kind === 'paste' ? (
        <PasteDialog
          text={dialog.text}
          quoteId={data.quote.id}
          onAdd={(rows) =>
            board.saveLines(
              rows.map(({ item, qty, unit }) => ({ id: 0, itemId: item.itemId, qty, unit })),
              { label: `${rows.length} pasted lines`, run: (now, added) => now.saveLines(added.map(takenOff)) },
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
            board.changeLine(dialog.item, patch);
            close();
          }}
        />
      ) : null}
      {dialog?.kind === 'discount' ? (
        <DiscountDialog lines={lines} currnIdx={data.quote.currnIdx} onClose={close} onSave={change} />
      ) : null}
      {dialog?.kind === 'quantity' ? (
        <QuantityDialog
          lines={lines.filter(mayEditPrice)}
          onClose={close}
          onSave={(factor) =>
            change((item) => (mayEditPrice(item) ? { qty: Math.round(item.qty * factor * 10_000) / 10_000 } : {}))
          }
        />
      ) : null}
    </section>
  );
}

type ActionsInput = {
  boardRef: React.RefObject<ReturnType<typeof useBoard>>;
  setSelected: React.Dispatch<React.SetStateAction<ReadonlySet<number>>>;
  lastPicked: React.RefObject<number | null>;
  setDialog: (dialog: Dialog) => void;
  onEdit: Props['onEdit'];
};

/** The same functions as long as the board lives, so that rows that did not change are not drawn again. */
function useRowActions({
  boardRef,
  setSelected,
  lastPicked,
  setDialog,
  onEdit,
}: ActionsInput): Omit<RowActions, 'move'> {
  const edit = useRef(onEdit);
  edit.current = onEdit;
  const [actions] = useState<Omit<RowActions, 'move'>>(() => {
    const now = () => boardRef.current;
    const failed = (error: unknown) =>
      notifications.show({ color: 'red', title: 'Not done', message: (error as Error).message, autoClose: false });
    return {
      change: (item, patch) => now().changeLine(item, patch),
      price: (item, patch) =>
        item.type === 'custom' && Object.keys(patch).length > 0
          ? now().changeLine(item, patch)
          : setDialog({ kind: 'price', item, patch }),
      select: (id, on, range) => {
        const ids = now()
          .items.filter((item) => item.type !== 'free')
          .map((item) => item.id);
        const from = range && lastPicked.current !== null ? ids.indexOf(lastPicked.current) : -1;
        const to = ids.indexOf(id);
        const touched = from === -1 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
        lastPicked.current = id;
        setSelected((before) => {
          const next = new Set(before);
          for (const one of touched) {
            if (on) next.add(one);
            else next.delete(one);
          }
          return next;
        });
      },
      edit: (item) => edit.current(item),
      shift: (item, by) => {
        const { items, saveLines } = now();
        const own = items.filter((one) => one.type !== 'free');
        const at = own.findIndex((one) => one.id === item.id);
        const other = own[at + by];
        if (!other) return;
        const order = own.toSpliced(at, 1).toSpliced(at + by, 0, item);
        saveLines(renumbered(order, items), {
          label: 'Order of lines',
          run: (board) => board.saveLines(renumbered(own, board.items)),
        }).catch(failed);
      },
      duplicate: (lines) => {
        const copies = lines
          .filter((item) => item.type !== 'free')
          .map((item) => ({ ...asInput(item), lineNo: undefined }));
        now()
          .saveLines(copies, {
            label: `${copies.length} duplicated`,
            run: (board, added) => board.saveLines(added.map(takenOff)),
          })
          .then(
            () =>
              notifications.show({
                message: `${copies.length === 1 ? 'Line' : `${copies.length} lines`} duplicated at the end`,
              }),
            failed,
          );
      },
      remove: (lines) => {
        const gone = lines.filter((item) => item.type !== 'free');
        now()
          .saveLines(gone.map(takenOff), {
            label: `${gone.length} removed`,
            run: (board) => board.saveLines(gone.map((item) => ({ ...asInput(item), promotionId: item.promotionId }))),
          })
          .then(
            () =>
              notifications.show({
                message: `${gone.length === 1 ? 'Line' : `${gone.length} lines`} removed. Ctrl+Z brings back.`,
              }),
            failed,
          );
      },
      promote: (item, promotionId) => {
        api(QuoteEdit)
          .ApplyPromotionToQuoteItem({ quoteItemId: item.id, promotionId, version: item.version })
          .then((next) => now().receive(next), failed);
      },
      retry: () => now().queue.retry(),
      drop: (item) => now().queue.drop(item.id),
    };
  });
  return actions;
}

/** What brings lines, as they stand `now`, into this order. */
function renumbered(order: readonly QuoteItem[], now: readonly QuoteItem[]): QuoteItemInput[] {
  const places = new Map(now.map(({ id, lineNo }) => [id, lineNo]));
  return order
    .map(({ id }, index) => ({ id, lineNo: index + 1 }))
    .filter(({ id, lineNo }) => places.has(id) && places.get(id) !== lineNo);
}

/** What a bulk change may have touched, as it was. */
function backOf(item: QuoteItem): Omit<QuoteItemInput, 'id'> {
  if (!mayEditPrice(item)) return {};
  const manual = item.priceSource === 'Manual' || item.type === 'custom';
  return {
    qty: item.qty,
    unitPrice: manual ? item.unitPrice : null,
    ...(manual ? { priceReason: item.priceReason } : {}),
  };
}

async function moveToSection(
  saveLines: ReturnType<typeof useBoard>['saveLines'],
  items: readonly QuoteItem[],
  lines: QuoteItem[],
  section: QuoteItem | null,
): Promise<void> {
  const moving = new Set(lines.map((item) => item.id));
  const own = items.filter((item) => item.type !== 'free');
  const rest = own.filter((item) => !moving.has(item.id));
  const undo: Undo = {
    label: 'Order of lines',
    run: (board, added) => board.saveLines([...added.map(takenOff), ...renumbered(own, board.items)]),
  };
  if (!section) {
    const last = Math.max(0, ...items.map((item) => item.lineNo));
    await saveLines(
      [
        { id: 0, type: 'section', description: 'Section', lineNo: last + 1 },
        ...lines.map((item, index) => ({ id: item.id, lineNo: last + 2 + index })),
      ],
      undo,
    );
    return;
  }
  const start = rest.findIndex((item) => item.id === section.id);
  const next = rest.findIndex((item, index) => index > start && item.type === 'section');
  await saveLines(renumbered(rest.toSpliced(next === -1 ? rest.length : next, 0, ...lines), items), undo);
}

/** A table pasted anywhere on the board (not into a field) opens the paste dialog. */
function usePasteAnywhere(on: boolean, open: (text: string) => void): void {
  const handler = useRef(open);
  handler.current = open;
  useEffect(() => {
    if (!on) return;
    const onPaste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest('input, textarea, [role="dialog"]')) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isTable(text)) return;
      event.preventDefault();
      handler.current(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [on]);
}
