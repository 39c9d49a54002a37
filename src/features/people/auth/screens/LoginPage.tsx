// Signing in (specification sections 2, 5 and 8, Login).
import { Button, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { paths } from '#shared/paths.ts';
import { appConfig } from '#ui/app-config.web.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { signIn } from '../sessions/session.web.ts';
import { wayBack } from '../sessions/way-back.ts';
import classes from './AuthCard.module.css';
import { AuthCard } from './AuthCard.tsx';
import { PasswordField } from './PasswordField.tsx';

export default function LoginPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const redirect = new URLSearchParams(useLocation().searchStr).get('redirect');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [authenticating, setAuthenticating] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (authenticating) return;
    if (!email.trim()) return emailField.current?.focus();
    if (!password) return passwordField.current?.focus();
    setAuthenticating(true);
    setError(null);
    try {
      const user = await signIn(email.trim(), password);
      const back = wayBack(redirect);
      if (user.mustChangePassword)
        await navigate({ to: paths.changePassword, search: { redirect: back }, replace: true });
      else router.history.replace(back);
    } catch (refusal) {
      setError(`Login Failed. ${(refusal as Error).message}`);
      passwordField.current?.focus();
    } finally {
      setPassword('');
      setAuthenticating(false);
    }
  }

  return (
    <AuthCard title="Sign in">
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <ErrorAlert error={error} />
          <TextInput
            ref={emailField}
            label="Email"
            type="email"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordField
            ref={passwordField}
            label="Password"
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth loading={authenticating}>
            Sign in
          </Button>
          <Button
            type="button"
            variant="subtle"
            fullWidth
            onClick={() => void navigate({ to: paths.resetPassword, state: { email: email.trim() } })}
          >
            I forgot my password
          </Button>
        </Stack>
      </form>
      <DemoAccounts
        onPick={(userName, demoPassword) => {
          setEmail(userName);
          setPassword(demoPassword);
          setError(null);
        }}
      />
    </AuthCard>
  );
}

/** The demo's accounts, each filled in by one click. */
function DemoAccounts({ onPick }: { onPick: (userName: string, password: string) => void }) {
  const { demo } = appConfig;
  if (!demo || demo.accounts.length === 0) return null;
  return (
    <Stack gap={4} component="section" aria-label="Demo accounts">
      <Text size="sm" className="muted">
        This is a demo: choose an account, then sign in.
      </Text>
      {demo.accounts.map(({ userName, what }) => (
        <UnstyledButton key={userName} className={classes['account']} onClick={() => onPick(userName, demo.password)}>
          <Text size="sm">{userName}</Text>
          <Text size="xs" className="muted">
            {what}
          </Text>
        </UnstyledButton>
      ))}
    </Stack>
  );
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The e-mail typed at the login, for the reset screen. */
    email?: string;
  }
}
