// A field for a number: what is typed stays as it is, and what is no number that the field takes is refused in words under it.
import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { type NumberLimits, readNumber } from '#shared/typed-number.ts';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'error'> &
  NumberLimits & {
    /** NaN: there is none, or what is typed is none. */
    value: number;
    /** NaN while what is typed is refused: the schema of a form then refuses it, too. */
    onChange: (value: number) => void;
    error?: string | undefined;
    /** Called instead of `onChange` when the field is emptied: of a number that may be left out. */
    onClear?: () => void;
    /** Behind the number: '%', 'days'. */
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
  // A value that came from elsewhere, a saved record or somebody else's, takes the place of what was typed.
  const isTyped = typed !== null && Object.is(read(typed).value ?? Number.NaN, value);
  const text = isTyped ? typed : Number.isNaN(value) ? '' : String(value);
  const refused = isTyped && typed.trim() !== '' ? read(typed).problem : '';
  return (
    <TextInput
      inputMode={min !== undefined && min >= 0 ? (decimals === 0 ? 'numeric' : 'decimal') : 'text'}
      autoComplete="off"
      {...rest}
      {...(suffix
        ? { rightSection: <Text size="sm">{suffix}</Text>, rightSectionWidth: 52, rightSectionPointerEvents: 'none' }
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
