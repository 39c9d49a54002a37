// The page of one eligibility request: its content, what each decision means in money, the steps, the letter of commitment, the history.
import { Alert, Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { keepsContracts } from '#core/prices/contracts/sight/contract-roles.ts';
import { Letters } from '#core/prices/letters-and-rosters/letters/letters.contract.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { formatDate, formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { Card } from '#platform/ui/Card.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { PageTitle } from '#platform/ui/PageTitle.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { Eligibility, type RequestDetail } from '../eligibility.contract.ts';
import { RequestStateChip } from '../RequestStateChip.tsx';
import { tierOfContract } from '../request-words.ts';
import { MoneyTable } from './MoneyTable.tsx';
import { StepDialog } from './StepDialog.tsx';

export default function RequestPage() {
  const { id } = useParams({ strict: false });
  const query = useQuery({ ...api(Eligibility).Get.query({ id: Number(id) }), staleTime: 0 });
  return (
    <Stack p={{ base: 0, sm: 'md' }} gap="md">
      <Anchor component={Link} to={paths.eligibility} size="sm" px={{ base: 'md', sm: 0 }} pt={{ base: 'sm', sm: 0 }}>
        ‹ Eligibility
      </Anchor>
      <PageTitle>{query.data ? `Request for ${tierOfContract(query.data.request)}` : 'Eligibility request'}</PageTitle>
      {query.data ? (
        <OneRequest key={query.data.request.id} detail={query.data} />
      ) : query.error ? (
        <ErrorAlert error={query.error} title="The request could not be loaded">
          <Button mt="xs" size="xs" variant="default" onClick={() => void query.refetch()}>
            Try again
          </Button>
        </ErrorAlert>
      ) : (
        <Skeleton height={320} radius="sm" aria-label="Loading" />
      )}
    </Stack>
  );
}

/** Steps that never get the filled button. */
const HARMFUL = ['Reject', 'Withdraw', 'Revoke'];

function OneRequest({ detail }: { detail: RequestDetail }) {
  const { request, allowedActions } = detail;
  // Keeps the action, so that the dialog stays open after another user's step and shows what is possible now.
  const [open, setOpen] = useState<RequestDetail['allowedActions'][number] | null>(null);
  const primary =
    allowedActions.find(({ action }) => action === 'Approve') ??
    allowedActions.find(({ action }) => !HARMFUL.includes(action));
  useKeys(primary ? [{ key: 's', label: primary.label, disabled: open !== null, run: () => setOpen(primary) }] : []);
  const user = useSession();
  return (
    <>
      <Group justify="space-between" align="start" gap="sm" px={{ base: 'md', sm: 0 }}>
        <Stack gap={2}>
          <Group gap="sm">
            <Title order={1}>{request.facility.name}</Title>
            <RequestStateChip state={request.state} />
            {request.overdue ? (
              <Text size="sm" c="red" fw={600}>
                Overdue: {countOf(request.days, 'day')}
              </Text>
            ) : null}
          </Group>
          <Text>
            {tierOfContract(request)}, from {formatDate(request.wantedFrom)}
          </Text>
        </Stack>
        <Group gap="xs">
          {allowedActions.map((step) => (
            <Button
              key={step.action}
              variant={step === primary ? 'filled' : HARMFUL.includes(step.action) ? 'outline' : 'default'}
              {...(HARMFUL.includes(step.action) ? { color: 'red' } : {})}
              onClick={() => setOpen(step)}
            >
              {step.label}
            </Button>
          ))}
        </Group>
      </Group>
      {detail.needsMembershipIn ? (
        <Alert color="orange" mx={{ base: 'md', sm: 0 }}>
          <Text size="sm">
            {request.facility.name} has no primary membership in {detail.needsMembershipIn} on{' '}
            {formatDate(request.wantedFrom)}, so no price of this contract would apply.{' '}
            <Anchor component={Link} to={paths.facility(request.facility.id)} size="sm">
              Open facility
            </Anchor>
          </Text>
        </Alert>
      ) : null}
      <Card title="Request details">
        <Facts detail={detail} />
      </Card>
      <Card title="Price impact">
        <MoneyTable detail={detail} />
      </Card>
      {detail.tiers.find(({ id }) => id === (request.decided?.tierId ?? request.tier.id))?.needsLoc ? (
        <Card title="Letter of commitment">
          <LetterPart detail={detail} keeps={user !== null && keepsContracts(user)} />
        </Card>
      ) : null}
      <Card title="History">
        <History events={detail.history} />
      </Card>
      {open ? <StepDialog step={open} detail={detail} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function Facts({ detail }: { detail: RequestDetail }) {
  const { request, place } = detail;
  const { facility, contract, decided } = request;
  const tier = detail.tiers.find(({ id }) => id === request.tier.id);
  const facts: [string, ReactNode][] = [
    [
      'Contract',
      <Anchor key="contract" component={Link} to={paths.contract(contract.id)} size="sm">
        {[contract.number, contract.title].filter(Boolean).join(' · ')}
      </Anchor>,
    ],
    ['GPO', contract.gpo || 'Local agreement'],
    ['Tier', [request.tier.name, tier?.requirement].filter(Boolean).join(': ')],
    [
      'Facility',
      <span key="facility">
        {facility.name}, {facility.city} {facility.state} ({facility.acctNo})
      </span>,
    ],
    ['Roster status', place],
    ['Requested by', `${request.requestedBy.name}, ${formatInstant(request.requestedAt)}`],
    ['Waiting on', request.waitsFor],
    ['Note', request.note],
    ['Approved', decided ? `${decided.tierName} from ${formatDate(decided.firmFrom)}` : ''],
    ['Last comment', request.reason],
  ];
  return (
    <Stack gap={6} component="dl" m={0}>
      {facts
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <Group key={label} gap="sm" wrap="nowrap" align="start">
            <Text component="dt" size="sm" className="muted" w={90} flex="none">
              {label}
            </Text>
            <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
              {value}
            </Text>
          </Group>
        ))}
    </Stack>
  );
}

/** The letter to sign. Users who may edit contracts can write one here. */
function LetterPart({ detail, keeps }: { detail: RequestDetail; keeps: boolean }) {
  const { request, letter } = detail;
  const print = useMutation({ ...api(Letters).GetLocPdf.mutation(), onSuccess: saveFile });
  const write = useMutation({
    mutationFn: () =>
      api(Letters).SaveLoc({
        id: 0,
        contractId: request.contract.id,
        facilityId: request.facility.id,
        tierId: request.tier.id,
        state: 'Sent',
        from: request.wantedFrom,
      }),
    onSuccess: (saved) => print.mutate({ id: saved.id }),
  });
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">
        {letter
          ? `The letter is ${letter.state.toLowerCase()}${letter.signer ? `, signed by ${letter.signer}` : ''}.`
          : 'No letter exists for this tier yet. The contract department can create one now for signature, or when it approves the request.'}
      </Text>
      <Group gap="xs">
        {letter ? (
          <Button
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={print.isPending}
            onClick={() => print.mutate({ id: letter.id })}
          >
            Letter to sign (PDF)
          </Button>
        ) : keeps ? (
          <Button variant="default" loading={write.isPending} onClick={() => write.mutate()}>
            Create letter for signature
          </Button>
        ) : null}
        <Button
          component={Link}
          to={paths.contract(request.contract.id)}
          search={{ tab: 'letters', keyword: request.facility.name } as never}
          variant="subtle"
        >
          View contract letters
        </Button>
      </Group>
      <ErrorAlert error={print.error} title="The letter could not be downloaded" />
      <ErrorAlert error={write.error} title="The letter could not be created" />
    </Stack>
  );
}

function History({ events }: { events: RequestDetail['history'] }) {
  return (
    <Stack gap={10}>
      {events.map((event) => (
        <div key={event.id}>
          <Text size="xs" className="muted tabular">
            {formatInstant(event.at)}
          </Text>
          <Text size="sm">
            {event.actor} {event.words}
          </Text>
          {event.comment ? (
            <Text size="sm" className="muted" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {event.comment}
            </Text>
          ) : null}
        </div>
      ))}
    </Stack>
  );
}
