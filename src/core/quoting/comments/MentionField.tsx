// A comment field that suggests colleagues who can see the quote when the user types `@`.
import { Combobox, Textarea, useCombobox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { Comment } from './comments.contract.ts';
import { typedMention } from './mentions.ts';

type Props = {
  quoteId: number;
  label: string;
  description?: string;
  /** Whether the field suggests names. */
  mentions: boolean;
  value: string;
  onType: (text: string) => void;
  inputRef?: RefObject<HTMLTextAreaElement | null>;
};

const OFFERED = 8;

export function MentionField(props: Props) {
  const { quoteId, label, description, mentions, value, onType, inputRef } = props;
  const [caret, setCaret] = useState(0);
  const [left, setLeft] = useState<number | null>(null);
  const typed = mentions ? typedMention(value, caret) : null;
  const { data } = useQuery({
    ...api(Comment).GetMentionable.query({ quoteId }),
    enabled: typed !== null,
    staleTime: 60_000,
  });
  const names = [...new Set(data?.people.map(({ name }) => name))].filter((name) =>
    name
      .toLowerCase()
      .split(' ')
      .some((_, index, words) =>
        words
          .slice(index)
          .join(' ')
          .startsWith((typed ?? '').toLowerCase()),
      ),
  );
  const isWhole = names.length === 1 && names[0]?.toLowerCase() === typed?.toLowerCase();
  const isOpen = typed !== null && names.length > 0 && !isWhole && left !== caret;
  const combobox = useCombobox({ opened: isOpen });
  // Enter chooses the first name.
  const offer = useEffectEvent(() => isOpen && combobox.selectFirstOption());
  const offered = names.slice(0, OFFERED).join('\n');
  useEffect(() => void offer(), [isOpen, offered]);
  const choose = (name: string) => {
    const start = caret - (typed ?? '').length;
    onType(`${value.slice(0, start)}${name} ${value.slice(caret)}`);
    setCaret(start + name.length + 1);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start" withinPortal>
      <Combobox.Target>
        <Textarea
          ref={inputRef}
          label={label}
          description={description}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={5000}
          value={value}
          onChange={(event) => {
            setCaret(event.currentTarget.selectionStart);
            onType(event.currentTarget.value);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !isOpen) return;
            event.stopPropagation();
            setLeft(caret);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!isOpen}>
        <Combobox.Options aria-label="Colleagues">
          {names.slice(0, OFFERED).map((name) => (
            <Combobox.Option key={name} value={name}>
              {name}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
