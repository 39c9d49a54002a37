// Shown instead of a screen that this user may not open. Explains that, and whom to contact.
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { type QueryClient, useQueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type HttpError, isForbidden } from '#platform/api/http-error.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { hasRole, ROLE_LABELS, ROLES, type Role } from '#platform/shared/roles.ts';
import { PageTitle } from '#platform/ui/PageTitle.tsx';

/** The maximum number of roles that the sentence names. If more roles may open the screen, the sentence suggests requesting access. */
const MAX_NAMED = 3;

type Props = {
  /** The error of one of its refused reads. */
  error: HttpError;
  /** Shows the screen. */
  onOpen: () => void;
};

export function NotOpenPage({ error, onOpen }: Props) {
  const user = useSession();
  const queries = useQueryClient();
  const [openTo] = useState(() => openToOf(queries, error));
  const { reset } = useQueryErrorResetBoundary();
  // The roles stored in the browser may be older than those on the server. They are read again at each start.
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
        {openTo.length > 0 && openTo.length <= MAX_NAMED
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
 * Returns the roles that may read the whole screen; none if it is closed for another reason. When this page renders for the first time, the queries
 * of the screen that it replaces are still active.
 */
function openToOf(queries: QueryClient, error: HttpError): readonly Role[] {
  const watched = queries.getQueryCache().findAll({ type: 'active' });
  const refusals = [error, ...watched.map(({ state }) => state.error)].filter(isForbidden);
  return ROLES.filter((role) => refusals.every(({ openTo = [] }) => openTo.includes(role)));
}

/** Returns a role in the plural: 'sales administrators'. */
function several(role: Role): string {
  if (role === 'contractdept') return 'the contract department';
  const label = ROLE_LABELS[role].toLowerCase();
  return role === 'salessupport' ? label : `${label}s`;
}
