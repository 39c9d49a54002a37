// The search bar of the lines, which also finds lines that are not rendered: number of hits, next, previous.
import { ActionIcon, CloseButton, Group, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import type { RefObject } from 'react';
import classes from '../lines.module.css';

type Props = {
  inputRef: RefObject<HTMLInputElement | null>;
  word: string;
  /** The number of lines that contain the word, and the index of the current one, from 0. */
  count: number;
  at: number;
  onWord: (word: string) => void;
  onGo: (by: -1 | 1) => void;
  onClose: () => void;
};

export function FindBar({ inputRef, word, count, at, onWord, onGo, onClose }: Props) {
  return (
    <Group role="search" aria-label="Find in lines" gap="xs" px="sm" className={`${classes['find']} no-print`}>
      <TextInput
        ref={inputRef}
        size="xs"
        w={260}
        aria-label="Find in lines"
        placeholder="Find in lines"
        value={word}
        maxLength={100}
        onChange={(event) => onWord(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            onGo(event.shiftKey ? -1 : 1);
          } else if (event.key === 'Escape') {
            event.stopPropagation();
            onClose();
          }
        }}
      />
      <Text size="xs" className="muted tabular" role="status" miw={72}>
        {word.trim() === '' ? '' : count === 0 ? 'Not found' : `${at + 1} of ${count}`}
      </Text>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label="Previous match"
        disabled={count === 0}
        onClick={() => onGo(-1)}
      >
        <IconChevronUp size={16} />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label="Next match"
        disabled={count === 0}
        onClick={() => onGo(1)}
      >
        <IconChevronDown size={16} />
      </ActionIcon>
      <CloseButton size="sm" aria-label="Close search" onClick={onClose} />
    </Group>
  );
}
