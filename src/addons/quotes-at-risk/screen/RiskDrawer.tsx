// The drawer of one quote at risk: its lines, a link to its board, repricing it, and removing a credited one from the list.
import { Anchor, Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { formatDate } from '#platform/shared/dates.ts';
import { formatPrice } from '#platform/shared/money.ts';
import { signedAmount } from '#platform/shared/signed-figures.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { type QuoteRisk, QuoteRisks, type RiskLine } from '../risks.contract.ts';
import { Kinds } from './Kinds.tsx';
import classes from './risks.module.css';

export function RiskDrawer({ quoteId, onClose }: { quoteId: number; onClose: () => void }) {
  const query = useQuery({ ...api(QuoteRisks).GetQuoteRisk.query({ quoteId }), staleTime: 0 });
  return (
    <RecordDrawer title={query.data ? `Quote ${query.data.number}` : 'Quote'} size="lg" onClose={onClose}>
      {query.data ? (
        <OneQuote risk={query.data} onClose={onClose} />
      ) : query.error ? (
        <ErrorAlert error={query.error} title="The quote could not be loaded" onRetry={query.refetch} />
      ) : (
        <Skeleton height={320} aria-label="Loading" />
      )}
    </RecordDrawer>
  );
}

/** Returns a function that reads the quote and the lists again. */
function useReload() {
  const client = useQueryClient();
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey }) => /^\/api\/(Contract|QuoteSearch)\//.test(String(queryKey[0])),
    });
}

function OneQuote({ risk, onClose }: { risk: QuoteRisk; onClose: () => void }) {
  const user = useSession();
  const isWon = risk.lines.some(({ kind }) => kind === 'Rebill');
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Group gap="sm">
          <Text fw={600}>{risk.facilityName}</Text>
          <StatusChip statusId={risk.statusId} />
        </Group>
        <Text size="sm" className="muted tabular">
          Quote date {formatDate(risk.quoteDate)} · valid until {formatDate(risk.validUntil)}
        </Text>
        {user ? (
          <Anchor component={Link} to={boardPath(user, risk.quoteId)} size="sm">
            Open quote
          </Anchor>
        ) : null}
      </Stack>
      {risk.lines.length === 0 ? (
        <Text size="sm">This quote is no longer at risk. Its lines have their quoted prices.</Text>
      ) : (
        <section aria-label="Lines at risk">
          <Group justify="space-between" mb="xs">
            <Title order={3} size="h6">
              {isWon ? 'Credit and rebill' : risk.lines.length === 1 ? '1 line' : `${risk.lines.length} lines`}
            </Title>
            <Text fw={600} className="tabular">
              {signedAmount(risk.difference, risk.currnIdx)}
            </Text>
          </Group>
          <ul className={classes['lines']}>
            {risk.lines.map((line) => (
              <LineAtRisk key={line.lineId} line={line} risk={risk} />
            ))}
          </ul>
        </section>
      )}
      {isWon ? (
        <Settle risk={risk} onDone={onClose} />
      ) : risk.lines.length > 0 ? (
        <Reprice risk={risk} onDone={onClose} />
      ) : null}
    </Stack>
  );
}

type StepProps = { risk: QuoteRisk; onDone: () => void };

