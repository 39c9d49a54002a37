// A date typed as mm/dd/yyyy, with a calendar beside it; the value is ISO text.
import '@mantine/dates/styles.css';
import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import { formatDate, parseDate } from '#shared/dates.ts';

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'error'> & {
  /** ISO, or what was typed while it is no date yet; empty for none. */
  value: string;
  onChange: (value: string) => void;
  error?: TextInputProps['error'];
};

export function DateField({ value, onChange, error, ...rest }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const date = parseDate(value);
  const shown = typed ?? (date ? formatDate(date) : value);
  const wrong = typed === null && value !== '' && !date ? 'Type a date as mm/dd/yyyy' : undefined;
  return (
    <TextInput
      placeholder="mm/dd/yyyy"
      inputMode="numeric"
      autoComplete="off"
      {...rest}
      error={error ?? wrong}
      value={shown}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        onChange(parseDate(text) ?? text);
      }}
      onBlur={(event) => {
        setTyped(null);
        rest.onBlur?.(event);
      }}
      rightSection={
        <Popover opened={open} onChange={setOpen} position="bottom-end" trapFocus returnFocus withinPortal>
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              disabled={rest.disabled ?? false}
              aria-label="Open calendar"
              onClick={() => setOpen(!open)}
            >
              <IconCalendar size={16} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <DatePicker
              value={date}
              {...(date ? { defaultDate: date } : {})}
              onChange={(picked) => {
                setTyped(null);
                onChange(picked ?? '');
                setOpen(false);
              }}
            />
          </Popover.Dropdown>
        </Popover>
      }
    />
  );
}
