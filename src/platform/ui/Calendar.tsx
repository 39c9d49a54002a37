// The calendar beside a date field. It loads when the user first opens one.
import '@mantine/dates/styles.css';
import { Popover } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { cloneElement, useEffect, useRef } from 'react';
import type { OfButton } from './later.tsx';

export type CalendarProps = {
  /** ISO, or null for none. */
  date: string | null;
  onPick: (date: string | null) => void;
};

export default function Calendar({ date, onPick, button, opened, onChange }: CalendarProps & OfButton) {
  return (
    <Popover opened={opened} onChange={onChange} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>{cloneElement(button, { onClick: () => onChange(!opened) })}</Popover.Target>
      <Popover.Dropdown>
        <Days
          date={date}
          onPick={(picked) => {
            onPick(picked);
            onChange(false);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function Days({ date, onPick }: CalendarProps) {
  const place = useRef<HTMLDivElement>(null);
  // Otherwise the dropdown would focus its first button instead of the day.
  useEffect(() => place.current?.querySelector<HTMLElement>('table button[tabindex="0"]')?.focus(), []);
  return (
    <DatePicker
      ref={place}
      value={date}
      {...(date ? { defaultDate: date } : {})}
      onChange={onPick}
      firstDayOfWeek={0}
      weekendDays={[]}
      highlightToday
      hideOutsideDates
      ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
    />
  );
}
