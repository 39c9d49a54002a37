// Ctrl+K on every screen: one field that finds and opens anything. What it finds is loaded with its first use.
import { ActionIcon, CloseButton, Group, Modal, Text, TextInput, Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { NARROW } from '#ui/DataList.tsx';
import { useKeys } from '#ui/keys.tsx';
import { later } from '#ui/later.tsx';
import classes from './palette.module.css';

/** A screen that this person may open. */
export type PaletteScreen = { label: string; to: string };

const PaletteList = later(() => import('./PaletteList.tsx'), {
  loading: <div className={classes['list']} aria-busy />,
  failed: 'The search could not be loaded. Check the network and reload the page.',
});

const FIELD = 'palette-field';
export const LIST = 'palette-list';

const focusNow = (field: HTMLElement | null) => field?.focus();

/** The button that opens the palette, and the palette. `screens` are offered while typing, in this order. */
export function Palette({ userId, screens }: { userId: number; screens: PaletteScreen[] }) {
  const [opened, setOpened] = useState(false);
  const [text, setText] = useState('');
  /** The id of the marked entry. */
  const [marked, setMarked] = useState<string>();
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const before = useRef<Element | null>(null);
  const onListKey = useRef<(event: KeyboardEvent) => void>(null);
  const open = () => {
    before.current = document.activeElement;
    setText('');
    setMarked(undefined);
    setOpened(true);
  };
  /** The focus is back where it was before what was chosen happens. */
  const close = () => {
    flushSync(() => setOpened(false));
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  };
  useKeys([
    {
      key: 'mod+k',
      label: 'Find anything',
      run: () => (opened ? close() : open()),
      // A form in a dialog is finished first.
      whileTyping: (field) => field.id === FIELD || field.closest('[role="dialog"]') === null,
      atFocus: true,
    },
  ]);
  return (
    <>
      <Tooltip label="Find anything (Ctrl+K)">
        <ActionIcon variant="subtle" color="gray" aria-label="Find anything" onClick={open}>
          <IconSearch size={18} />
        </ActionIcon>
      </Tooltip>
      <Modal.Root
        opened={opened}
        onClose={close}
        fullScreen={narrow}
        size="lg"
        yOffset="10vh"
        centered={false}
        returnFocus={false}
        transitionProps={{ duration: 0 }}
      >
        <Modal.Overlay />
        <Modal.Content aria-label="Find anything">
          <Group gap="xs" p="sm" wrap="nowrap" className={classes['head']}>
            <TextInput
              id={FIELD}
              // At once, not a moment later as dialogs do: what is typed next is meant for this field.
              ref={focusNow}
              data-autofocus
              flex={1}
              size="md"
              variant="unstyled"
              maxLength={500}
              aria-label="Find anything"
              placeholder="Quote, facility, PO number, item, screen…"
              leftSection={<IconSearch size={18} aria-hidden />}
              role="combobox"
              aria-expanded
              aria-autocomplete="list"
              aria-controls={LIST}
              aria-activedescendant={marked}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => onListKey.current?.(event)}
            />
            <CloseButton aria-label="Close" onClick={close} />
          </Group>
          <PaletteList
            userId={userId}
            screens={screens}
            text={text}
            keyRef={onListKey}
            onMark={setMarked}
            onClose={close}
          />
          {narrow ? null : (
            <Text size="xs" className={`muted ${classes['foot']}`}>
              ↑ ↓ to choose · Enter opens · Ctrl+Enter opens in a new tab · Esc closes
            </Text>
          )}
        </Modal.Content>
      </Modal.Root>
    </>
  );
}
