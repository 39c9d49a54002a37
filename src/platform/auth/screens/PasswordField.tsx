// A password field; the eye beside it shows the password.
import { PasswordInput, type PasswordInputProps } from '@mantine/core';

// Not named after the field, so that a screen reader does not say 'password' twice.
const EYE = { 'aria-label': 'Show password' };

export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput visibilityToggleButtonProps={EYE} aria-invalid={props.error ? true : undefined} {...props} />;
}
