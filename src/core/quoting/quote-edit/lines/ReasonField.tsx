// The reason for a price. Initially empty, with the user's latest reasons as choices.
import { TextInput, type TextInputProps } from '@mantine/core';
import { useId } from 'react';
import { useSession } from '#platform/auth/sessions/session.web.ts';

const MOST = 8;

/** The user's latest reasons, newest first, and a function that remembers another one. They stay in this browser. */
export function useReasons(): { reasons: string[]; remember: (reason: string) => void } {
  const key = `quoteboard-reasons-${useSession()?.id ?? 0}`;
  const reasons = readReasons(key);
  return {
    reasons,
    remember: (reason) => {
      const latest = [reason, ...reasons.filter((candidate) => candidate !== reason)].slice(0, MOST);
      try {
        localStorage.setItem(key, JSON.stringify(latest));
      } catch {
        // The browser cannot store anything, so there are no choices next time.
      }
    },
  };
}

function readReasons(key: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((candidate) => typeof candidate === 'string') : [];
  } catch {
    return [];
  }
}

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'list'> & {
  value: string;
  onChange: (reason: string) => void;
  reasons: readonly string[];
};

export function ReasonField({ value, onChange, reasons, ...more }: Props) {
  const list = useId();
  return (
    <>
      <TextInput
        label="Reason"
        required
        maxLength={500}
        list={list}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...more}
      />
      <datalist id={list}>
        {reasons.map((reason) => (
          <option key={reason}>{reason}</option>
        ))}
      </datalist>
    </>
  );
}
