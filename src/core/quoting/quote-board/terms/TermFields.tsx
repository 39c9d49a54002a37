// Fields of the quote, saved on blur: one line, long text, number, date.
import { Autocomplete, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { dateProblem, parseDate } from '#platform/shared/dates.ts';
import { DateField } from '#platform/ui/DateField.tsx';
import { NumberField } from '#platform/ui/NumberField.tsx';
import { useUnsaved } from '#platform/ui/unsaved.web.ts';

type FieldProps<T> = {
  /** The quote's field. */
  field: string;
  label: string;
  value: T;
  disabled: boolean;
  /** Saves the value. May return why the value is not saved yet, when more input is needed first. */
  onSave: (value: T) => string | void;
};

/** The typed text until it is saved on blur, otherwise the saved value. */
function useTyped<T>(value: T, onSave: FieldProps<T>['onSave'], refusalOf: (typed: T) => string | null = () => null) {
  const [typed, setTyped] = useState<T | null>(null);
  /** Saves the typed or given value. Returns why it cannot be saved, or null. */
  const commit = (next = typed): string | null => {
    const refusal = next === null ? null : refusalOf(next);
    if (refusal !== null) return refusal;
    setTyped(null);
    return next !== null && next !== value ? (onSave(next) ?? null) : null;
  };
  useUnsaved(typed !== null && typed !== value, () => commit());
  return { shown: typed ?? value, setTyped, commit };
}

export function TextOf({
  label,
  field,
  value,
  disabled,
  options,
  onSave,
}: FieldProps<string> & { options?: string[] | undefined }) {
  const { shown, setTyped, commit } = useTyped(value, onSave);
  if (options) {
    return (
      <Autocomplete
        data-field={field}
        wrapperProps={{ 'data-shows': field }}
        label={label}
        disabled={disabled}
        data={[...new Set(options.filter(Boolean))]}
        value={shown}
        maxLength={200}
        onChange={setTyped}
        onOptionSubmit={(chosen) => commit(chosen)}
        onBlur={() => commit()}
      />
    );
  }
  return (
    <TextInput
      wrapperProps={{ 'data-shows': field }}
      label={label}
      disabled={disabled}
      value={shown}
      maxLength={320}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => commit()}
    />
  );
}

export function WordsOf({ field, label, value, disabled, onSave }: FieldProps<string>) {
  const { shown, setTyped, commit } = useTyped(value, onSave);
  return (
    <Textarea
      wrapperProps={{ 'data-shows': field }}
      label={label}
      disabled={disabled}
      autosize
      minRows={3}
      maxRows={12}
      maxLength={5000}
      miw={260}
      value={shown}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => commit()}
    />
  );
}

/** `compact`: a small field in a row of figures, labeled by the text beside it. */
export function NumberOf({
  field,
  label,
  value,
  disabled,
  max,
  decimals,
  compact = false,
  onSave,
}: FieldProps<number> & { max?: number; decimals?: number; compact?: boolean }) {
  const { shown, setTyped, commit } = useTyped(value, onSave, (typed) =>
    Number.isNaN(typed) ? `${label}: enter a number` : null,
  );
  return (
    <NumberField
      wrapperProps={{ 'data-shows': field }}
      {...(compact
        ? {
            'aria-label': label,
            size: 'xs',
            w: 64,
            styles: { input: { textAlign: 'right', height: 22, minHeight: 22 } },
          }
        : { label })}
      disabled={disabled}
      min={0}
      {...(max === undefined ? {} : { max })}
      {...(decimals === undefined ? {} : { decimals })}
      value={shown}
      error={Number.isNaN(shown) ? 'Enter a number' : undefined}
      onChange={setTyped}
      onBlur={() => commit()}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}

export function DateOf({ field, label, value, disabled, onSave }: FieldProps<string>) {
  const { shown, setTyped, commit } = useTyped(value, onSave, (typed) => {
    const problem = dateProblem(typed);
    return problem ? `${label}: ${problem}` : null;
  });
  return (
    <DateField
      wrapperProps={{ 'data-shows': field }}
      label={label}
      disabled={disabled}
      value={shown}
      onChange={(next) => {
        setTyped(next);
        // A day picked in the calendar is saved immediately. A typed one is saved on blur.
        if (parseDate(next) && document.activeElement?.tagName !== 'INPUT') commit(next);
      }}
      onBlur={() => commit()}
    />
  );
}
