// A field for several email addresses. It accepts them as users type them and as mail programs copy them.
import { TagsInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { z } from 'zod';
import { distinctAddresses, readAddresses } from '#platform/shared/mail-addresses.ts';

type Props = {
  label: string;
  value: string[];
  onChange: (addresses: string[]) => void;
  required?: boolean;
  /** Suggested addresses. */
  proposals?: string[];
};

export function AddressField({ label, value, onChange, required = false, proposals = [] }: Props) {
  const [text, setText] = useState('');
  // Enter, leaving the field and pasting add the text unchanged.
  const change = (texts: string[]) => onChange(distinctAddresses(texts.flatMap(readAddresses)));
  const addAtSeparator = (event: KeyboardEvent) => {
    if (!endsEntry(text, event.key)) return;
    event.preventDefault();
    change([...value, text]);
    setText('');
  };
  return (
    <TagsInput
      label={label}
      required={required}
      data={proposals}
      value={value}
      onChange={change}
      searchValue={text}
      onSearchChange={setText}
      onKeyDown={addAtSeparator}
      // A name may contain a comma, so `readAddresses` decides where an entry ends.
      splitChars={[]}
      acceptValueOnBlur
      error={wrongAddresses(value)}
    />
  );
}

/** Returns whether a key ends the entry, because users type it between addresses and it is not part of a name. */
function endsEntry(text: string, key: string): boolean {
  const isInQuotes = text.split('"').length % 2 === 0;
  if (text.trim() === '' || isInQuotes) return false;
  const isOpen = text.lastIndexOf('<') > text.lastIndexOf('>');
  return key === ';' || ((key === ',' || key === ' ') && text.includes('@') && !isOpen);
}

/** Returns 'bob: this is not an email address', or null if all are addresses. */
export function wrongAddresses(addresses: readonly string[]): string | null {
  const wrong = addresses.filter((address) => !z.email().safeParse(address).success);
  return wrong.length > 0 ? `${wrong.join(', ')}: this is not an email address` : null;
}
