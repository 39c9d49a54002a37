// A Select for the first screen of many users. It looks like a Select at once, and becomes one after the screen has loaded or when it is used.
import { type SelectProps, TextInput } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { type ComponentType, type KeyboardEvent, useEffect, useState } from 'react';
import type { Used } from './LazySelectOpened.tsx';
import { setGlobalError } from './global-error.web.ts';
import { soon } from './after-first-screen.web.ts';

type Choices = { value: string; label: string }[];
type Props = Omit<SelectProps, 'data' | 'searchable'> & { data: Choices; searchable: boolean };

const COMBOBOX = { role: 'combobox', 'aria-haspopup': 'listbox', 'aria-expanded': false } as const;

let LazySelectOpened: ComponentType<SelectProps & { used: Used | null }> | null = null;

export function LazySelect(props: Props) {
  const { label, placeholder, data, value, searchable } = props;
  const [isTime, setIsTime] = useState(LazySelectOpened !== null);
  const [focused, setFocused] = useState(false);
  /** The interaction before the Select was loaded. */
  const [used, setUsed] = useState<Used | null>(null);
  const [, setThere] = useState(false);
  useEffect(() => soon(() => setIsTime(true)), []);
  useEffect(() => {
    if ((!isTime && !focused) || LazySelectOpened) return;
    import('./LazySelectOpened.tsx').then(
      (loaded) => {
        LazySelectOpened = loaded.default;
        setThere(true);
      },
      () => focused && setGlobalError('The choices could not be loaded. Check the network and reload the page.'),
    );
  }, [isTime, focused]);
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const types = searchable && key.length === 1 && !ctrlKey && !metaKey && !altKey;
    if (!types && !/^Arrow(Down|Up)$/.test(key) && (searchable || !/^(Enter| )$/.test(key))) return;
    event.preventDefault();
    setUsed((now) => ({ search: (now?.search ?? '') + (types ? key : '') }));
  };
  // While the field has the focus, it is replaced only if it is to open, because a press that has begun must still end on it.
  if (LazySelectOpened && (used || !focused)) return <LazySelectOpened {...props} used={used} />;
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={data.find((candidate) => candidate.value === value)?.label ?? ''}
      readOnly
      pointer={!searchable}
      {...COMBOBOX}
      rightSection={<IconSelector size={16} aria-hidden className="muted" />}
      rightSectionPointerEvents="none"
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onClick={() => setUsed({ search: '' })}
      onKeyDown={onKeyDown}
    />
  );
}
