// The drawer of one quote at risk: its lines, and the steps to take: revise it, extend it, tell the customer, mark it as credited.
import { Anchor, Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { AddressField, wrongAddresses } from '#platform/mail/AddressField.tsx';
import { SubjectAndMessage } from '#platform/mail/SubjectAndMessage.tsx';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { StatusChip } from '#core/quoting/quotes/StatusChip.tsx';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { formatDate, formatInstant, parseDate } from '#platform/shared/dates.ts';
import { readAddresses } from '#platform/shared/mail-addresses.ts';
import { formatPrice } from '#platform/shared/money.ts';
import { signedAmount } from '#platform/shared/signed-figures.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import { RecordDrawer } from '#platform/ui/RecordDrawer.tsx';
import { type QuoteRisk, QuoteRisks, type RiskLine } from '../risks.contract.ts';
import { Kinds } from './Kinds.tsx';
import classes from './risks.module.css';

export function RiskDrawer({ quoteId, onClose }: { quoteId: number; onClose: () => void }) {
  const found = useQuery({ ...api(QuoteRisks).GetQuoteRisk.query({ quoteId }), staleTime: 0 });
  return (
    <RecordDrawer title={found.data ? `Quote ${found.data.number}` : 'Quote'} size="lg" onClose={onClose}>
      {found.data ? (
        <OneQuote key={found.data.version} risk={found.data} />
      ) : found.error ? (
        <ErrorAlert error={found.error} title="The quote could not be loaded" />
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

function OneQuote({ risk }: { risk: QuoteRisk }) {
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
          Dated {formatDate(risk.quoteDate)} · valid until {formatDate(risk.validUntil)}
        </Text>
        {user ? (
          <Anchor component={Link} to={boardPath(user, risk.quoteId)} size="sm">
            Open the quote
          </Anchor>
        ) : null}
      </Stack>
      {risk.lines.length === 0 ? (
        <Text size="sm">This quote is no longer at risk: its lines have the prices they were quoted with.</Text>
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
      {isWon ? <Settle risk={risk} /> : null}
      {risk.lines.length > 0 && !isWon ? (
        <>
          <Revise risk={risk} />
          <Extend risk={risk} />
          <Tell risk={risk} />
        </>
      ) : null}
    </Stack>
  );
}

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
          Its price is typed and stays. The price it was typed against has changed.
        </Text>
      ) : line.counts ? null : (
        <Text size="xs" className="muted">
          An optional line: it changes no total.
        </Text>
      )}
    </li>
  );
}

/** Revises a sent quote. A quote still in progress gets another date, and with it the prices of that day. */
function Revise({ risk }: { risk: QuoteRisk }) {
  const user = useSession();
  const navigate = useNavigate();
  const reload = useReload();
  const later = risk.day !== null && risk.day > risk.today ? risk.day : null;
  const [date, setDate] = useState(later ?? risk.today);
  const isSent = risk.revise === '';
  const label = isSent || risk.extend !== '' ? 'Revise' : 'Reprice';
  const day = parseDate(date);
  // A new date brings its prices. With the same date, the quote must be repriced.
  const take = (version: number) =>
    day === risk.quoteDate
      ? api(QuoteEdit).RepriceQuote({ quoteId: risk.quoteId, version })
      : api(QuoteEdit).SaveSalesRepQuote({ quote: { id: risk.quoteId, version, quoteDate: date } });
  const work = useMutation({
    mutationFn: async () => {
      const { quoteId, version } = risk;
      if (!isSent) {
        await take(version);
        return;
      }
      const { quote } = await api(QuoteWorkflow).PerformWorkflowAction({ quoteId, version, action: 'Revise' });
      // The revision exists even when the server refuses its date. The board then shows the revision as it is.
      await take(quote.version).catch((error: Error) =>
        notifications.show({
          color: 'red',
          autoClose: false,
          message: `The revision keeps its old date and prices: ${error.message}`,
        }),
      );
    },
    meta: { blocking: true },
    onSuccess: async () => {
      await reload();
      if (user) await navigate({ to: boardPath(user, risk.quoteId) });
    },
  });
  const once = useOnce(work.mutateAsync);
  return (
    <section aria-label={label}>
      <Title order={3} size="h6" mb="xs">
        {label}
      </Title>
      {!isSent && risk.extend ? (
        <Text size="sm" className="muted">
          {risk.revise}
        </Text>
      ) : (
        <Form label={label} onSubmit={() => day && once()}>
          <Stack gap="xs">
            <Text size="sm" className="muted">
              {isSent
                ? 'Makes a new revision with the prices of its day. What the customer has stays as it is until you send the new one.'
                : 'Gives the quote a new date, and its lines the prices of that day. Typed prices stay.'}
            </Text>
            <Group align="end" gap="sm">
              <DateField label="Quote date" w={160} value={date} onChange={setDate} />
              <Button type="submit" loading={work.isPending} disabled={!day}>
                {label}
              </Button>
            </Group>
            <ErrorAlert error={work.error} title={isSent ? 'Not revised' : 'Not repriced'} />
          </Stack>
        </Form>
      )}
    </section>
  );
}

function Extend({ risk }: { risk: QuoteRisk }) {
  const reload = useReload();
  const [until, setUntil] = useState(risk.validUntil);
  const extend = useMutation({
    mutationFn: () =>
      api(QuoteEdit).SaveSalesRepQuote({ quote: { id: risk.quoteId, version: risk.version, validUntil: until } }),
    meta: { blocking: true },
    onSuccess: async ({ quote }) => {
      const kept = quote.validUntil === parseDate(until);
      notifications.show({
        message: kept
          ? `The quote is valid until ${formatDate(quote.validUntil)}.`
          : `The quote is valid until ${formatDate(quote.validUntil)}: a price it uses ends then.`,
        ...(kept ? {} : { autoClose: false }),
      });
      await reload();
    },
  });
  const once = useOnce(extend.mutateAsync);
  const day = parseDate(until);
  return (
    <section aria-label="Extend">
      <Title order={3} size="h6" mb="xs">
        Extend
      </Title>
      {risk.extend ? (
        <Text size="sm" className="muted">
          {risk.extend}
        </Text>
      ) : (
        <Form label="Extend" onSubmit={() => day && once()}>
          <Stack gap="xs">
            <Text size="sm" className="muted">
              A quote is valid no longer than the prices it uses.
            </Text>
            <Group align="end" gap="sm">
              <DateField label="Valid until" w={160} value={until} onChange={setUntil} />
              <Button
                type="submit"
                variant="default"
                loading={extend.isPending}
                disabled={!day || day === risk.validUntil}
              >
                Extend
              </Button>
            </Group>
            <ErrorAlert error={extend.error} title="Not extended" />
          </Stack>
        </Form>
      )}
    </section>
  );
}

function Tell({ risk }: { risk: QuoteRisk }) {
  const reload = useReload();
  const [shown, setShown] = useState(false);
  const [to, setTo] = useState(() => readAddresses(risk.mail.to));
  const [subject, setSubject] = useState(risk.mail.subject);
  const [body, setBody] = useState(risk.mail.body);
  const tell = useMutation({
    mutationFn: () => api(QuoteRisks).TellCustomer({ quoteId: risk.quoteId, version: risk.version, to, subject, body }),
    meta: { blocking: true },
    onSuccess: async () => {
      notifications.show({ message: `The email is on its way to ${to.join(', ')}.` });
      await reload();
    },
  });
  const once = useOnce(tell.mutateAsync);
  const ready = to.length > 0 && !wrongAddresses(to) && subject.trim() !== '' && body.trim() !== '';
  return (
    <section aria-label="Tell the customer">
      <Title order={3} size="h6" mb="xs">
        Tell the customer
      </Title>
      {risk.told ? (
        <Text size="sm">
          {risk.told.by} told the customer on {formatInstant(risk.told.at)}.
        </Text>
      ) : risk.tell ? (
        <Text size="sm" className="muted">
          {risk.tell}
        </Text>
      ) : !shown ? (
        <Button variant="default" onClick={() => setShown(true)}>
          Write the email
        </Button>
      ) : (
        <Form label="Email to the customer" onSubmit={() => ready && once()}>
          <Stack gap="sm">
            <AddressField label="To" required value={to} onChange={setTo} />
            <SubjectAndMessage subject={subject} onSubject={setSubject} body={body} onBody={setBody} />
            <Text size="xs" className="muted">
              It goes out once, and the quote’s history says so.
            </Text>
            <ErrorAlert error={tell.error} title="Not sent" />
            <DialogButtons onCancel={() => setShown(false)}>
              <Button type="submit" loading={tell.isPending} disabled={!ready}>
                Send
              </Button>
            </DialogButtons>
          </Stack>
        </Form>
      )}
    </section>
  );
}

function Settle({ risk }: { risk: QuoteRisk }) {
  const reload = useReload();
  const [note, setNote] = useState('');
  const settle = useMutation({
    mutationFn: () => api(QuoteRisks).SettleRebill({ quoteId: risk.quoteId, note }),
    meta: { blocking: true },
    onSuccess: async () => {
      notifications.show({ message: `Quote ${risk.number} is off the list.` });
      await reload();
    },
  });
  const once = useOnce(settle.mutateAsync);
  return (
    <section aria-label="Credited">
      <Title order={3} size="h6" mb="xs">
        Credited
      </Title>
      {risk.settle ? (
        <Text size="sm" className="muted">
          {risk.settle}
        </Text>
      ) : (
        <Form label="Credited" onSubmit={() => note.trim() && once()}>
          <Stack gap="xs">
            <Text size="sm" className="muted">
              The quote stays as it was won. Once it is credited and billed again, say so here.
            </Text>
            <TextInput
              label="Note"
              required
              placeholder="Credit memo number"
              maxLength={500}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
            <ErrorAlert error={settle.error} title="Not saved" />
            <Group justify="flex-end">
              <Button type="submit" loading={settle.isPending} disabled={note.trim() === ''}>
                Credited
              </Button>
            </Group>
          </Stack>
        </Form>
      )}
    </section>
  );
}
