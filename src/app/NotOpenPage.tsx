// Shown in place of a screen that this person may not open: says so, and whom to ask.
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { type QueryClient, useQueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type HttpError, isForbidden } from '#platform/api/http-error.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole, ROLE_LABELS, ROLES, type Role } from '#platform/shared/roles.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';

/** The roles that the sentence names. A screen for nearly everybody is asked for, not looked at by somebody else. */
const MOST_NAMED = 3;

type Props = {
  /** The refusal of one of its reads. */
  error: HttpError;
  /** Shows the screen. */
  onOpen: () => void;
};

export function NotOpenPage({ error, onOpen }: Props) {
  const user = useSession();
  const queries = useQueryClient();
  const [openTo] = useState(() => openToOf(queries, error));
  const { reset } = useQueryErrorResetBoundary();
  // The roles stored in the browser may be older than the server's. They are read again at each start.
  const open = user !== null && hasRole(user, ...openTo);
  useEffect(() => {
    if (!open) return;
    reset();
    onOpen();
  }, [open, reset, onOpen]);
  return (
    <Stack align="center" py={80} px="md" gap="xs">
      <PageTitle>No access</PageTitle>
      <Title order={1} ta="center">
        You don't have access to this screen
      </Title>
      <Text className="muted" ta="center">
        {openTo.length > 0 && openTo.length <= MOST_NAMED
          ? `It is only for ${new Intl.ListFormat('en-US').format(openTo.map(several))}. Ask one of them for help.`
          : 'Ask a system administrator for access.'}
      </Text>
      <Anchor component={Link} to={paths.home}>
        Home
      </Anchor>
    </Stack>
  );
}

/**
 * The roles that may read the whole screen; none where it is closed for another reason. While this page renders for the first time, the
 * reads of the screen it replaces are still watched.
 */
function openToOf(queries: QueryClient, error: HttpError): readonly Role[] {
  const watched = queries.getQueryCache().findAll({ type: 'active' });
  const refusals = [error, ...watched.map(({ state }) => state.error)].filter(isForbidden);
  return ROLES.filter((role) => refusals.every(({ openTo = [] }) => openTo.includes(role)));
}

/** Everybody in a role: 'sales administrators'. */
function several(role: Role): string {
  if (role === 'contractdept') return 'the contract department';
  const label = ROLE_LABELS[role].toLowerCase();
  return role === 'salessupport' ? label : `${label}s`;
}
