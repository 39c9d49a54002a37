// Ctrl+K on every screen: one field that finds and opens anything. Its dialog loads soon after the screen, or at its first use.
import { ActionIcon } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Hint } from '#platform/ui/Hint.tsx';
import { useKeys } from '#platform/ui/keys.tsx';
import { laterOver } from '#platform/ui/later.tsx';
import classes from './palette.module.css';

export type PaletteDialogProps = {
  opened: boolean;
  onClose: () => void;
  /** The id of the field. */
  id: string;
  userId: number;
  screens: PaletteScreen[];
  text: string;
  onType: (text: string) => void;
  /** Set if Enter was pressed before the dialog was loaded. */
  entered: Entered | null;
  onEnter: (entered: Entered) => void;
};

/** A screen that this user may open. */
export type PaletteScreen = { label: string; to: string };

/** Opens the first result for the text. */
export type Entered = { text: string; inNewTab: boolean };

const FIELD = 'palette-field';

/** Receives what is typed before the dialog is loaded. */
function EarlyField({ id, text, onType, onEnter, onClose }: PaletteDialogProps) {
  return (
    <div role="dialog" aria-label="Find anything" aria-busy className={classes['early']}>
      <input
        id={id}
        ref={focusNow}
        aria-label="Find anything"
        maxLength={500}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={({ key, ctrlKey, metaKey }) => {
          if (key === 'Enter') onEnter({ text: text.trim(), inNewTab: ctrlKey || metaKey });
          if (key === 'Escape') onClose();
        }}
      />
    </div>
  );
}

const PaletteDialog = laterOver(
  () => import('./PaletteDialog.tsx'),
  'The search could not be loaded. Check the network and reload the page.',
  EarlyField,
);

/** Focuses the field at once, not a moment later as dialogs do, because the next keys are meant for it. */
export const focusNow = (field: HTMLElement | null) => field?.focus();

/** The button that opens the palette, and the palette. `screens` are offered while typing, in this order. */
export function Palette({ userId, screens }: { userId: number; screens: PaletteScreen[] }) {
  const [opened, setOpened] = useState(false);
  const [text, setText] = useState('');
  const [entered, setEntered] = useState<Entered | null>(null);
  const before = useRef<Element | null>(null);
  const open = () => {
    before.current = document.activeElement;
    setText('');
    setEntered(null);
    setOpened(true);
  };
  /** Returns the focus to its previous place before the chosen action runs. */
  const close = () => {
    flushSync(() => setOpened(false));
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  };
  useKeys([
    {
      key: 'mod+k',
      label: 'Find anything',
      run: () => (opened ? close() : open()),
      // A form in a dialog must be finished first.
      whileTyping: (field) => field.id === FIELD || field.closest('[role="dialog"]') === null,
      atFocus: true,
    },
  ]);
  return (
    <>
      <Hint label="Find anything (Ctrl+K)">
        <ActionIcon variant="subtle" color="gray" aria-label="Find anything" onClick={open}>
          <IconSearch size={18} />
        </ActionIcon>
      </Hint>
      <PaletteDialog
        id={FIELD}
        opened={opened}
        onClose={close}
        userId={userId}
        screens={screens}
        text={text}
        onType={setText}
        entered={entered}
        onEnter={setEntered}
      />
    </>
  );
}
