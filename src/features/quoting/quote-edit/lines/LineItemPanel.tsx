// One line of a quote in a form: 'Add Item' and 'Edit Item' (specification sections 2 and 5), with the item picker in its place.
import { Alert, Button, Checkbox, CloseButton, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '#api/client.web.ts';
import type { OutputOf } from '#api/endpoint.ts';
import { ItemPickerPanel } from '#features/catalogue/items/ItemPickerPanel.tsx';
import { type ItemHit, ItemSearch } from '#features/catalogue/items/items.contract.ts';
import { newKey } from '#shared/new-key.ts';
import { readQuantity } from '#shared/quantity.ts';
import { DiscardDialog } from '#ui/DiscardDialog.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { useKeys } from '#ui/keys.tsx';
import { useUnsaved } from '#ui/unsaved.web.ts';
import { QuoteEdit, type QuoteItem } from '../quote-edit.contract.ts';
import { editConflictOf } from '../settle/edit-conflict.web.ts';
import { LineConflict } from './LineConflict.tsx';

/** What the form edits; a read line fits as it is. A custom item has no itemId. */
export type LineDraft = Pick<
  QuoteItem,
  'id' | 'type' | 'itemId' | 'itemNumber' | 'description' | 'qty' | 'unit' | 'notes' | 'active' | 'promotions'
> & { version?: number };

type Props = {
  /** null: a new item. */
  item: LineDraft | null;
  /** The quote it is saved to; none: the item is only handed over. */
  quoteId?: number | undefined;
  companyName: string;
  /** Whose currency promotions are told in, for a newly picked item. */
  facilityId?: number | null;
  /** After each save on the server. */
  onSaved?: (answer: OutputOf<typeof QuoteEdit.SaveQuoteItem>) => unknown;
  /** An item without a quote, after either button. */
  onHandOver?: (item: LineDraft) => void;
  /** After Done. */
  onDone: () => void;
  onClose: () => void;
  /** Reads the quote anew, after 'Done and Pick Next'. */
  reload: () => Promise<unknown>;
};

const REQUIRED = 'This field is required';

/** The form's fields: those of a custom item are kept apart, so that trying the checkbox loses nothing. */
type Form = {
  id: number;
  version: number | undefined;
  custom: boolean;
  customNumber: string;
  picked: { itemId: number; itemNumber: string } | null;
  description: string;
  /** As it is typed. */
  qty: string;
  unit: string;
  notes: string;
  active: boolean;
};

const BLANK: Form = {
  id: 0,
  version: undefined,
  custom: false,
  customNumber: '',
  picked: null,
  description: '',
  qty: '',
  unit: '',
  notes: '',
  active: true,
};

function formOf(item: LineDraft | null): Form {
  if (!item) return BLANK;
  const { id, itemId, itemNumber, description, qty, unit, notes, active, version } = item;
  const custom = id > 0 && itemId === null;
  return {
    id,
    version,
    custom,
    description,
    qty: String(qty),
    unit,
    notes,
    active,
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

function lineOf(form: Form): Omit<LineDraft, 'promotions'> {
  const { id, version, custom, description, unit, notes, active } = form;
  return {
    id,
    ...(version === undefined ? {} : { version }),
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

export function LineItemPanel(props: Props) {
  const { item, quoteId, companyName, facilityId, onSaved, onHandOver, onDone, onClose, reload } = props;
  const [start, setStart] = useState(() => formOf(item));
  const [form, setForm] = useState(start);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [picking, setPicking] = useState(false);
  const [keyword, setKeyword] = useState('');
  const [saving, setSaving] = useState<'done' | 'next' | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [leaving, setLeaving] = useState(false);
  /** Of a new line, until it is saved: pressing Done again after a lost answer adds it once. */
  const clientKey = useRef(newKey());
  const first = useRef<HTMLButtonElement>(null);
  const qtyField = useRef<HTMLInputElement>(null);

  const errors = errorsOf(form);
  const valid = Object.keys(errors).length === 0;
  const dirty = JSON.stringify(form) !== JSON.stringify(start);
  useUnsaved(dirty);
  const messages = usePromotionMessages(form, item, facilityId);
  const conflict = editConflictOf(error);

  const change = (patch: Partial<Form>) => setForm((before) => ({ ...before, ...patch }));
  const touch = (field: string) => setTouched((before) => new Set(before).add(field));
  const shownError = (field: keyof typeof errors) => (touched.has(field) ? errors[field] : undefined);
  const renew = (next: Form) => {
    setStart(next);
    setForm(next);
    setTouched(new Set());
  };

  const save = async (then: 'done' | 'next', version = form.version) => {
    if (saving) return;
    if (!valid) {
      setTouched(new Set(Object.keys(errors)));
      return;
    }
    setSaving(then);
    setError(null);
    try {
      const line = lineOf({ ...form, version });
      if (quoteId) onSaved?.(await api(QuoteEdit).SaveQuoteItem({ ...line, clientKey: clientKey.current, quoteId }));
      else onHandOver?.({ ...line, promotions: [] });
      // From here on it is saved: whatever fails later must not save it twice.
      renew(BLANK);
      clientKey.current = newKey();
      if (then === 'done') {
        setKeyword('');
        onDone();
      } else {
        setPicking(true);
        await reload();
      }
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
      unit: hit.units[0]?.unit ?? '',
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

  const failure = conflict ? (
    <LineConflict
      message={error?.message ?? ''}
      mine={lineOf(form)}
      stored={conflict.item}
      onKeepMine={(version) => void save('done', version)}
      onTakeTheirs={(theirs) => {
        setError(null);
        renew(formOf(theirs));
      }}
    />
  ) : (
    <ErrorAlert error={error} title={valid || dirty ? 'The item was not saved' : 'The quote could not be read anew'} />
  );

  if (picking) {
    return (
      <div className="card">
        {error ? <div style={{ padding: 12 }}>{failure}</div> : null}
        <ItemPickerPanel
          companyName={companyName}
          keyword={keyword}
          onKeyword={setKeyword}
          onPick={pick}
          onClose={() => setPicking(false)}
        />
      </div>
    );
  }
  return (
    <Stack className="card" gap="sm" p="md" component="section" aria-label={form.id ? 'Edit Item' : 'Add Item'}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2}>{form.id ? 'Edit Item' : 'Add Item'}</Title>
        <CloseButton aria-label="Close" onClick={leave} />
      </Group>
      {failure}
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
          onDoubleClick={() => (form.custom ? undefined : setPicking(true))}
        />
        {form.custom ? null : (
          <Button ref={first} mt={22} variant={form.picked ? 'default' : 'filled'} onClick={() => setPicking(true)}>
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
      <Textarea
        label="Internal Notes"
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
      {leaving ? <DiscardDialog onStay={() => setLeaving(false)} onDiscard={onClose} /> : null}
    </Stack>
  );
}

/** What the promotions of the item say: those read with the line, or, once another item is picked, its own. */
function usePromotionMessages(form: Form, item: LineDraft | null, facilityId: number | null | undefined): string[] {
  const itemId = form.custom ? null : (form.picked?.itemId ?? null);
  const isStored = item !== null && item.id === form.id && item.itemId === itemId;
  const found = useQuery({
    ...api(ItemSearch).SearchItemPrices.query({ itemId: itemId ?? 0, facilityId: facilityId ?? null }),
    enabled: itemId !== null && !isStored,
  });
  if (itemId === null) return [];
  return (isStored ? item.promotions : (found.data?.promotions ?? [])).map(({ message }) => message);
}
