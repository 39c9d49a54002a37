// Manages the form of one line: its fields as typed, their errors, and their changes to the line.
import { useState } from 'react';
import { isSame, patchBetween } from '#platform/shared/merge.ts';
import { readQuantity } from '#platform/shared/quantity.ts';
import { NO_PRICE, type PriceForm, priceFormOf, pricePatchOf } from './LinePriceFields.tsx';
import type { LinePatch, QuoteItem } from './quote-item.ts';

/** The fields of a line in the form. A custom item has no itemId. */
type LineDraft = Pick<
  QuoteItem,
  'type' | 'itemId' | 'itemNumber' | 'description' | 'qty' | 'unit' | 'notes' | 'active'
>;

const REQUIRED = 'This field is required';

/** The form's fields. A custom item has separate fields, so that toggling the checkbox loses nothing. */
export type Form = {
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

export function lineOf(form: Form): LineDraft {
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

/** Maps fields of a line to form fields with different names. */
const FORM_FIELDS: Record<string, keyof Form> = {
  type: 'custom',
  itemId: 'picked',
  itemNumber: 'customNumber',
  unitPrice: 'price',
  discountPct: 'discount',
  priceReason: 'reason',
};

/** The fields of the line that the user changed. */
export function patchOf(form: Form, start: Form, currnIdx: number): LinePatch {
  return { ...patchBetween(lineOf(start), lineOf(form)), ...pricePatchOf(form, start, form.custom, currnIdx) };
}

/** Returns `form` with the values of `now` in all fields where the user typed nothing. */
function followed(form: Form, start: Form, now: Form): Form {
  const typed = (Object.keys(form) as (keyof Form)[]).filter((field) => !isSame(form[field], start[field]));
  return { ...now, ...Object.fromEntries(typed.map((field) => [field, form[field]])) };
}

export type LineForm = ReturnType<typeof useLineForm>;

/**
 * The form for a line that other users may change at the same time. `item` is the line's current state, or null for a new item. `currnIdx` is the
 * quote's currency.
 */
export function useLineForm(item: QuoteItem | null, currnIdx: number) {
  /** The stored line as it was when the user began to type. Null for a new one. */
  const [stored, setStored] = useState(item);
  const [start, setStart] = useState(() => formOf(item));
  const [form, setForm] = useState(start);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());

  // The line changed on the board, so fields without typed input show the new values.
  const [current, setCurrent] = useState(item);
  if (item !== current) {
    setCurrent(item);
    if (item && stored?.id === item.id) {
      const typed = Object.keys(patchOf(form, start, currnIdx));
      const fields = typed.some((field) => field === 'qty' || field === 'unit') ? [...typed, 'qty', 'unit'] : typed;
      setForm(followed(form, start, formOf(item)));
      setStart(followed(start, form, formOf(item)));
      setStored({ ...item, ...Object.fromEntries(fields.map((field) => [field, stored[field as keyof QuoteItem]])) });
    }
  }
  const errors = errorsOf(form);
  return {
    stored,
    start,
    form,
    errors,
    dirty: !isSame(form, start),
    change: (patch: Partial<Form>) => setForm((before) => ({ ...before, ...patch })),
    touch: (field: string) => setTouched((before) => new Set(before).add(field)),
    touchAll: () => setTouched(new Set(Object.keys(errors))),
    /** Errors are shown after the user has been in the field. */
    shownError: (field: keyof typeof errors) => (touched.has(field) ? errors[field] : undefined),
    /** Starts over with an empty form. */
    clear: () => {
      setStored(null);
      setStart(BLANK);
      setForm(BLANK);
      setTouched(new Set());
    },
    /** Discards the user's values in `fields`, which another user has changed, and continues on top of the line's current state. */
    takeTheirs: (theirs: QuoteItem, fields: readonly string[]) => {
      const now = formOf(theirs);
      const taken = fields.map((field) => FORM_FIELDS[field] ?? (field as keyof Form));
      setStored(theirs);
      setStart(now);
      setForm({ ...followed(form, start, now), ...Object.fromEntries(taken.map((field) => [field, now[field]])) });
    },
  };
}
