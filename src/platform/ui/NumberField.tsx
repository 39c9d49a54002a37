// A field for a number. Typed text stays unchanged, and a sentence under the field explains why it is refused.
import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { type NumberLimits, readNumber } from '#platform/shared/typed-number.ts';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'error'> &
  NumberLimits & {
    /** NaN if the field is empty or its text is not a number. */
    value: number;
    /** Called with NaN while the text is refused, so that the schema of a form refuses it, too. */
    onChange: (value: number) => void;
    error?: string | undefined;
    /** Called instead of `onChange` when the user clears the field of an optional number. */
    onClear?: () => void;
    /** The text after the number: '%', 'days'. */
    suffix?: string;
  };

export function NumberField({ value, onChange, error, onClear, suffix, min, max, decimals, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const read = (text: string) =>
    readNumber(text, {
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
      ...(decimals === undefined ? {} : { decimals }),
    });
  // A value from elsewhere, such as a saved record or another user's change, replaces the typed text.
  const isTyped = typed !== null && Object.is(read(typed).value ?? Number.NaN, value);
  const text = isTyped ? typed : Number.isNaN(value) ? '' : String(value);
  const refused = isTyped && typed.trim() !== '' ? read(typed).problem : '';
  return (
    <TextInput
      inputMode={min !== undefined && min >= 0 ? (decimals === 0 ? 'numeric' : 'decimal') : 'text'}
      autoComplete="off"
      {...rest}
      {...(suffix
        ? {
            rightSection: <Text size="sm">{suffix}</Text>,
            rightSectionWidth: Math.max(52, 9 * suffix.length + 16),
            rightSectionPointerEvents: 'none',
          }
        : {})}
      value={text}
      error={refused || error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        if (onClear && currentTarget.value.trim() === '') onClear();
        else onChange(read(currentTarget.value).value ?? Number.NaN);
      }}
    />
  );
}
