// Prompts a system administrator without a second factor to set one up.
import { Alert, Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { useSession } from '../sessions/session.web.ts';
import { SecondFactor } from './second-factor.contract.ts';

export function SecondFactorNotice() {
  const isAdministrator = useSession()?.roles.includes('systemadmin') ?? false;
  const { data } = useQuery({ ...api(SecondFactor).GetSecondFactor.query({}), enabled: isAdministrator });
  if (!data?.hasPassword || data.since !== null || data.passkeys > 0) return null;
  return (
    <Alert color="yellow" title="Your account is protected only by a password">
      Anyone who learns it becomes a system administrator. Add a passkey or an authenticator app under{' '}
      <Anchor component={Link} to={paths.account} underline="always" inherit>
        My account
      </Anchor>
      .
    </Alert>
  );
}
