// Limits a list to days: a date field that searches as soon as its day is valid.
import { useState } from 'react';
import { parseDate } from '#platform/shared/dates.ts';
import { DateField } from './DateField.tsx';

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The first day of the period that ends with this date. */
  notBefore?: string;
};

export function DateFilter({ label, value, onChange, notBefore = '' }: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  const wrong = value !== '' && notBefore !== '' && parseDate(notBefore) && value < notBefore;
  return (
    <DateField
      aria-label={label}
      placeholder={`${label} mm/dd/yyyy`}
      w={165}
      value={draft ?? value}
      {...(wrong ? { error: 'This is before the first day' } : {})}
      onChange={(next) => {
        const whole = next === '' || parseDate(next) !== null;
        setDraft(whole ? null : next);
        if (whole && next !== value) onChange(next);
      }}
    />
  );
}
