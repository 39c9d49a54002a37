// Prompts before a user is deactivated, and shows what that affects and who takes over.
import { List, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { PersonSelect } from '#platform/users/PersonSelect.tsx';
import type { Person } from '#platform/users/users.contract.ts';
import { capitalized } from '#platform/shared/capitalized.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { someOf } from '#platform/shared/first-few.ts';
import type { Named } from '#platform/shared/wire.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { type Duty, type Holdings, UserEdit, type UserFields } from '../user-admin.contract.ts';
import { dutiesInWords, DUTY_LABELS, DUTY_ROLES } from './duties.ts';

type Successors = Partial<Record<Duty, Person | null>>;

/** The first successor is suggested for these duties too, until the administrator chooses another. */
const ALSO: Partial<Record<Duty, Duty[]>> = { sales: ['owner'], cs: ['owner', 'assignee'], is: ['owner', 'assignee'] };

export function DeactivateDialog({ user, onClose }: { user: UserFields; onClose: () => void }) {
  const holdings = useQuery({ ...api(UserEdit).GetUserHoldings.query({ id: user.id }), ...READ_ANEW });
  const [successors, setSuccessors] = useState<Successors>({});
  const [tried, setTried] = useState(false);
  const deactivate = useMutation({
    ...api(UserEdit).SetUserActive.mutation(),
    onSuccess: () => {
      notifications.show({ message: `${user.fullName} is deactivated and signed out everywhere.` });
      onClose();
    },
    // There may be more to hand over in the meantime.
    onError: () => void holdings.refetch(),
  });
  const refused = deactivate.error instanceof HttpError ? (deactivate.error.errors ?? []) : [];
  const duties = holdings.data?.duties ?? [];
  const errorOf = (duty: Duty) =>
    refused.find(({ path }) => path === `handOver.${duty}`)?.message ??
    (tried && !successors[duty] ? 'Choose who takes over' : undefined);

  function choose(duty: Duty, person: Person | null) {
    deactivate.reset();
    setSuccessors((now) => {
      const also = (ALSO[duty] ?? []).filter((other) => !now[other]).map((other) => [other, person] as const);
      return { ...now, ...Object.fromEntries(also), [duty]: person };
    });
  }

  function confirm() {
    setTried(true);
    if (!holdings.data || duties.some(({ duty }) => !successors[duty])) return;
    const handOver = Object.fromEntries(duties.map(({ duty }) => [duty, successors[duty]?.id]));
    deactivate.mutate({ id: user.id, active: false, handOver, version: user.version });
  }

  return (
    <ConfirmDialog
      title={`Deactivate ${user.fullName}?`}
      action="Deactivate"
      harmful
      busy={deactivate.isPending}
      error={refused.length > 0 ? null : deactivate.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        {user.fullName} will be signed out everywhere within a minute and unable to sign in. Nothing is deleted, and you
        can activate the account again.
      </Text>
      {holdings.error ? (
        <ErrorAlert error={holdings.error} title="The effects could not be loaded" onRetry={holdings.refetch} />
      ) : null}
      {holdings.data ? (
        <>
          <Touched holdings={holdings.data} />
          {duties.map((held) => (
            <PersonSelect
              key={held.duty}
              required
              label={`Takes over as ${DUTY_LABELS[held.duty]}`}
              description={capitalized(dutiesInWords(held)) + namesBehindColon(held.territories)}
              roles={DUTY_ROLES[held.duty]}
              exceptId={user.id}
              value={successors[held.duty] ?? null}
              error={errorOf(held.duty)}
              onChange={(person) => choose(held.duty, person)}
            />
          ))}
        </>
      ) : holdings.error ? null : (
        <Skeleton height={80} aria-label="Loading" />
      )}
    </ConfirmDialog>
  );
}

/** Lists what is affected but not handed over. */
function Touched({ holdings }: { holdings: Holdings }) {
  const { duties, supports, supportedBy, pendingApprovals, regionsWithoutManager, apiKeys, sentReports } = holdings;
  const facts = [
    supports.length > 0 ? `No longer supports ${names(supports)}.` : '',
    supportedBy.length > 0
      ? `Supported by ${names(supportedBy)}, who can no longer see the quotes handed over unless they also support the successor.`
      : '',
    pendingApprovals > 0
      ? `Requested ${countOf(pendingApprovals, 'approval')} that ${pendingApprovals === 1 ? 'is' : 'are'} still undecided. Nothing changes for the approvers.`
      : '',
    regionsWithoutManager.length > 0 ? `No one else manages ${names(regionsWithoutManager)}.` : '',
    apiKeys.length > 0
      ? `Programs that use the API ${apiKeys.length === 1 ? 'key' : 'keys'} ${names(apiKeys)} stop working. Give them another user's keys first.`
      : '',
    sentReports > 0
      ? `${countOf(sentReports, 'report')} that they set up ${sentReports === 1 ? 'is' : 'are'} no longer emailed.`
      : '',
  ].filter(Boolean);
  if (facts.length === 0) {
    return duties.length > 0 ? null : (
      <Text size="sm">They have no open quotes and no territories; nothing has to be handed over.</Text>
    );
  }
  return (
    <Stack gap={4}>
      <List size="sm">
        {facts.map((fact) => (
          <List.Item key={fact}>{fact}</List.Item>
        ))}
      </List>
    </Stack>
  );
}

const MAX_NAMES = 5;

function names(list: readonly Named[]): string {
  return someOf(
    MAX_NAMES,
    list.map(({ name }) => name),
  );
}

function namesBehindColon(territories: readonly Named[]): string {
  return territories.length > 0 ? `: ${names(territories)}` : '';
}
