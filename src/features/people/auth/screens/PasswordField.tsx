// A password as it is typed; the eye beside it shows what was typed.
import { PasswordInput, type PasswordInputProps } from '@mantine/core';

// Not named after the field, so that a reader does not hear 'password' twice.
const EYE = { 'aria-label': 'Show what was typed' };

export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput visibilityToggleButtonProps={EYE} aria-invalid={props.error ? true : undefined} {...props} />;
}
