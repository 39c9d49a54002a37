// The page for choosing a password: forced after a temporary one, otherwise at any time.
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { Auth } from '../auth.contract.ts';
import { NewPassword } from '../passwords/new-password.ts';
import { rereadUser, useSession } from '../sessions/session.web.ts';
import { wayBack } from '../sessions/way-back.ts';
import { AuthCard } from './AuthCard.tsx';
import { PasswordField } from './PasswordField.tsx';

type Field = 'currentPassword' | 'newPassword' | 'again';

export default function ChangePasswordPage() {
  const router = useRouter();
  const user = useSession();
  const redirect = new URLSearchParams(useLocation().searchStr).get('redirect');
  const [values, setValues] = useState<Record<Field, string>>({ currentPassword: '', newPassword: '', again: '' });
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const forced = user?.mustChangePassword ?? false;

  const change = useMutation({
    ...api(Auth).ChangePassword.mutation(),
    onSuccess: async () => {
      await rereadUser();
      router.history.replace(wayBack(redirect));
    },
    onError: (error) => {
      const fields = error instanceof HttpError ? (error.errors ?? []) : [];
      setErrors(Object.fromEntries(fields.map(({ path, message }) => [path, message])));
    },
  });

  function submit() {
    const { currentPassword, newPassword, again } = values;
    const checked = NewPassword.safeParse(newPassword);
    const wrong: Partial<Record<Field, string>> = {
      ...(forced || currentPassword ? {} : { currentPassword: 'This field is required' }),
      ...(checked.success ? {} : { newPassword: checked.error.issues[0]?.message ?? 'Not valid' }),
      ...(again === newPassword ? {} : { again: 'The passwords do not match' }),
    };
    setErrors(wrong);
    if (Object.keys(wrong).length === 0) change.mutate({ newPassword, ...(forced ? {} : { currentPassword }) });
  }

  const field = (name: Field) => ({
    value: values[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setValues((all) => ({ ...all, [name]: value }));
      setErrors((all) => ({ ...all, [name]: undefined }));
    },
  });

  return (
    <AuthCard title={forced ? 'Choose your own password' : 'Change password'}>
      {forced ? <Text>You signed in with a temporary password. Choose your own to continue.</Text> : null}
      <Form onSubmit={submit}>
        <Stack gap="md">
          <ErrorAlert error={Object.values(errors).some(Boolean) ? null : change.error} />
          {/* Lets password managers know which account the password belongs to. */}
          <input type="text" name="username" autoComplete="username" value={user?.userName ?? ''} readOnly hidden />
          {forced ? null : (
            <PasswordField label="Current password" autoComplete="current-password" {...field('currentPassword')} />
          )}
          <PasswordField
            label="New password"
            description={errors.newPassword ? undefined : 'At least 12 characters'}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="new-password"
            {...field('newPassword')}
          />
          <PasswordField label="Confirm new password" autoComplete="new-password" {...field('again')} />
          <Button type="submit" fullWidth loading={change.isPending}>
            Change password
          </Button>
          {forced ? null : (
            <Text size="xs" className="muted">
              You stay signed in here and are signed out everywhere else.
            </Text>
          )}
        </Stack>
      </Form>
    </AuthCard>
  );
}
