// Terms, dates, contact and words of the quote, saved field by field.
import {
  Autocomplete,
  Checkbox,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.web.ts';
import { QuoteEdit } from '#features/quote-edit/quote-edit.contract.ts';
import { formatDate, parseDate } from '#shared/dates.ts';
import type { Named } from '#shared/wire.ts';
import { DateField } from '#ui/DateField.tsx';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import classes from './board.module.css';
import { useBoard } from './board.web.ts';
import type { QuotePatch } from './save-queue.ts';

export function QuoteTermsCard() {
  const { editable } = useBoard().data;
  return editable.commercial || editable.notes ? <TermsForm /> : <TermsText />;
}

/** The terms of a quote that cannot be edited, as text. */
function TermsText() {
  const { quote } = useBoard().data;
  const rows: [string, string][] = [
    ['Quote Date', formatDate(quote.quoteDate)],
    ['Valid to', formatDate(quote.validUntil)],
    ['Payment terms', quote.paymentTerms],
    ['Freight terms', quote.freightTerms],
    ['Customer reference', quote.customerReference],
    ['PO number', quote.poNumber],
    ['Contact', [quote.contactName, quote.contactEmail, quote.phone].filter(Boolean).join(' · ')],
    ['Message to the customer', quote.customerMessage],
    ['Internal notes', quote.internalNotes ?? ''],
  ];
  return (
    <section className="card" aria-labelledby="terms-title">
      <Stack p="md" gap="sm">
        <Title order={2} id="terms-title">
          Terms
        </Title>
        <dl className={classes['facts']}>
          {rows
            .filter(([, value]) => value)
            .map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
      </Stack>
    </section>
  );
}

function TermsForm() {
  const board = useBoard();
  const { editable } = board.data;
  const unsaved = board.pending.filter((entry) => entry.target === 'quote').map((entry) => entry.patch as QuotePatch);
  // What is on its way, or was refused, stays in its field.
  const quote: typeof board.data.quote & QuotePatch = Object.assign({}, board.data.quote, ...unsaved);
  const lookups = useQuery({
    ...api(QuoteEdit).PopulateQuoteEditLookups.query({ facilityId: quote.facilityId }),
    staleTime: 300_000,
  });
  const refused = board.pending.find((entry) => entry.target === 'quote' && entry.state === 'failed');
  const save = (patch: QuotePatch) => board.changeQuote(patch);
  const commercial = !editable.commercial;
  const notes = !editable.notes;
  const choices = (list: Named[] | undefined, current: { id: number | null; name: string }) => {
    const all = (list ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
    if (current.id !== null && !all.some((one) => one.value === String(current.id)))
      all.push({ value: String(current.id), label: current.name });
    return all;
  };
  const rep = (
    label: string,
    field: 'salesRepId' | 'csRepId' | 'isRepId',
    list: Named[] | undefined,
    current: { id: number | null; name: string },
  ) => (
    <Select
      label={label}
      searchable
      disabled={commercial}
      data={choices(list, current)}
      value={quote[field] ? String(quote[field]) : null}
      onChange={(id) => save({ [field]: id === null ? null : Number(id) })}
    />
  );
  return (
    <section className="card" aria-labelledby="terms-title">
      <Stack p="md" gap="sm">
        <Title order={2} id="terms-title">
          Terms
        </Title>
        <ErrorAlert
          error={refused?.error}
          title="Not saved"
          {...(refused ? { onClose: () => board.queue.drop('quote') } : {})}
        />
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
          <DateOf
            label="Quote Date"
            value={quote.quoteDate}
            disabled={commercial}
            onSave={(quoteDate) => save({ quoteDate })}
          />
          <DateOf
            label="Valid to"
            value={quote.validUntil}
            disabled={commercial}
            onSave={(validUntil) => save({ validUntil })}
          />
          <TextOf
            label="Payment terms"
            value={quote.paymentTerms}
            options={lookups.data?.paymentTerms}
            disabled={commercial}
            onSave={(paymentTerms) => save({ paymentTerms })}
          />
          <TextOf
            label="Freight terms"
            value={quote.freightTerms}
            options={lookups.data?.freightTerms}
            disabled={commercial}
            onSave={(freightTerms) => save({ freightTerms })}
          />
          <NumberOf
            label="Freight"
            value={quote.freightAmount}
            disabled={commercial}
            onSave={(freightAmount) => save({ freightAmount })}
          />
          <NumberOf
            label="Tax rate, %"
            value={quote.taxRate}
            max={100}
            disabled={commercial || quote.taxExempt}
            onSave={(taxRate) => save({ taxRate })}
          />
          <Checkbox
            mt={28}
            label="Tax exempt"
            checked={quote.taxExempt}
            disabled={commercial}
            onChange={(event) => save({ taxExempt: event.currentTarget.checked })}
          />
          <TextOf
            label="Customer reference"
            value={quote.customerReference}
            disabled={notes}
            onSave={(customerReference) => save({ customerReference })}
          />
          {rep('Sales Rep.', 'salesRepId', lookups.data?.salesReps, quote.salesRep)}
          {rep('Customer Service Rep.', 'csRepId', lookups.data?.csReps, quote.csRep)}
          {rep('Inside Sales Rep.', 'isRepId', lookups.data?.isReps, quote.isRep)}
          <TextOf label="PO number" value={quote.poNumber} disabled={notes} onSave={(poNumber) => save({ poNumber })} />
          <TextOf
            label="Contact"
            value={quote.contactName}
            options={lookups.data?.contacts.map((contact) => contact.name)}
            disabled={notes}
            onSave={(contactName) => {
              const known = lookups.data?.contacts.find((contact) => contact.name === contactName);
              save(known ? { contactName, contactEmail: known.email, phone: known.phone } : { contactName });
            }}
          />
          <TextOf
            label="E-mail"
            value={quote.contactEmail}
            disabled={notes}
            onSave={(contactEmail) => save({ contactEmail })}
          />
          <TextOf label="Phone" value={quote.phone} disabled={notes} onSave={(phone) => save({ phone })} />
        </SimpleGrid>
        <Group grow align="start" preventGrowOverflow={false} gap="sm">
          <WordsOf
            label="Message to the customer"
            value={quote.customerMessage}
            disabled={notes}
            onSave={(customerMessage) => save({ customerMessage })}
          />
          {quote.internalNotes === undefined ? null : (
            <WordsOf
              label="Internal notes"
              value={quote.internalNotes}
              disabled={notes}
              onSave={(internalNotes) => save({ internalNotes })}
            />
          )}
        </Group>
      </Stack>
    </section>
  );
}

type FieldProps<T> = { label: string; value: T; disabled: boolean; onSave: (value: T) => void };

/** What is being typed until it is saved on leaving the field; the saved value when nothing is. */
function useTyped<T>(value: T, onSave: (value: T) => void) {
  const [typed, setTyped] = useState<T | null>(null);
  return {
    shown: typed ?? value,
    setTyped,
    commit: (next = typed) => {
      setTyped(null);
      if (next !== null && next !== value) onSave(next);
    },
  };
}

function TextOf({ label, value, disabled, options, onSave }: FieldProps<string> & { options?: string[] | undefined }) {
  const { shown, setTyped, commit } = useTyped(value, onSave);
  if (options) {
    return (
      <Autocomplete
        label={label}
        disabled={disabled}
        data={[...new Set(options.filter(Boolean))]}
        value={shown}
        maxLength={200}
        onChange={setTyped}
        onOptionSubmit={(chosen) => commit(chosen)}
        onBlur={() => commit()}
      />
    );
  }
  return (
    <TextInput
      label={label}
      disabled={disabled}
      value={shown}
      maxLength={320}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => commit()}
    />
  );
}

function WordsOf({ label, value, disabled, onSave }: FieldProps<string>) {
  const { shown, setTyped, commit } = useTyped(value, onSave);
  return (
    <Textarea
      label={label}
      disabled={disabled}
      autosize
      minRows={3}
      maxRows={12}
      maxLength={5000}
      miw={260}
      value={shown}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => commit()}
    />
  );
}

function NumberOf({ label, value, disabled, max, onSave }: FieldProps<number> & { max?: number }) {
  const { shown, setTyped, commit } = useTyped<number>(value, onSave);
  return (
    <NumberInput
      label={label}
      disabled={disabled}
      min={0}
      {...(max === undefined ? {} : { max })}
      decimalScale={4}
      value={shown}
      onChange={(next) => setTyped(next === '' ? 0 : Number(next))}
      onBlur={() => commit()}
    />
  );
}

function DateOf({ label, value, disabled, onSave }: FieldProps<string>) {
  const { shown, setTyped, commit } = useTyped(value, onSave);
  return (
    <DateField
      label={label}
      disabled={disabled}
      value={shown}
      onChange={(next) => {
        setTyped(next);
        // A day picked in the calendar is meant; a typed one is when the field is left.
        if (parseDate(next) && document.activeElement?.tagName !== 'INPUT') commit(next);
      }}
      onBlur={() => {
        if (parseDate(shown)) commit();
      }}
    />
  );
}
