// The calendar beside a date, loaded when the first one is opened.
import '@mantine/dates/styles.css';
import { DatePicker } from '@mantine/dates';
import { useEffect, useRef } from 'react';

type Props = {
  /** ISO, or null for none. */
  date: string | null;
  onPick: (date: string | null) => void;
};

export default function Calendar({ date, onPick }: Props) {
  const place = useRef<HTMLDivElement>(null);
  // It renders after its opener has looked for something to focus.
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