function LineAtRisk({ line, risk }: { line: RiskLine; risk: QuoteRisk }) {
  const price = (value: number | null) => (value === null ? 'no price' : formatPrice(value, risk.currnIdx));
  const when =
    line.kind === 'Rebill'
      ? `on ${formatDate(line.day)}, when it was won`
      : line.day <= risk.today
        ? 'today'
        : `from ${formatDate(line.day)}`;
  return (
    <li>
      <Group justify="space-between" wrap="nowrap" align="start" gap="sm">
        <Text size="sm">
          <b className="tabular">
            {line.lineNo}. {line.itemNumber}
          </b>{' '}
          {line.description}
        </Text>
        <Text size="sm" fw={600} className="tabular" style={{ whiteSpace: 'nowrap' }}>
          {line.counts && line.price !== null ? signedAmount(line.difference, risk.currnIdx) : '–'}
        </Text>
      </Group>
      <Group gap={8} my={2}>
        <Kinds kinds={[line.kind]} />
        <Text size="sm" className="tabular">
          {price(line.quoted)} → {price(line.price)} {when} · {line.qty.toLocaleString('en-US')} {line.unit}
        </Text>
      </Group>
      <Text size="xs" className="muted">
        {line.was === line.now ? line.was : [line.was, line.now].filter(Boolean).join(' → ')}
      </Text>
      {line.typed ? (
        <Text size="xs" className="muted">
          The typed price stays. The system price it replaced has changed.
        </Text>
      ) : line.counts ? null : (
        <Text size="xs" className="muted">
          Optional line, not included in the total.
        </Text>
      )}
    </li>
  );
}

/** Reprices a quote in progress with the prices of the first day on which they differ, or of today. */
function Reprice({ risk, onDone }: StepProps) {
  const { quoteId, version, quoteDate, today, day, reprice: refusal } = risk;
  const reload = useReload();
  const date = day !== null && day > today ? day : today;
  const reprice = useMutation({
    mutationFn: () =>
      // A new date changes the prices automatically. With the same date, the quote must be repriced.
      date === quoteDate
        ? api(QuoteEdit).RepriceQuote({ quoteId, version })
        : api(QuoteEdit).SaveSalesRepQuote({ quote: { id: quoteId, version, quoteDate: date } }),
    meta: { blocking: true },
    onSuccess: () => {
      notifications.show({ message: `Quote ${risk.number} now has the prices of ${formatDate(date)}.` });
      onDone();
    },
    // Shows a refusal beside the current state of the quote.
    onSettled: reload,
  });
  const once = useOnce(reprice.mutateAsync);
  return (
    <section aria-label="Reprice">
      <Title order={3} size="h6" mb="xs">
        Reprice
      </Title>
      {refusal ? (
        <Text size="sm" className="muted">
          {refusal}
        </Text>
      ) : (
        <Stack gap="xs">
          <Text size="sm" className="muted">
            Sets the quote date to {formatDate(date)} and updates the lines to the prices of that day. Typed prices
            stay.
          </Text>
          <ErrorAlert error={reprice.error} title="The quote could not be repriced" />
          <Group>
            <Button loading={reprice.isPending} onClick={() => once()}>
              Reprice
            </Button>
          </Group>
        </Stack>
      )}
    </section>
  );
}

function Settle({ risk, onDone }: StepProps) {
  const reload = useReload();
  const [note, setNote] = useState('');
  const settle = useMutation({
    mutationFn: () => api(QuoteRisks).SettleRebill({ quoteId: risk.quoteId, note }),
    meta: { blocking: true },
    onSuccess: async () => {
      notifications.show({ message: `Quote ${risk.number} is marked as credited.` });
      onDone();
      await reload();
    },
  });
  const once = useOnce(settle.mutateAsync);
  return (
    <section aria-label="Mark as credited">
      <Title order={3} size="h6" mb="xs">
        Mark as credited
      </Title>
      {risk.settle ? (
        <Text size="sm" className="muted">
          {risk.settle}
        </Text>
      ) : (
        <Form label="Mark as credited" onSubmit={() => note.trim() && once()}>
          <Stack gap="xs">
            <Text size="sm" className="muted">
              The won quote does not change. Mark it as credited once it is credited and rebilled.
            </Text>
            <TextInput
              label="Note"
              required
              placeholder="Credit memo number"
              maxLength={500}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
            <ErrorAlert error={settle.error} title="The quote could not be marked as credited" />
            <Group justify="flex-end">
              <Button type="submit" loading={settle.isPending} disabled={note.trim() === ''}>
                Mark as credited
              </Button>
            </Group>
          </Stack>
        </Form>
      )}
    </section>
  );
}
