// Terms, dates and messages of the quote as a summary that opens for editing. Contact and representatives are in the rail, amounts in the totals.
import { Button, Checkbox, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { QUOTE_LABELS, QUOTE_TEXTS, type QuoteText } from '#core/quoting/quotes/quote-fields.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import classes from '../board.module.css';
import { useBoard } from '../state/board.web.ts';
import { useQuoteFields } from './quote-fields.web.ts';
import { DateOf, NumberOf, TextOf, WordsOf } from './TermFields.tsx';

const TEXTS = QUOTE_TEXTS.filter((text) => !('ownPlace' in text) || text.ownPlace === 'message');

const isLong = ({ longest }: QuoteText) => longest > 1000;
const isCommercial = (text: QuoteText) => 'commercial' in text;

export function QuoteTermsCard() {
  const board = useBoard();
  const { editable } = board.data;
  const mayEdit = editable.commercial || editable.notes;
  const [isOpen, setOpen] = useState(false);
  const isEditing = isOpen && mayEdit;
  const card = useRef<HTMLElement>(null);
  const refused = board.pending.find((entry) => entry.target === 'quote' && entry.state === 'failed');
  const toggle = () => {
    // Closing the field would lose the refused text.
    const wrong = isEditing ? card.current?.querySelector<HTMLElement>('[aria-invalid="true"]') : null;
    if (wrong) wrong.focus();
    else setOpen(!isOpen);
  };
  return (
    <section className="card" aria-labelledby="terms-title" ref={card}>
      <Stack p="md" gap="sm">
        <Group justify="space-between">
          <Title order={2} id="terms-title">
            Terms
          </Title>
          {mayEdit ? (
            <Button
              className="no-print"
              size="compact-sm"
              variant="default"
              aria-label={isEditing ? 'Done editing terms' : 'Edit terms'}
              aria-expanded={isEditing}
              onClick={toggle}
            >
              {isEditing ? 'Done' : 'Edit'}
            </Button>
          ) : null}
        </Group>
        <ErrorAlert
          error={refused?.error}
          title="The terms could not be saved"
          {...(refused ? { onClose: () => board.store.queue.drop('quote') } : {})}
        />
        {isEditing ? <TermsForm /> : <TermsSummary />}
      </Stack>
    </section>
  );
}

function TermsSummary() {
  const { quote } = useBoard();
  const rows: [label: string, value: string, field: string][] = [
    [QUOTE_LABELS.quoteDate, formatDate(quote.quoteDate), 'quoteDate'],
    [
      QUOTE_LABELS.validUntil,
      quote.endsWithPrice ? `${formatDate(quote.validUntil)} (a price ends then)` : formatDate(quote.validUntil),
      'validUntil',
    ],
    ...TEXTS.map(({ name, label }): [string, string, string] => [label, quote[name] ?? '', name]),
  ];
  const filled = rows.filter(([, value]) => value);
  const empty = rows.filter(([, value]) => !value).map(([label]) => label);
  return (
    <>
      <dl className={classes['facts']}>
        {filled.map(([label, value, field]) => (
          <div key={label} data-shows={field}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {empty.length > 0 ? (
        <Text size="xs" className="muted">
          Not filled in: {empty.join(', ')}
        </Text>
      ) : null}
    </>
  );
}

function TermsForm() {
  const { quote, lookups, save, of, locked } = useQuoteFields();
  const fields = (texts: readonly QuoteText[]) =>
    texts.map((text) => {
      const { name } = text;
      const value = quote[name];
      // The user may not see this field.
      if (value === undefined) return null;
      const Field = isLong(text) ? WordsOf : TextOf;
      const options = name === 'paymentTerms' || name === 'freightTerms' ? lookups?.[name] : undefined;
      return (
        <Field
          key={name}
          {...of(name)}
          value={value}
          disabled={isCommercial(text) ? locked.commercial : locked.notes}
          options={options}
        />
      );
    });
  const lines = TEXTS.filter((text) => !isLong(text));
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm">
        <DateOf {...of('quoteDate')} disabled={locked.commercial} />
        <DateOf {...of('validUntil')} disabled={locked.commercial} />
        {fields(lines.filter(isCommercial))}
        <NumberOf {...of('freightAmount')} disabled={locked.commercial} decimals={2} />
        <NumberOf {...of('taxRate')} disabled={locked.commercial || quote.taxExempt} max={100} />
        <Checkbox
          mt={{ base: 0, xs: 28 }}
          label="Tax exempt"
          checked={quote.taxExempt}
          disabled={locked.commercial}
          onChange={(event) => save({ taxExempt: event.currentTarget.checked })}
        />
        {fields(lines.filter((text) => !isCommercial(text)))}
      </SimpleGrid>
      <Group grow align="start" preventGrowOverflow={false} gap="sm">
        {fields(TEXTS.filter(isLong))}
      </Group>
    </>
  );
}
