// The sign-in page (specification sections 2, 5 and 8, Login).
import { Button, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { HttpError } from '#platform/api/http-error.ts';
import { paths } from '#platform/shared/paths.ts';
import { appConfig } from '#platform/ui/app-config.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { PasskeyButton } from '../passkeys/PasskeyButton.tsx';
import { CodeForm } from '../second-factor/CodeForm.tsx';
import { type SessionUser, signIn } from '../sessions/session.web.ts';
import { wayBack, wayOf } from '../sessions/way-back.ts';
import { SignOnButton } from '../sign-on/SignOnButton.tsx';
import { SignOnReturn } from '../sign-on/SignOnReturn.tsx';
import { isReturn, keptWay } from '../sign-on/sign-on.web.ts';
import classes from './AuthCard.module.css';
import { AuthCard } from './AuthCard.tsx';
import { PasswordField } from './PasswordField.tsx';

export default function LoginPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const { searchStr } = useLocation();
  // When a provider sends the browser back, the address no longer names the page that the user wanted.
  const [stored] = useState(() => (isReturn(searchStr) ? keptWay() : null));
  const redirect = new URLSearchParams(searchStr).get('redirect') ?? stored;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [authenticating, setAuthenticating] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [challenge, setChallenge] = useState<string | null>(null);
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  async function enter(user: SessionUser, way = redirect) {
    const back = wayBack(way);
    if (user.mustChangePassword)
      await navigate({ to: paths.changePassword, search: { redirect: back }, replace: true });
    else if (user.mustEnroll) await navigate({ to: paths.account, search: { redirect: back }, replace: true });
    else router.history.replace(back);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (authenticating) return;
    if (!email.trim()) return emailField.current?.focus();
    if (!password) return passwordField.current?.focus();
    setAuthenticating(true);
    setError(null);
    try {
      await enter(await signIn(email.trim(), password));
    } catch (refusal) {
      if (refusal instanceof HttpError && refusal.challenge) return setChallenge(refusal.challenge);
      setError(`Login Failed. ${(refusal as Error).message}`);
      passwordField.current?.focus();
    } finally {
      setPassword('');
      setAuthenticating(false);
    }
  }

  const [formShown, setFormShown] = useState(!appConfig.signOn?.localOff);
  const returned = isReturn(searchStr);

  if (returned) {
    return (
      <AuthCard key="returned" title="Sign in">
        <SignOnReturn
          search={searchStr}
          onSignedIn={(user, way) => void enter(user, way)}
          onRefused={(sentence) => {
            setError(sentence);
            void navigate({ to: paths.login, search: wayOf(redirect), replace: true });
          }}
        />
      </AuthCard>
    );
  }
  if (challenge !== null) {
    return (
      <AuthCard key="code" title="Sign in">
        <CodeForm
          userName={email.trim()}
          challenge={challenge}
          onSignedIn={(user) => void enter(user)}
          onBack={(why) => {
            setChallenge(null);
            setError(why ?? null);
          }}
        />
      </AuthCard>
    );
  }
  return (
    <AuthCard title="Sign in">
      {formShown ? (
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
              onClick={() =>
                void navigate({
                  to: paths.resetPassword,
                  search: wayOf(redirect),
                  state: { email: email.trim() },
                })
              }
            >
              I forgot my password
            </Button>
          </Stack>
        </form>
      ) : (
        <ErrorAlert error={error} />
      )}
      {formShown ? (
        <PasskeyButton
          label="Sign in with a passkey"
          onSignedIn={(user) => void enter(user)}
          onRefused={(sentence) => setError(sentence)}
        />
      ) : null}
      <SignOnButton redirect={redirect} formShown={formShown} onShowForm={() => setFormShown(true)} />
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

/** The demo accounts. One click fills in the form. */
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
    /** The email typed on the sign-in page, for the reset page. */
    email?: string;
  }
}
