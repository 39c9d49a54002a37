// One line of a quote as a form, 'Add Item' and 'Edit Item' (specification sections 2 and 5). It can switch to the item picker.
import { Alert, Button, Checkbox, CloseButton, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ClipboardEvent, type KeyboardEvent, type Ref, useEffect, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { firstUnit } from '#core/catalog/items/ItemMarks.tsx';
import { ItemPickerPanel } from '#core/catalog/items/ItemPickerPanel.tsx';
import { type ItemHit, type ItemPrices, ItemSearch } from '#core/catalog/items/items.contract.ts';
import { conflictOf } from '#platform/shared/conflict.ts';
import { newKey } from '#platform/shared/new-key.ts';
import { ConflictDialog } from '#platform/ui/ConflictDialog.tsx';
import { DiscardDialog } from '#platform/ui/DiscardDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { later } from '#platform/ui/later.tsx';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';
import { LinePriceFields, priceErrorsOf, pricePatchOf } from './LinePriceFields.tsx';
import type { LineEdit, LinePatch, QuoteItem, QuoteItemInput } from './quote-item.ts';
import { type LineForm, lineOf, patchOf, useLineForm } from './use-line-form.web.ts';
import { FIELD_WORDS, valueWords } from '../settle/field-words.ts';
import { clashes, seen } from '../settle/quote-merge.ts';

/** Loads when the user opens a line, so that the board opens faster. */
const ItemPanel = later(() => import('./ItemPanel.tsx'), {
  loading: <></>,
  failed: 'The pictures and documents of the item could not be loaded.',
});

type Props = {
  /** The line's current state. Null for a new item. */
  item: QuoteItem | null;
  companyName: string;
  /** The currency of the quote. */
  currnIdx: number;
  /** The facility whose currency determines the promotions of a newly picked item. */
  facilityId?: number | null;
  /** Whether the form also contains price and discount. On a phone, the lines have no cells for them. */
  priced?: boolean;
  /** Saves a new line or changes to a stored one. The form shows a rejection and keeps the typed input. */
  onAdd: (line: QuoteItemInput) => Promise<unknown>;
  onChange: (edit: LineEdit) => Promise<unknown>;
  /** Called after Done. */
  onDone: () => void;
  onClose: () => void;
};

export function LineItemPanel(props: Props) {
  const { item, companyName, currnIdx, facilityId, priced = false, onDone, onClose } = props;
  const line = useLineForm(item, currnIdx);
  const { stored, start, form, errors, dirty, change } = line;
  const [picking, setPicking] = useState<false | 'opened' | 'typed'>(false);
  const [keyword, setKeyword] = useState('');
  const [leaving, setLeaving] = useState(false);
  const { saving, error, clearError, saveLine } = useLineSave(line, props);
  const first = useRef<HTMLInputElement>(null);
  const qtyField = useRef<HTMLInputElement>(null);

  const priceErrors = priceErrorsOf(form, start, form.custom, currnIdx);
  const valid = Object.keys(errors).length + Object.keys(priceErrors).length === 0;
  useUnsaved(dirty, () => 'The line in the panel is not saved. Press Done or close the panel.');
  const itemId = form.custom ? null : (form.picked?.itemId ?? null);
  const { data: chosen, error: itemError } = useChosenItem(itemId, facilityId);
  // The promotions stored with the line, or those of a newly picked item.
  const promotions = itemId === null ? [] : stored?.itemId === itemId ? stored.promotions : (chosen?.promotions ?? []);
  const conflict = stored && conflictOf(error);
  /** The configuration sets item and quantity until the user unlinks the line. */
  const isLocked = Boolean(stored?.configured?.linked && stored.configured.taken);

  const save = async (then: Then, over = stored) => {
    if (!valid) line.touchAll();
    else if (await saveLine(then, over)) {
      if (then === 'next') setPicking('opened');
      else {
        setKeyword('');
        onDone();
      }
    }
  };
  const leave = () => (dirty ? setLeaving(true) : onClose());
  const pick = (hit: ItemHit) => {
    change({
      custom: false,
      picked: { itemId: hit.id, itemNumber: hit.itemNumber },
      description: hit.description,
      // The form shows the unit, so that the user sees it.
      unit: firstUnit(hit) || (hit.units[0]?.unit ?? ''),
      qty: form.qty || '1',
    });
    setPicking(false);
    setTimeout(() => {
      qtyField.current?.focus();
      qtyField.current?.select();
    });
  };

  const isBelow = picking !== false || leaving;
  useEffect(() => first.current?.focus(), []);
  useKeys(
    [
      { key: 'mod+Enter', label: 'Done', whileTyping: true, disabled: isBelow, run: () => void save('done') },
      { key: 'Escape', label: 'Close the item', whileTyping: true, disabled: isBelow, run: leave },
    ],
    { isOver: true },
  );

  const question =
    conflict && stored ? (
      <LineConflict
        conflict={conflict}
        patch={patchOf(form, start, currnIdx)}
        stored={stored}
        busy={saving !== null}
        onKeepMine={(theirs) => void save('done', theirs)}
        onTakeTheirs={(theirs, fields) => {
          clearError();
          line.takeTheirs(theirs, fields);
        }}
      />
    ) : (
      <ErrorAlert error={error} title="The item was not saved" />
    );

  if (picking) {
    return (
      <div className="card">
        {error ? <div style={{ padding: 12 }}>{question}</div> : null}
        <ItemPickerPanel
          companyName={companyName}
          keyword={keyword}
          onKeyword={setKeyword}
          isTyped={picking === 'typed'}
          facilityId={facilityId ?? null}
          onPick={pick}
          onClose={() => setPicking(false)}
        />
      </div>
    );
  }
  return (
    <Stack className="card" gap="sm" p="md" component="section" aria-label={stored ? 'Edit Item' : 'Add Item'}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2}>{stored ? 'Edit Item' : 'Add Item'}</Title>
        <CloseButton aria-label="Close" onClick={leave} />
      </Group>
      {question}
      {promotions.map(({ message }) => (
        <Alert key={message} color="blue" variant="light" p="xs" icon={<IconInfoCircle size={18} />}>
          <Text size="sm">{message}</Text>
        </Alert>
      ))}
      <ItemFields
        line={line}
        isLocked={isLocked}
        firstRef={first}
        qtyRef={qtyField}
        onPick={(typed) => {
          if (typed !== undefined) setKeyword(typed);
          setPicking(typed === undefined ? 'opened' : 'typed');
        }}
      />
      {priced && (stored || form.custom) ? (
        <LinePriceFields
          form={form}
          start={start}
          custom={form.custom}
          unit={form.unit}
          errors={priceErrors}
          onChange={change}
        />
      ) : null}
      <Textarea
        label="Internal Notes"
        description="Visible to all staff who can see this quote, never to the customer."
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        value={form.notes}
        onChange={(event) => change({ notes: event.currentTarget.value })}
      />
      <Group>
        <Button disabled={!valid} loading={saving === 'done'} onClick={() => void save('done')}>
          Done
        </Button>
        <Button variant="default" disabled={!valid} loading={saving === 'next'} onClick={() => void save('next')}>
          Done and Pick Next
        </Button>
      </Group>
      <ErrorAlert error={itemError} title="Promotions, pictures and documents of the item could not be loaded" />
      {itemId === null ? null : (
        <ItemPanel key={itemId} first={stored?.itemId === itemId ? stored : null} chosen={chosen} />
      )}
      {leaving ? <DiscardDialog onStay={() => setLeaving(false)} onDiscard={onClose} /> : null}
    </Stack>
  );
}

