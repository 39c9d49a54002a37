// The page behind the link of an invitation: the new user chooses a password and is signed in.
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { paths } from '#platform/shared/paths.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { NewPassword } from '../passwords/new-password.ts';
import { AuthCard } from '../screens/AuthCard.tsx';
import { PasswordField } from '../screens/PasswordField.tsx';
import { signIn } from '../sessions/session.web.ts';
import { Invitation } from './invitation.contract.ts';

export function InvitationPanel({ token }: { token: string }) {
  const navigate = useNavigate();
  const invitation = useQuery({ ...api(Invitation).GetInvitation.query({ token }), retry: false, staleTime: Infinity });
  if (invitation.data) return <ChoosePassword token={token} {...invitation.data} />;
  return (
    <AuthCard title="Choose your password">
      {invitation.error ? (
        <>
          <ErrorAlert error={invitation.error} />
          {invitation.error instanceof HttpError && invitation.error.status === 404 ? null : (
            <Button loading={invitation.isFetching} onClick={() => void invitation.refetch()}>
              Try again
            </Button>
          )}
          <Button variant="subtle" onClick={() => void navigate({ to: paths.login })}>
            Go to sign in
          </Button>
        </>
      ) : (
        <Skeleton height={160} aria-label="Loading" />
      )}
    </AuthCard>
  );
}

type Person = { userName: string; fullName: string };

function ChoosePassword({ token, userName, fullName }: Person & { token: string }) {
  const router = useRouter();
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const accept = useMutation({
    mutationFn: async () => {
      await api(Invitation).AcceptInvitation({ token, newPassword: password });
      try {
        await signIn(userName, password);
        router.history.replace(paths.home);
      } catch {
        // The password is set anyway; the sign-in screen explains why this user cannot sign in.
        router.history.replace(paths.login);
      }
    },
  });
  const checked = NewPassword.safeParse(password);
  const short = checked.success ? null : (checked.error.issues[0]?.message ?? 'Not valid');
  const differs = again === password ? null : 'The passwords do not match';

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (!short && !differs && !accept.isPending) accept.mutate();
  }

  return (
    <AuthCard title="Choose your password">
      <Text>
        Welcome, {fullName}. From now on you sign in as <b style={{ overflowWrap: 'anywhere' }}>{userName}</b> with the
        password you choose here.
      </Text>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <ErrorAlert error={accept.error} />
          {/* Lets password managers know which account the password belongs to. */}
          <input type="text" name="username" autoComplete="username" value={userName} readOnly hidden />
          <PasswordField
            label="New password"
            description={tried && short ? undefined : 'At least 12 characters'}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="new-password"
            value={password}
            error={tried ? short : null}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <PasswordField
            label="Confirm new password"
            autoComplete="new-password"
            value={again}
            error={tried && !short ? differs : null}
            onChange={(event) => setAgain(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth loading={accept.isPending}>
            Set password and sign in
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}
