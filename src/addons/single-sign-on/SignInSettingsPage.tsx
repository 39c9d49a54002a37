// How users sign in: at a provider of the company, with which roles, whether by password, and who needs a second factor.
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HistoryPanel } from '#platform/history/HistoryPanel.tsx';
import { SecondFactorRulesForm } from '#platform/auth/second-factor/SecondFactorRulesForm.tsx';
import { AllAtOnce } from '#platform/ui/all-at-once.tsx';
import { Chip } from '#platform/ui/Chip.tsx';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FormPage } from '#platform/ui/FormPage.tsx';
import { ProviderForm } from './ProviderForm.tsx';
import { SignOnAdmin } from './single-sign-on.contract.ts';

export default function SignInSettingsPage() {
  const settings = useQuery({ ...api(SignOnAdmin).GetSignOnSettings.query({}), staleTime: 0 });
  const [removing, setRemoving] = useState(false);
  const { data } = settings;
  return (
    <FormPage title="Sign-in">
      <AllAtOnce screen="Sign-in">
        <section className="card" aria-label="Single sign-on">
          <Stack p="md" gap="sm">
            <Group gap="sm">
              <Title order={2}>Single sign-on</Title>
              {data ? (
                <Chip tone={data.problem ? 'red' : data.issuer ? 'green' : 'orange'}>
                  {data.problem ? 'Not working' : data.issuer ? 'Set up' : 'Not set up'}
                </Chip>
              ) : null}
            </Group>
            <Text size="sm" className="muted">
              People sign in with the identity provider of your company (Entra ID, Okta, Keycloak or another one that
              supports OpenID Connect). Until you set one up, everyone signs in with a password.
            </Text>
            <ErrorAlert error={settings.error} title="The settings could not be loaded" onRetry={settings.refetch} />
            <ErrorAlert error={data?.problem} title="Single sign-on does not work" />
            {data ? (
              <ProviderForm
                settings={data}
                more={
                  data.issuer ? (
                    <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
                      Remove…
                    </Button>
                  ) : null
                }
              />
            ) : settings.error ? null : (
              <Skeleton height={320} radius="sm" aria-label="Loading" />
            )}
          </Stack>
        </section>
        <SecondFactorRulesForm />
        {data &&
          [2, 1].map((id) => {
            const title = id === 2 ? 'Single sign-on history' : 'Second factor history';
            return (
              <section key={id} className="card" aria-label={title}>
                <Stack p="md" gap="sm">
                  <Title order={2}>{title}</Title>
                  <HistoryPanel type="signInRule" id={id} />
                </Stack>
              </section>
            );
          })}
      </AllAtOnce>
      {removing && data ? <RemoveDialog version={data.version} onClose={() => setRemoving(false)} /> : null}
    </FormPage>
  );
}

function RemoveDialog({ version, onClose }: { version: number; onClose: () => void }) {
  const remove = useMutation({
    ...api(SignOnAdmin).RemoveSignOn.mutation(),
    onSuccess: () => {
      notifications.show({ message: 'The provider is removed.' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Remove the provider?"
      action="Remove"
      harmful
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ version })}
      onClose={onClose}
    >
      The address and the secret are deleted, and everyone who signed in with the provider is signed out within a
      minute. From then on, people sign in with a password; those without one can get one with “I forgot my password”.
      Account links are kept in case you set up the same issuer again.
    </ConfirmDialog>
  );
}
