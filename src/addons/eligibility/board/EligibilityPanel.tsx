// The eligibility requests that the quote waits for, and the button for another one. Hidden without a request.
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { Eligibility, type QuoteRequest } from '../eligibility.contract.ts';
import { tierOfContract } from '../request-words.ts';
import { RequestStateChip } from '../RequestStateChip.tsx';
import { QuoteEdit } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import type { BoardPanelProps } from '#core/quoting/quote-board/doors.web.ts';
import { allSaved, useBoard } from '#core/quoting/quote-board/state/board.web.ts';
import { useMayRequest } from '#core/quoting/quote-board/side-panels/may-request.web.ts';

export default function EligibilityPanel({ onRequest }: BoardPanelProps) {
  const session = useSession();
  const { quote } = useBoard().data;
  const sees = session?.gpoTabHidden === false;
  const query = api(Eligibility).OfQuote.query({ quoteId: quote.id });
  const { data, error } = useQuery({
    ...query,
    queryKey: [...query.queryKey, quote.version],
    enabled: sees,
    placeholderData: keepPreviousData,
  });
  const mayAsk = useMayRequest();
  if (!sees) return null;
  if (error) return <ErrorAlert error={error} title="The eligibility requests could not be loaded" />;
  // The first request is made from the menu of the lines.
  if (!data || data.length === 0) return null;
  return (
    <section className="card" aria-labelledby="eligibility-title">
      <Stack p="sm" gap="xs">
        <Group justify="space-between">
          <Title order={2} id="eligibility-title">
            Eligibility
          </Title>
          {mayAsk ? (
            <Button size="compact-xs" variant="subtle" onClick={() => onRequest({})}>
              Request…
            </Button>
          ) : null}
        </Group>
        {data.map((request) => (
          <OneRequest key={request.id} request={request} mayLeave={mayAsk} />
        ))}
      </Stack>
    </section>
  );
}

function OneRequest({ request, mayLeave }: { request: QuoteRequest; mayLeave: boolean }) {
  const { state, decided, waitsFor, stateAt, reason } = request;
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="start">
        <Anchor component={Link} to={paths.eligibilityRequest(request.id)} size="sm" fw={600}>
          {tierOfContract(request)}
        </Anchor>
        <RequestStateChip state={state} />
      </Group>
      <Text size="xs" className="muted">
        {[
          decided ? `${decided.tierName} from ${formatDate(decided.firmFrom)}` : '',
          waitsFor ? `waiting on ${waitsFor}` : '',
          `since ${formatDate(stateAt)}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {reason ? (
        <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
          “{reason}”
        </Text>
      ) : null}
      {request.shared && mayLeave ? <Leave request={request} /> : null}
      {request.leftOver ? <LeftOver request={request} /> : null}
    </div>
  );
}

/** Lets this quote leave a request that other quotes also wait for, without withdrawing the request. */
function Leave({ request }: { request: QuoteRequest }) {
  const { store } = useBoard();
  const [asking, setAsking] = useState(false);
  const leave = useMutation({
    mutationFn: async () => {
      const { quote } = await allSaved(store);
      return api(Eligibility).Leave({ id: request.id, quoteId: quote.id, version: quote.version });
    },
    onSuccess: async ({ repriced }) => {
      setAsking(false);
      await store.reload();
      const prices = repriced ? ' Its lines were repriced without the request.' : '';
      notifications.show({ message: `This quote no longer waits for ${tierOfContract(request)}.${prices}` });
    },
    onError: () => store.reload(),
  });
  return (
    <>
      <Button size="compact-xs" variant="subtle" ml={-8} onClick={() => setAsking(true)}>
        Stop waiting…
      </Button>
      {asking ? (
        <ConfirmDialog
          title="Stop waiting for this request?"
          action="Stop waiting"
          busy={leave.isPending}
          error={leave.error}
          onConfirm={() => leave.mutate()}
          onClose={() => setAsking(false)}
        >
          <Text size="sm">
            This quote no longer waits for {tierOfContract(request)}. Lines with the requested price are repriced
            without it. The request stays open for the other quotes.
          </Text>
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** Lines whose price depends on a request that was not approved, or was approved with another price. Repricing updates them to the current price. */
function LeftOver({ request: { id: requestId, state } }: { request: QuoteRequest }) {
  const approved = state === 'Approved';
  const { data, store } = useBoard();
  const reprice = useMutation({
    mutationFn: async () => {
      const { quote, items } = await allSaved(store);
      const itemIds = items.filter(({ fallback }) => fallback?.requestId === requestId).map(({ id }) => id);
      return api(QuoteEdit).RepriceQuote({ quoteId: quote.id, version: quote.version, itemIds });
    },
    onSuccess: async () => {
      await store.reload();
      notifications.show({
        message: approved ? 'The lines now have the current prices.' : 'The lines were repriced without the request.',
      });
    },
    onError: () => store.reload(),
  });
  return (
    <Stack gap={4} mt={4} align="flex-start">
      <Text size="xs">
        {approved ? 'Some lines do not have the approved price.' : 'Some lines still have the requested price.'}
      </Text>
      {data.editable.commercial ? (
        <Button size="compact-xs" variant="default" loading={reprice.isPending} onClick={() => reprice.mutate()}>
          {approved ? 'Reprice' : 'Reprice without request'}
        </Button>
      ) : null}
      <ErrorAlert error={reprice.error} title="The quote could not be repriced" />
    </Stack>
  );
}