type Then = 'done' | 'next';

/** Saves the line of the form. `saving` is the button that is waiting for it. */
function useLineSave(line: LineForm, { currnIdx, onAdd, onChange }: Pick<Props, 'currnIdx' | 'onAdd' | 'onChange'>) {
  const { form, start } = line;
  const [saving, setSaving] = useState<Then | null>(null);
  const [error, setError] = useState<Error | null>(null);
  /** The key of a new line until it is saved. If a response is lost, pressing Done again adds the line only once. */
  const clientKey = useRef(newKey());

  /** `over` is the stored line. Null for a new one. Returns whether it is saved. */
  const saveLine = async (then: Then, over: QuoteItem | null): Promise<boolean> => {
    if (saving) return false;
    setSaving(then);
    setError(null);
    try {
      const patch = patchOf(form, start, currnIdx);
      if (!over)
        await onAdd({
          ...lineOf(form),
          ...pricePatchOf(form, start, form.custom, currnIdx),
          clientKey: clientKey.current,
        });
      else if (Object.keys(patch).length > 0) await onChange({ id: over.id, patch, start: over });
      // The line is saved now, so a later failure must not save it twice.
      line.clear();
      clientKey.current = newKey();
      return true;
    } catch (problem) {
      setError(problem as Error);
      return false;
    } finally {
      setSaving(null);
    }
  };
  return { saving, error, clearError: () => setError(null), saveLine };
}

type ItemFieldsProps = {
  line: LineForm;
  /** Whether the configuration sets item and quantity. */
  isLocked: boolean;
  firstRef: Ref<HTMLInputElement>;
  qtyRef: Ref<HTMLInputElement>;
  /** Opens the item picker with the typed text. */
  onPick: (typed?: string) => void;
};

