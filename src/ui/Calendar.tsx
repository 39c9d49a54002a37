// The calendar beside a date. It loads when a person first opens one.
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
  // The calendar renders too late for its opener to focus it, so it focuses its day itself.
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
