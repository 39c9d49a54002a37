// Shows the quote's state in the CRM, pushes the quote, and lets the user choose if the CRM finds several records. Hidden without a CRM.
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { type PushKind, QuoteCrm, type QuotePush } from './crm.contract.ts';
import { KIND_LABELS, PUSH_LABELS, PUSH_TONES } from './crm-words.ts';
import { quoteNumber } from '#core/quoting/quotes/status.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { isInternal } from '#platform/shared/roles.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { allSaved, useBoard } from '#core/quoting/quote-board/state/board.web.ts';

const ASK_EVERY = 3_000;
const BUTTONS: Record<PushKind, string> = { Opportunity: 'Push to CRM', Contact: 'Push contact' };

export default function CrmPanel() {
  const { data: board, view } = useBoard();
  const { quote } = board;
  const internal = view === 'internal';
  const query = useQuery({
    ...api(QuoteCrm).GetQuoteCrm.query({ id: quote.id }),
    enabled: internal,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      [data?.opportunity, data?.contact].some((push) => push?.state === 'Waiting') ? ASK_EVERY : false,
  });
  // A change of the quote's status starts a push automatically, whichever user makes it.
  const { refetch } = query;
  const { statusId } = quote;
  useEffect(() => {
    if (internal && statusId) void refetch();
  }, [internal, statusId, refetch]);
  if (!internal) return null;
  if (query.error)
    return <ErrorAlert error={query.error} title="The CRM state could not be loaded" onRetry={query.refetch} />;
  if (!query.data) return null;
  const { connected, opportunity, contact } = query.data;
  if (!connected && !opportunity && !contact) return null;
  return (
    <section className="card" aria-labelledby="crm-title">
      <Stack p="sm" gap="xs">
        <Title order={2} id="crm-title">
          CRM
        </Title>
        <OnePush what="Opportunity" push={opportunity} />
        <OnePush what="Contact" push={contact} />
        <Buttons connected={connected} choose={opportunity?.state === 'Blocked' || contact?.state === 'Blocked'} />
      </Stack>
    </section>
  );
}

function useReadAgain(): () => Promise<void> {
  const queries = useQueryClient();
  const { store } = useBoard();
  return async () => {
    await queries.invalidateQueries({ queryKey: api(QuoteCrm).GetQuoteCrm.key });
    // Reloads the activity, which lists the push.
    await store.reload();
  };
}

/** `choose`: a push waits for the choice shown above, so its refusal needs no separate message. */
function Buttons({ connected, choose }: { connected: boolean; choose: boolean }) {
  const user = useSession();
  const { store } = useBoard();
  const again = useReadAgain();
  const push = useMutation({
    mutationFn: async (what: PushKind) => {
      const { quote } = await allSaved(store);
      const { AddQuoteAsOppotunity, AddQuoteContactToSalesforce } = api(QuoteCrm);
      return what === 'Opportunity'
        ? AddQuoteAsOppotunity({ id: quote.id })
        : AddQuoteContactToSalesforce({ id: quote.id });
    },
    onSettled: again,
  });
  if (!user || !isInternal(user)) return null;
  return (
    <>
      <Group gap="xs">
        {(['Opportunity', 'Contact'] as const).map((what) => (
          <Button
            key={what}
            size="compact-sm"
            variant="default"
            disabled={!connected || (push.isPending && push.variables !== what)}
            loading={push.isPending && push.variables === what}
            aria-describedby={connected ? undefined : 'crm-missing'}
            onClick={() => push.mutate(what)}
          >
            {BUTTONS[what]}
          </Button>
        ))}
      </Group>
      {connected ? null : (
        <Text size="sm" className="muted" id="crm-missing">
          No CRM is connected.
        </Text>
      )}
      <ErrorAlert error={choose ? null : push.error} title="The quote could not be pushed" onClose={push.reset} />
    </>
  );
}

function OnePush({ what, push }: { what: PushKind; push: QuotePush | null }) {
  const { quote } = useBoard().data;
  if (!push) return null;
  const { state, url, crmId, pushedAt, revision, error, nextAt, stage, choices } = push;
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        {crmId && url ? (
          <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm" fw={600}>
            {KIND_LABELS[what]}
          </Anchor>
        ) : (
          <Text size="sm" fw={600}>
            {KIND_LABELS[what]}
          </Text>
        )}
        <Chip tone={PUSH_TONES[state]}>{PUSH_LABELS[state]}</Chip>
      </Group>
      {pushedAt ? (
        <Text size="xs" className="muted">
          {quoteNumber(quote.num, revision)} · {formatInstant(pushedAt)}
        </Text>
      ) : null}
      {stage ? (
        <Text size="sm" className="warning">
          CRM stage: {stage.crm}. Last pushed: {stage.ours}.
        </Text>
      ) : null}
      {error ? (
        <Text size="sm" className="warning" style={{ overflowWrap: 'anywhere' }}>
          {error}
          {nextAt
            ? ` Next attempt: ${formatInstant(nextAt)}.`
            : state === 'Waiting'
              ? ' It will be retried automatically.'
              : ''}
        </Text>
      ) : null}
      {state === 'Blocked' ? <Choices what={what} choices={choices} /> : null}
    </div>
  );
}

/** The CRM does not get a new record until the user chooses among the existing ones. */
function Choices({ what, choices }: { what: PushKind; choices: QuotePush['choices'] }) {
  const user = useSession();
  const { quote } = useBoard().data;
  const again = useReadAgain();
  const pick = useMutation({ ...api(QuoteCrm).PickCrmRecord.mutation(), onSettled: again });
  const mayPick = user !== null && isInternal(user);
  if (choices.length === 0)
    return (
      <Text size="sm">Salesforce did not say which records match. Merge or correct them there, then push again.</Text>
    );
  return (
    <Stack gap={4} mt={4} role="group" aria-label={`Records for the ${KIND_LABELS[what].toLowerCase()}`}>
      {choices.map(({ id, object, name, hint, url }) => (
        <Group key={id} justify="space-between" wrap="nowrap" gap="xs">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Anchor href={url} target="_blank" rel="noopener noreferrer" size="sm">
              {name || `${object} ${id}`}
            </Anchor>
            {hint ? ` · ${hint}` : ''}
          </Text>
          {mayPick ? (
            <Button
              size="compact-xs"
              variant="default"
              disabled={pick.isPending}
              aria-label={`Use this: ${name || id}`}
              onClick={() => pick.mutate({ quoteId: quote.id, what, crmId: id })}
            >
              Use this
            </Button>
          ) : null}
        </Group>
      ))}
      <ErrorAlert error={pick.error} title="The record could not be chosen" />
    </Stack>
  );
}