/** The item and its quantity. The user picks the item, or types the number of a custom one. */
function ItemFields({ line, isLocked, firstRef, qtyRef, onPick }: ItemFieldsProps) {
  const { form, change, touch, shownError } = line;
  const picks = !form.custom && !isLocked;
  // The number is picked, not typed. Typing into the field starts a search for the typed text.
  const onKeyDown = (event: KeyboardEvent) => {
    const typed = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!picks || event.nativeEvent.isComposing || !(typed || event.key === 'Enter')) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onPick(typed ? event.key : undefined);
  };
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain').trim();
    if (!picks || text === '') return;
    event.preventDefault();
    onPick(text);
  };
  return (
    <>
      <Checkbox
        label="This is a custom item, I will enter data manually"
        checked={form.custom}
        onChange={(event) => change({ custom: event.currentTarget.checked, unit: form.unit || 'EA' })}
      />
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <TextInput
          ref={firstRef}
          // On a phone the panel is a dialog, which would focus its first button.
          data-autofocus
          label="Item #"
          withAsterisk
          flex={1}
          autoComplete="off"
          placeholder={picks ? 'Type to search' : undefined}
          readOnly={!form.custom}
          value={form.custom ? form.customNumber : (form.picked?.itemNumber ?? '')}
          error={shownError('itemNumber')}
          maxLength={100}
          onChange={(event) => change({ customNumber: event.currentTarget.value })}
          onBlur={() => (form.custom ? touch('itemNumber') : undefined)}
          onDoubleClick={() => (picks ? onPick() : undefined)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        {form.custom ? null : (
          <Button mt={22} variant={form.picked ? 'default' : 'filled'} disabled={isLocked} onClick={() => onPick()}>
            Pick Item
          </Button>
        )}
      </Group>
      <Textarea
        label="Desc."
        withAsterisk
        autosize
        minRows={1}
        maxRows={6}
        value={form.description}
        error={shownError('description')}
        maxLength={1000}
        onChange={(event) => change({ description: event.currentTarget.value })}
        onBlur={() => touch('description')}
      />
      <Group grow align="flex-start">
        <TextInput
          ref={qtyRef}
          label="Qty."
          description={isLocked ? 'Locked to its configuration; unlink the line to change it.' : undefined}
          disabled={isLocked}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          withAsterisk
          inputMode="decimal"
          autoComplete="off"
          value={form.qty}
          error={shownError('qty')}
          onChange={(event) => change({ qty: event.currentTarget.value })}
          onBlur={() => touch('qty')}
        />
        <TextInput label="Unit" disabled value={form.unit} styles={{ input: { color: 'inherit', opacity: 0.8 } }} />
      </Group>
    </>
  );
}

type LineConflictProps = {
  conflict: NonNullable<ReturnType<typeof conflictOf>>;
  patch: LinePatch;
  /** The line as it was when the user began to type. */
  stored: QuoteItem;
  busy: boolean;
  onKeepMine: (theirs: QuoteItem) => void;
  /** `fields` are the fields that both users have changed. */
  onTakeTheirs: (theirs: QuoteItem, fields: readonly string[]) => void;
};

/** Asks the user whose values to keep when another user has changed the same fields of the line. */
function LineConflict({ conflict, patch, stored, busy, onKeepMine, onTakeTheirs }: LineConflictProps) {
  const theirs = conflict.current as QuoteItem;
  const request = clashes({ patch, base: seen(patch, stored) }, conflict.current);
  return (
    <ConflictDialog
      conflict={conflict}
      what={`line ${theirs.lineNo} (${theirs.itemNumber || theirs.description})`}
      rows={request.flatMap((field) => {
        const label = FIELD_WORDS[field];
        const mine = patch[field as keyof LinePatch];
        return label
          ? [{ label, theirs: valueWords(field, theirs[field as keyof QuoteItem]), mine: valueWords(field, mine) }]
          : [];
      })}
      busy={busy}
      onKeepMine={() => onKeepMine(theirs)}
      onTakeTheirs={() => onTakeTheirs(theirs, request)}
    />
  );
}

/** Reads the chosen item: pictures, documents, and its promotions if it is newly picked. */
function useChosenItem(
  itemId: number | null,
  facilityId: number | null | undefined,
): { data?: ItemPrices | undefined; error: Error | null } {
  const query = useQuery({
    ...api(ItemSearch).SearchItemPrices.query({ itemId: itemId ?? 0, facilityId: facilityId ?? null }),
    enabled: itemId !== null,
  });
  return itemId === null ? { error: null } : query;
}
