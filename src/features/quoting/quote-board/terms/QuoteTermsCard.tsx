// Terms, dates, contact and messages of the quote, saved field by field.
import { Checkbox, Group, Select, SimpleGrid, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#api/client.web.ts';
import { QuoteEdit } from '#features/quoting/quote-edit/quote-edit.contract.ts';
import { formatDate } from '#shared/dates.ts';
import type { Named } from '#shared/wire.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import classes from '../board.module.css';
import { useBoard } from '../state/board.web.ts';
import { FIELD_WORDS } from '../state/field-words.ts';
import type { QuotePatch } from '../state/save-queue.ts';
import { DateOf, NumberOf, TextOf, WordsOf } from './TermFields.tsx';

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
  const { quote } = board;
  const { editable } = board.data;
  const lookups = useQuery({
    ...api(QuoteEdit).PopulateQuoteEditLookups.query({ facilityId: quote.facilityId }),
    staleTime: 300_000,
  });
  const refused = board.pending.find((entry) => entry.target === 'quote' && entry.state === 'failed');
  const save = (patch: QuotePatch) => board.store.changeQuote(patch);
  const of = <F extends keyof QuotePatch & keyof typeof quote>(field: F) => ({
    label: FIELD_WORDS[field] ?? field,
    value: quote[field],
    onSave: (value: (typeof quote)[F]) => save({ [field]: value }),
  });
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
          {...(refused ? { onClose: () => board.store.queue.drop('quote') } : {})}
        />
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
          <DateOf {...of('quoteDate')} disabled={commercial} />
          <DateOf {...of('validUntil')} disabled={commercial} />
          <TextOf {...of('paymentTerms')} disabled={commercial} options={lookups.data?.paymentTerms} />
          <TextOf {...of('freightTerms')} disabled={commercial} options={lookups.data?.freightTerms} />
          <NumberOf {...of('freightAmount')} disabled={commercial} />
          <NumberOf {...of('taxRate')} disabled={commercial || quote.taxExempt} max={100} />
          <Checkbox
            mt={28}
            label="Tax exempt"
            checked={quote.taxExempt}
            disabled={commercial}
            onChange={(event) => save({ taxExempt: event.currentTarget.checked })}
          />
          <TextOf {...of('customerReference')} disabled={notes} />
          {rep('Sales Rep.', 'salesRepId', lookups.data?.salesReps, quote.salesRep)}
          {rep('Customer Service Rep.', 'csRepId', lookups.data?.csReps, quote.csRep)}
          {rep('Inside Sales Rep.', 'isRepId', lookups.data?.isReps, quote.isRep)}
          <TextOf {...of('poNumber')} disabled={notes} />
          <TextOf
            label="Contact"
            field="contactName"
            value={quote.contactName}
            options={lookups.data?.contacts.map((contact) => contact.name)}
            disabled={notes}
            onSave={(contactName) => {
              const known = lookups.data?.contacts.find((contact) => contact.name === contactName);
              save(known ? { contactName, contactEmail: known.email, phone: known.phone } : { contactName });
            }}
          />
          <TextOf {...of('contactEmail')} disabled={notes} />
          <TextOf {...of('phone')} disabled={notes} />
        </SimpleGrid>
        <Group grow align="start" preventGrowOverflow={false} gap="sm">
          <WordsOf {...of('customerMessage')} disabled={notes} />
          {quote.internalNotes === undefined ? null : (
            <WordsOf {...of('internalNotes')} value={quote.internalNotes} disabled={notes} />
          )}
        </Group>
      </Stack>
    </section>
  );
}
