// The panel that links the user's own account with the company's single sign-on, after a proof of the password.
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { ProofDialog } from '../second-factor/ProofDialog.tsx';
import { SignOn } from './sign-on.contract.ts';
import { beginLink, completeLink, isReturn } from './sign-on.web.ts';

export function LinkPanel() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { searchStr } = useLocation();
  const query = api(SignOn).GetOwnSignOn.query({});
  const own = useQuery({ ...query, staleTime: 0 });
  const [asking, setAsking] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const returned = isReturn(searchStr);
  useEffect(() => {
    if (!returned) return;
    void completeLink(searchStr)
      .then(
        () => notifications.show({ message: 'Your account is linked.' }),
        (refusal: Error) => setError(refusal),
      )
      .then(() => {
        void queries.invalidateQueries({ queryKey: [query.queryKey[0]] });
        return navigate({ to: paths.account, search: {}, replace: true });
      });
  }, [returned, searchStr, queries, navigate, query.queryKey]);

  if (own.error && !own.data)
    return <ErrorAlert error={own.error} title="The company sign-in could not be loaded" onRetry={own.refetch} />;
  if (!own.data || (own.data.button === '' && !error)) return null;
  const { button, linkedAt, hasPassword } = own.data;
  return (
    <section className="card" aria-label="Company sign-in">
      <Stack p="md" gap="sm">
        <Group gap="sm">
          <Title order={2}>Company sign-in</Title>
          <Chip tone={linkedAt ? 'green' : 'orange'}>{linkedAt ? 'Linked' : 'Not linked'}</Chip>
        </Group>
        <ErrorAlert error={error} title="Your account could not be linked" onClose={() => setError(null)} />
        <Text size="sm" className="muted">
          {linkedAt
            ? `“${button}” has signed you in here since ${formatInstant(linkedAt)}. A system administrator can remove the link.`
            : `Once linked, “${button}” signs you in here, too, and your roles come from there.`}
        </Text>
        {linkedAt || !hasPassword ? null : (
          <Group>
            <Button onClick={() => setAsking(true)}>Link…</Button>
          </Group>
        )}
      </Stack>
      {asking ? (
        <ProofDialog
          title="Link your account"
          hint="Enter your password first. Then sign in at your company, which brings you back here."
          action="Continue"
          harmful={false}
          withCode={false}
          prove={({ password = '' }) => beginLink(password)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </section>
  );
}
