// Shows the order of a won quote in the ERP: waiting, sent, its order number, or why the ERP rejected it.
import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '#platform/api/client.web.ts';
import { type QuoteOrder, QuoteOrders } from './order-requests.contract.ts';
import { answerWords, ORDER_LABELS, ORDER_TONES } from './order-words.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useBoard } from '#core/quoting/quote-board/state/board.web.ts';

const ASK_EVERY = 15_000;

export default function OrderPanel() {
  const { quote } = useBoard().data;
  // Only a won quote has an order, or a new revision of a quote that was won and reopened.
  const mayHaveOne = quote.statusId === 'Won' || quote.revision > 1;
  const query = useQuery({
    ...api(QuoteOrders).GetQuoteOrder.query({ id: quote.id }),
    enabled: mayHaveOne,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.order?.state === 'Waiting' || data?.order?.state === 'Sent' ? ASK_EVERY : false,
  });
  if (query.error)
    return <ErrorAlert error={query.error} title="The order could not be loaded" onRetry={query.refetch} />;
  if (!mayHaveOne || !query.data?.order) return null;
  const { order, connected } = query.data;
  return (
    <section className="card" aria-labelledby="order-title">
      <Stack p="sm" gap="xs">
        <Title order={2} id="order-title">
          {order.erpOrderNo ? `Order ${order.erpOrderNo}` : 'Order'}
        </Title>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text size="sm">{quoteNumber(quote.num, order.revision)}</Text>
          <Chip tone={ORDER_TONES[order.state]}>{ORDER_LABELS[order.state]}</Chip>
        </Group>
        <OrderStatus order={order} connected={connected} />
        <AnsweredLines order={order} />
      </Stack>
    </section>
  );
}

function OrderStatus({ order, connected }: { order: QuoteOrder; connected: boolean }) {
  const { state, requestedAt, sentAt, answeredAt, reason, error } = order;
  if (state === 'Acknowledged')
    return (
      <Text size="sm" className="muted">
        Created in the ERP {formatInstant(answeredAt ?? requestedAt)}
      </Text>
    );
  if (state === 'Rejected')
    return (
      <Text size="sm" className="warning" style={{ overflowWrap: 'anywhere' }}>
        Rejected by the ERP {formatInstant(answeredAt ?? requestedAt)}: {reason}
      </Text>
    );
  if (state === 'Withdrawn')
    return (
      <Text size="sm" className="muted">
        The quote was reopened before the ERP received the order.
      </Text>
    );
  if (state === 'Sent')
    return (
      <Text size="sm" className="muted">
        Sent to the ERP {formatInstant(sentAt ?? requestedAt)}. No response yet.
      </Text>
    );
  return (
    <Text size="sm" className={error ? 'warning' : 'muted'} style={{ overflowWrap: 'anywhere' }}>
      {error ||
        (connected
          ? `Waiting for the ERP since ${formatInstant(requestedAt)}.`
          : `No ERP is connected. The order has been waiting since ${formatInstant(requestedAt)}. Connect the ERP, or enter the order there manually.`)}
    </Text>
  );
}

/** The ERP's answers about lines, without lines that it accepted unchanged. */
function AnsweredLines({ order: { lines } }: { order: QuoteOrder }) {
  const changedLines = lines.filter(({ status, shipOn, note }) => status !== 'Accepted' || shipOn || note);
  if (changedLines.length === 0) return null;
  return (
    <Stack gap={2} component="ul" m={0} pl="md">
      {changedLines.map((line) => (
        <Text key={line.lineNo} size="sm" component="li" style={{ overflowWrap: 'anywhere' }}>
          {answerWords(line)}
        </Text>
      ))}
    </Stack>
  );
}
