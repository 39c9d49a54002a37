// One line of a quote as a form, 'Add Item' and 'Edit Item' (specification sections 2 and 5), which can switch to the item picker.
import { Alert, Button, Checkbox, CloseButton, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '#api/client.web.ts';
import { firstUnit } from '#features/catalogue/items/ItemMarks.tsx';
import { ItemPickerPanel } from '#features/catalogue/items/ItemPickerPanel.tsx';
import { type ItemHit, type ItemPrices, ItemSearch } from '#features/catalogue/items/items.contract.ts';
import { conflictOf } from '#shared/conflict.ts';
import { isSame, patchBetween } from '#shared/merge.ts';
import { newKey } from '#shared/new-key.ts';
import { readQuantity } from '#shared/quantity.ts';
import { ConflictDialog } from '#ui/ConflictDialog.tsx';
import { DiscardDialog } from '#ui/DiscardDialog.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { useKeys } from '#ui/keys.tsx';
import { later } from '#ui/later.tsx';
import { useUnsaved } from '#ui/unsaved.web.ts';
import {
  LinePriceFields,
  NO_PRICE,
  priceErrorsOf,
  type PriceForm,
  priceFormOf,
  pricePatchOf,
} from './LinePriceFields.tsx';
import type { LineEdit, LinePatch, QuoteItem, QuoteItemInput } from './quote-item.ts';
import { FIELD_WORDS, valueWords } from '../settle/field-words.ts';
import { clashes, seen } from '../settle/quote-merge.ts';

/** Loads when the user opens a line, because a board opens without it. */
const ItemPanel = later(() => import('./ItemPanel.tsx'), {
  loading: <></>,
  failed: 'The pictures and documents of the item could not be loaded.',
});

/** The fields of a line in the form. A custom item has no itemId. */
type LineDraft = Pick<
  QuoteItem,
  'type' | 'itemId' | 'itemNumber' | 'description' | 'qty' | 'unit' | 'notes' | 'active'
>;

type Props = {
  /** The line's current state; null: a new item. */
  item: QuoteItem | null;
  companyName: string;
  /** The facility whose currency decides the promotions of a newly picked item. */
  facilityId?: number | null;
  /** The form has price and discount, too: on a phone no cell of the lines takes them. */
  priced?: boolean;
  /** Saves a new line or changes to a stored one. The form shows a rejection and keeps the typed input. */
  onAdd: (line: QuoteItemInput) => Promise<unknown>;
  onChange: (edit: LineEdit) => Promise<unknown>;
  /** Called after Done. */
  onDone: () => void;
  onClose: () => void;
};

const REQUIRED = 'This field is required';

/** The form's fields. A custom item has its own, so that toggling the checkbox loses nothing. */
type Form = {
  custom: boolean;
  customNumber: string;
  picked: { itemId: number; itemNumber: string } | null;
  description: string;
  /** The text as typed. */
  qty: string;
  unit: string;
  notes: string;
  active: boolean;
} & PriceForm;

const BLANK: Form = {
  custom: false,
  customNumber: '',
  picked: null,
  description: '',
  qty: '',
  unit: '',
  notes: '',
  active: true,
  ...NO_PRICE,
};

function formOf(item: (LineDraft & Partial<QuoteItem>) | null): Form {
  if (!item) return BLANK;
  const { itemId, itemNumber, description, qty, unit, notes, active } = item;
  const custom = itemId === null;
  return {
    custom,
    description,
    qty: String(qty),
    unit,
    notes,
    active,
    ...priceFormOf(item),
    customNumber: custom ? itemNumber : '',
    picked: itemId === null ? null : { itemId, itemNumber },
  };
}

function errorsOf(form: Form): { itemNumber?: string; description?: string; qty?: string } {
  const number = form.custom ? form.customNumber : form.picked?.itemNumber;
  const qty = readQuantity(form.qty).problem;
  return {
    ...(number?.trim() ? {} : { itemNumber: REQUIRED }),
    ...(form.description.trim() ? {} : { description: REQUIRED }),
    ...(qty ? { qty } : {}),
  };
}

function lineOf(form: Form): LineDraft {
  const { custom, description, unit, notes, active } = form;
  return {
    type: custom ? 'custom' : 'item',
    itemId: custom ? null : (form.picked?.itemId ?? null),
    itemNumber: custom ? form.customNumber : (form.picked?.itemNumber ?? ''),
    description,
    qty: readQuantity(form.qty).qty ?? Number.NaN,
    unit,
    notes,
    active,
  };
}

/** Maps fields of a line to the form fields that hold them under another name. */
const FORM_FIELDS: Record<string, keyof Form> = {
  type: 'custom',
  itemId: 'picked',
  itemNumber: 'customNumber',
  unitPrice: 'price',
  discountPct: 'discount',
  priceReason: 'reason',
};

/** The fields of the line that the user changed. */
function patchOf(form: Form, start: Form): LinePatch {
  return { ...patchBetween(lineOf(start), lineOf(form)), ...pricePatchOf(form, start, form.custom) };
}

/** `form` with the values of `now` in all fields where the user typed nothing. */
function followed(form: Form, start: Form, now: Form): Form {
  const typed = (Object.keys(form) as (keyof Form)[]).filter((field) => !isSame(form[field], start[field]));
  return { ...now, ...Object.fromEntries(typed.map((field) => [field, form[field]])) };
}

export function LineItemPanel(props: Props) {
  const { item, companyName, facilityId, priced = false, onAdd, onChange, onDone, onClose } = props;
  /** The stored line as it was when the user began to type; null: a new one. */
  const [stored, setStored] = useState(item);
  const [start, setStart] = useState(() => formOf(item));
  const [form, setForm] = useState(start);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [picking, setPicking] = useState(false);
  const [keyword, setKeyword] = useState('');
  const [saving, setSaving] = useState<'done' | 'next' | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [leaving, setLeaving] = useState(false);
  /** The key of a new line until it is saved. If an answer is lost, pressing Done again adds the line only once. */
  const clientKey = useRef(newKey());
  const first = useRef<HTMLButtonElement>(null);
  const qtyField = useRef<HTMLInputElement>(null);

  // The line changed on the board, so fields without typed input show the new values.
  const [shown, setShown] = useState(item);
  if (item !== shown) {
    setShown(item);
    if (item && stored?.id === item.id) {
      const typed = Object.keys(patchOf(form, start));
      const kept = typed.some((field) => field === 'qty' || field === 'unit') ? [...typed, 'qty', 'unit'] : typed;
      setForm(followed(form, start, formOf(item)));
      setStart(followed(start, form, formOf(item)));
      setStored({ ...item, ...Object.fromEntries(kept.map((field) => [field, stored[field as keyof QuoteItem]])) });
    }
  }

  const errors = errorsOf(form);
  const priceErrors = priceErrorsOf(form, start, form.custom);
  const valid = Object.keys(errors).length + Object.keys(priceErrors).length === 0;
  const dirty = !isSame(form, start);
  useUnsaved(dirty, () => 'The line in the panel is not saved. Press Done or close the panel.');
  const itemId = form.custom ? null : (form.picked?.itemId ?? null);
  const chosen = useChosenItem(itemId, facilityId);
  // The promotions read with the line, or those of a newly picked item.
  const promotions = itemId === null ? [] : stored?.itemId === itemId ? stored.promotions : (chosen?.promotions ?? []);
  const messages = promotions.map(({ message }) => message);
  const conflict = stored && conflictOf(error);
  /** The configuration sets item and quantity until the user unlinks the line. */
  const isLocked = Boolean(stored?.configured?.linked && stored.configured.taken);

  const change = (patch: Partial<Form>) => setForm((before) => ({ ...before, ...patch }));
  const touch = (field: string) => setTouched((before) => new Set(before).add(field));
  const shownError = (field: keyof typeof errors) => (touched.has(field) ? errors[field] : undefined);
  const renew = (line: QuoteItem | null) => {
    setStored(line);
    setStart(formOf(line));
    setForm(formOf(line));
    setTouched(new Set());
  };

  const save = async (then: 'done' | 'next', over = stored) => {
    if (saving) return;
    if (!valid) {
      setTouched(new Set(Object.keys(errors)));
      return;
    }
    setSaving(then);
    setError(null);
    try {
      const patch = patchOf(form, start);
      if (!over)
        await onAdd({ ...lineOf(form), ...pricePatchOf(form, start, form.custom), clientKey: clientKey.current });
      else if (Object.keys(patch).length > 0) await onChange({ id: over.id, patch, start: over });
      // The line is saved now, so a later failure must not save it twice.
      renew(null);
      clientKey.current = newKey();
      if (then === 'done') {
        setKeyword('');
        onDone();
      } else setPicking(true);
    } catch (problem) {
      setError(problem as Error);
    } finally {
      setSaving(null);
    }
  };
  const leave = () => (dirty ? setLeaving(true) : onClose());
  const pick = (hit: ItemHit) => {
    change({
      custom: false,
      picked: { itemId: hit.id, itemNumber: hit.itemNumber },
      description: hit.description,
      // It stands in the form, so that the person sees it.
      unit: firstUnit(hit) || (hit.units[0]?.unit ?? ''),
      qty: form.qty || '1',
    });
    setPicking(false);
    setTimeout(() => {
      qtyField.current?.focus();
      qtyField.current?.select();
    });
  };

  useEffect(() => first.current?.focus(), []);
  useKeys([
    { key: 'mod+Enter', label: 'Done', whileTyping: true, disabled: picking || leaving, run: () => void save('done') },
    { key: 'Escape', label: 'Close the item', whileTyping: true, disabled: picking || leaving, run: leave },
  ]);

  const failure = <ErrorAlert error={conflict ? null : error} title="The item was not saved" />;
  const patch = patchOf(form, start);
  const asked = conflict ? clashes({ patch, base: seen(patch, stored) }, conflict.current) : [];
  const theirs = conflict?.current as QuoteItem | undefined;
  const question =
    conflict && theirs ? (
      <ConflictDialog
        conflict={conflict}
        what={`line ${theirs.lineNo} (${theirs.itemNumber || theirs.description})`}
        rows={asked.flatMap((field) => {
          const label = FIELD_WORDS[field];
          const mine = patch[field as keyof LinePatch];
          return label
            ? [{ label, theirs: valueWords(field, theirs[field as keyof QuoteItem]), mine: valueWords(field, mine) }]
            : [];
        })}
        busy={saving !== null}
        onKeepMine={() => void save('done', theirs)}
        onTakeTheirs={() => {
          const now = formOf(theirs);
          const taken = asked.map((field) => FORM_FIELDS[field] ?? (field as keyof Form));
          setError(null);
          setStored(theirs);
          setStart(now);
          setForm({ ...followed(form, start, now), ...Object.fromEntries(taken.map((field) => [field, now[field]])) });
        }}
      />
    ) : null;

  if (picking) {
    return (
      <div className="card">
        {error ? <div style={{ padding: 12 }}>{failure}</div> : null}
        {question}
        <ItemPickerPanel
          companyName={companyName}
          keyword={keyword}
          onKeyword={setKeyword}
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
      {failure}
      {question}
      {messages.map((message) => (
        <Alert key={message} color="blue" variant="light" p="xs" icon={<IconInfoCircle size={18} />}>
          <Text size="sm">{message}</Text>
        </Alert>
      ))}
      <Checkbox
        label="This is a custom item, I will enter data manually"
        checked={form.custom}
        onChange={(event) => change({ custom: event.currentTarget.checked, unit: form.unit || 'EA' })}
      />
      <Group align="flex-start" gap="xs" wrap="nowrap">
        <TextInput
          label="Item #"
          withAsterisk
          flex={1}
          readOnly={!form.custom}
          value={form.custom ? form.customNumber : (form.picked?.itemNumber ?? '')}
          error={shownError('itemNumber')}
          maxLength={100}
          onChange={(event) => change({ customNumber: event.currentTarget.value })}
          onBlur={() => touch('itemNumber')}
          onDoubleClick={() => (form.custom || isLocked ? undefined : setPicking(true))}
        />
        {form.custom ? null : (
          <Button
            ref={first}
            mt={22}
            variant={form.picked ? 'default' : 'filled'}
            disabled={isLocked}
            onClick={() => setPicking(true)}
          >
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
          ref={qtyField}
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
      {itemId === null ? null : (
        <ItemPanel key={itemId} first={stored?.itemId === itemId ? stored : null} chosen={chosen} />
      )}
      {leaving ? <DiscardDialog onStay={() => setLeaving(false)} onDiscard={onClose} /> : null}
    </Stack>
  );
}

/** Reads the chosen item: pictures, documents, and the promotions if it is newly picked. */
function useChosenItem(itemId: number | null, facilityId: number | null | undefined): ItemPrices | undefined {
  const found = useQuery({
    ...api(ItemSearch).SearchItemPrices.query({ itemId: itemId ?? 0, facilityId: facilityId ?? null }),
    enabled: itemId !== null,
  });
  return itemId === null ? undefined : found.data;
}
