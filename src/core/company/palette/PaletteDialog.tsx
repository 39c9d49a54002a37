// The dialog of the palette: its field, and the results below it.
import { CloseButton, Group, Modal, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { NARROW } from '#platform/ui/DataList.tsx';
import { focusNow, type PaletteDialogProps } from './Palette.tsx';
import { LIST_ID, PaletteList } from './PaletteList.tsx';
import classes from './palette.module.css';

export default function PaletteDialog(props: PaletteDialogProps) {
  const { opened, onClose, id, text, onType } = props;
  /** The id of the highlighted entry. */
  const [marked, setMarked] = useState<string>();
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const onListKey = useRef<(event: KeyboardEvent) => void>(null);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
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
            id={id}
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
            aria-controls={LIST_ID}
            aria-activedescendant={marked}
            value={text}
            onChange={(event) => onType(event.currentTarget.value)}
            onKeyDown={(event) => onListKey.current?.(event)}
          />
          <CloseButton aria-label="Close" onClick={onClose} />
        </Group>
        <PaletteList {...props} keyRef={onListKey} onHighlight={setMarked} />
        {narrow ? null : (
          <Text size="xs" className={`muted ${classes['foot']}`}>
            ↑ ↓ to choose · Enter opens · Ctrl+Enter opens in a new tab · Esc closes
          </Text>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}
