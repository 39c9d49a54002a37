// The mostly prefilled fields of a new quote: how to reach the contact, our representatives, the dates.
import { Select, TextInput } from '@mantine/core';
import { QUOTE_LABELS } from '#core/quoting/quotes/quote-fields.ts';
import type { Named } from '#platform/shared/wire.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { pasteAddress } from '#platform/ui/paste-address.web.ts';
import type { Chosen, Errors, Fields, People } from './new-quote-fields.ts';

type Props = {
  fields: Fields;
  errors: Errors;
  people: People | undefined;
  set: (patch: Chosen) => void;
};

export function PeopleAndDates({ fields, errors, people, set }: Props) {
  return (
    <>
      <TextInput
        label={QUOTE_LABELS.contactEmail}
        type="email"
        onPaste={pasteAddress}
        value={fields.contactEmail}
        error={errors['contactEmail']}
        maxLength={320}
        onChange={(event) => set({ contactEmail: event.currentTarget.value })}
      />
      <TextInput
        label={QUOTE_LABELS.phone}
        type="tel"
        value={fields.phone}
        error={errors['phone']}
        maxLength={40}
        onChange={(event) => set({ phone: event.currentTarget.value })}
      />
      <RepSelect
        label={QUOTE_LABELS.salesRepId}
        people={people?.salesReps}
        value={fields.salesRepId}
        error={errors['salesRepId']}
        onChange={(salesRepId) => set({ salesRepId })}
      />
      <RepSelect
        label={QUOTE_LABELS.csRepId}
        people={people?.csReps}
        value={fields.csRepId}
        error={errors['csRepId']}
        onChange={(csRepId) => set({ csRepId })}
      />
      <RepSelect
        label={QUOTE_LABELS.isRepId}
        people={people?.isReps}
        value={fields.isRepId}
        error={errors['isRepId']}
        onChange={(isRepId) => set({ isRepId })}
      />
      <DateField
        label={QUOTE_LABELS.quoteDate}
        value={fields.quoteDate}
        error={errors['quoteDate']}
        onChange={(quoteDate) => set({ quoteDate })}
      />
      <DateField
        label={QUOTE_LABELS.validUntil}
        value={fields.validUntil}
        error={errors['validUntil']}
        onChange={(validUntil) => set({ validUntil })}
      />
    </>
  );
}

type RepSelectProps = {
  label: string;
  people: Named[] | undefined;
  value: number | null | undefined;
  error: string | undefined;
  onChange: (id: number | null) => void;
};

function RepSelect({ label, people = [], value, error, onChange }: RepSelectProps) {
  return (
    <Select
      label={label}
      placeholder="Unassigned"
      clearable
      searchable
      data={people.map((person) => ({ value: String(person.id), label: person.name }))}
      value={value ? String(value) : null}
      error={error}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  );
}
