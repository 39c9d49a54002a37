// The page for requesting a temporary password by mail (specification sections 2, 5 and 8, Reset). The link of an invitation opens it to choose a
// password.
import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { paths } from '#platform/shared/paths.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Auth } from '../auth.contract.ts';
import { InvitationPanel } from '../invitations/InvitationPanel.tsx';
import { wayOf } from '../sessions/way-back.ts';
import { AuthCard } from './AuthCard.tsx';

const MISSING = 'Please enter your Email first!';
const SENT = 'New password was sent to your email';
const FAILED = 'Sorry, we cannot reset your password, please check system admin. to reset your password.';

// The explicit type avoids a circular reference in the router's types.
export default function ResetPasswordPage(): ReactNode {
  const { hash } = useLocation();
  const token = /^invite=(.+)$/.exec(hash)?.[1];
  return token ? <InvitationPanel token={token} /> : <ResetForm />;
}

function ResetForm() {
  const navigate = useNavigate();
  const { state, searchStr } = useLocation();
  const typedBefore = state.email ?? '';
  const redirect = new URLSearchParams(searchStr).get('redirect');
  const [email, setEmail] = useState(typedBefore);
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const reset = useMutation(api(Auth).ResetPassword.mutation());

  function submit(event: FormEvent) {
    event.preventDefault();
    const address = email.trim();
    reset.reset();
    setMissing(!address);
    if (address) reset.mutate({ email: address });
    else field.current?.focus();
  }

  return (
    <AuthCard title="Reset password">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <ErrorAlert error={missing ? MISSING : reset.isError ? FAILED : null} />
          {reset.isSuccess ? (
            <Alert color="green" icon={<IconCheck size={18} />} role="status">
              {SENT}
            </Alert>
          ) : null}
          <TextInput
            ref={field}
            label="Email"
            type="email"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={email}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
              setMissing(false);
            }}
          />
          <Button type="submit" variant={reset.isSuccess ? 'default' : 'filled'} fullWidth loading={reset.isPending}>
            Reset My Password
          </Button>
          <Button
            type="button"
            variant={reset.isSuccess ? 'filled' : 'subtle'}
            fullWidth
            onClick={() => void navigate({ to: paths.login, search: wayOf(redirect) })}
          >
            Back to sign in
          </Button>
        </Stack>
      </form>
    </AuthCard>
  );
}
