// The page of the user's own account: name and roles, password, link with the company's single sign-on, passkeys, second factor.
import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '#platform/shared/paths.ts';
import { ROLE_LABELS } from '#platform/shared/roles.ts';
import { AllAtOnce } from '#platform/ui/all-at-once.tsx';
import { FormPage } from '#platform/ui/FormPage.tsx';
import { PasskeysPanel } from '../passkeys/PasskeysPanel.tsx';
import { SecondFactorPanel } from '../second-factor/SecondFactorPanel.tsx';
import { rereadUser, useSession } from '../sessions/session.web.ts';
import { wayBack } from '../sessions/way-back.ts';
import { LinkPanel } from '../sign-on/LinkPanel.tsx';

/** `panels` are the panels of other features, shown at the end. */
export default function AccountPage({ panels }: { panels?: ReactNode }) {
  const user = useSession();
  const router = useRouter();
  const redirect = new URLSearchParams(useLocation().searchStr).get('redirect');
  if (!user) return null;
  const mustEnroll = user.mustEnroll ?? false;

  async function onEnrolled() {
    if (!mustEnroll) return;
    await rereadUser();
    router.history.replace(wayBack(redirect));
  }

  return (
    <FormPage title={mustEnroll ? 'Set up a second factor' : 'My account'}>
      <AllAtOnce screen={paths.account}>
        {mustEnroll ? (
          <Text>One of your roles requires a second factor. Add a passkey or an authenticator app to continue.</Text>
        ) : (
          <section className="card" aria-label="Account">
            <Stack p="md" gap={4}>
              <Title order={2}>{user.fullName}</Title>
              <Text size="sm">{user.userName}</Text>
              <Text size="sm" className="muted">
                {user.roles.map((role) => ROLE_LABELS[role]).join(', ')}
              </Text>
              <Anchor component={Link} to={paths.changePassword} size="sm" mt="xs">
                Change password
              </Anchor>
            </Stack>
          </section>
        )}
        {mustEnroll ? null : <LinkPanel />}
        <PasskeysPanel onEnrolled={onEnrolled} />
        <SecondFactorPanel onEnrolled={onEnrolled} />
        {mustEnroll ? null : panels}
      </AllAtOnce>
    </FormPage>
  );
}
