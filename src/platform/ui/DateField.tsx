// A date typed as mm/dd/yyyy, with a calendar beside it; the value is ISO text.
import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import { dateProblem, formatDate, parseDate } from '#platform/shared/dates.ts';
import type { CalendarProps } from './Calendar.tsx';
import { laterMenu } from './later.tsx';

const Calendar = laterMenu<CalendarProps>(
  () => import('./Calendar.tsx'),
  'The calendar could not be loaded. Enter the date.',
  false,
);

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'error'> & {
  /** ISO, or the typed text until it is a date. Empty if there is no date. */
  value: string;
  onChange: (value: string) => void;
  error?: TextInputProps['error'];
};

export function DateField({ value, onChange, error, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const date = parseDate(value);
  const visible = typed ?? (date ? formatDate(date) : value);
  const wrong = typed === null && value !== '' ? dateProblem(value) : undefined;
  return (
    <TextInput
      placeholder="mm/dd/yyyy"
      inputMode="numeric"
      autoComplete="off"
      {...rest}
      error={error ?? wrong}
      value={visible}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        onChange(parseDate(text) ?? text);
      }}
      onBlur={(event) => {
        afterPress(() => setTyped(null));
        rest.onBlur?.(event);
      }}
      rightSection={
        <Calendar
          date={date}
          onPick={(picked) => {
            setTyped(null);
            onChange(picked ?? '');
          }}
          button={
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={rest.disabled ?? false}
              aria-label="Open calendar"
              aria-haspopup="dialog"
              aria-expanded={false}
            >
              <IconCalendar size={16} />
            </ActionIcon>
          }
        />
      }
    />
  );
}

let pressed = false;
for (const [type, now] of [
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false],
] as const) {
  window.addEventListener(type, () => (pressed = now), true);
}

/** Waits for the end of a press. A hint that appears during the press would move the button, and the browser would drop the click. */
function afterPress(run: () => void): void {
  if (!pressed) return run();
  const ends = new AbortController();
  for (const type of ['pointerup', 'pointercancel']) {
    const end = () => {
      ends.abort();
      setTimeout(run);
    };
    window.addEventListener(type, end, { signal: ends.signal });
  }
}
