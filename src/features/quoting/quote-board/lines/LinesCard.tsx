// The lines with all their actions: add, paste, templates, selection, panel; a grid on wide screens, cards on narrow ones.
import { Button, Group, Text, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { AddLine } from '#features/quoting/quote-edit/lines/AddLine.tsx';
import { PasteDialog } from '#features/quoting/quote-edit/paste/PasteDialog.tsx';
import { isTable } from '#features/quoting/quote-edit/paste/paste.ts';
import type { QuoteItem } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { NARROW } from '#ui/DataList.tsx';
import { useKeys } from '#ui/keys.tsx';
import { useOnce } from '#ui/once.web.ts';
import classes from '../board.module.css';
import { useBoard } from '../state/board.web.ts';
import { ownLines } from '../state/changes.ts';
import type { LinePatch } from '../state/save-queue.ts';
import { focusCell } from './focus-cell.web.ts';
import { LineCards } from './LineCards.tsx';
import { LineGrid } from './LineGrid.tsx';
import { addSection, moveToSection, notDone, rowActions } from './line-actions.web.ts';
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
  /** Opens the line-item panel for a line or a new one. */
  onEdit: (item: QuoteItem | null) => void;
};

export function LinesCard({ onEdit }: Props) {
  const { data, items, store, canUndo, canRedo } = useBoard();
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const editable = data.editable.commercial;
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const addField = useRef<HTMLInputElement>(null);
  const reveal = useRef<((row: number) => void) | null>(null);
  const lines = items.filter((item) => selected.has(item.id));
  const close = () => setDialog(null);

  // Stable functions, so that unchanged rows do not render again.
  const [actions] = useState(() =>
    rowActions(store, { onEdit, onPrice: (item, patch) => setDialog({ kind: 'price', item, patch }), setSelected }),
  );
  const run = (work: Promise<void>) => {
    work.then(() => setSelected(new Set()), notDone);
  };
  /** Brings a line into sight and goes into a cell of it; into the field that adds lines when it does not come. */
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
      setSelected(new Set());
      if (id !== undefined) goTo(id, 'description');
    } catch (error) {
      notDone(error);
    }
  });
  const change = async (patchOf: (item: QuoteItem) => LinePatch) => {
    const changed = lines
      .map((item) => ({ ...patchOf(item), id: item.id }))
      .filter((line) => Object.keys(line).length > 1);
    await store.saveLines(changed, `${changed.length} lines`);
    setSelected(new Set());
  };
  const goBack = (which: 'undo' | 'redo') => {
    const word = which === 'undo' ? 'Undone' : 'Done again';
    store[which]().then(
      (label) => label !== null && notifications.show({ message: `${word}: ${label}` }),
      (error: unknown) => notifications.show({ color: 'red', message: (error as Error).message }),
    );
  };
  // In a field with typed input these keys undo the typing.
  const inCell = (field: HTMLElement) => field.matches('[data-cell]:not([data-typed])');

  // A quote without lines, such as one that was just made, is written from here.
  const startsEmpty = useEffectEvent(() => {
    if (editable && items.length === 0 && !narrow && document.activeElement === document.body)
      addField.current?.focus();
  });
  useEffect(() => startsEmpty(), []);
  usePasteAnywhere(editable && dialog === null, (text) => setDialog({ kind: 'paste', text }));
  useKeys([
    { key: 'a', label: 'Add Item', run: () => onEdit(null), disabled: !editable },
    { key: '+', label: 'Type a line', run: () => addField.current?.focus(), disabled: !editable },
    { key: 'mod+shift+z', label: 'Redo', run: () => goBack('redo'), disabled: !canRedo, whileTyping: inCell },
    { key: 'mod+y', label: 'Redo', run: () => goBack('redo'), disabled: !canRedo, whileTyping: inCell },
    { key: 'mod+z', label: 'Undo', run: () => goBack('undo'), disabled: !canUndo, whileTyping: inCell },
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
            onSection={(section) => (section ? run(moveToSection(store, items, lines, section)) : insertSection())}
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
                <Button size="compact-sm" variant="default" onClick={insertSection}>
                  Section
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  disabled={!canUndo}
                  onClick={() => goBack('undo')}
                >
                  Undo
                </Button>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  disabled={!canRedo}
                  onClick={() => goBack('redo')}
                >
                  Redo
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
              const { id } = await store.addLine({ itemId: hit.id, qty: 1, unit: hit.units[0]?.unit ?? '' });
              // Focus moves to the new line's quantity; Enter there returns here.
              goTo(id, 'qty');
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
            store.saveLines(
              rows.map(({ item, qty, unit }) => ({ id: 0, itemId: item.itemId, qty, unit })),
              `${rows.length} pasted lines`,
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

/** A table pasted anywhere on the board (not into a field) opens the paste dialog. */
function usePasteAnywhere(on: boolean, open: (text: string) => void): void {
  const onTable = useEffectEvent(open);
  useEffect(() => {
    if (!on) return;
    const onPaste = (event: ClipboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.closest('input, textarea, [role="dialog"]')) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!isTable(text)) return;
      event.preventDefault();
      onTable(text);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [on]);
}
