// The blocking 'Processing...' dialog, shown while a mutation marked `meta: { blocking: true }` runs (specification section 2, Shell).
import { Group, Loader, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useIsMutating } from '@tanstack/react-query';

export function Processing() {
  const running = useIsMutating({ predicate: (mutation) => mutation.options.meta?.['blocking'] === true }) > 0;
  // Waits before it shows, so that a quick action does not flash a dialog.
  const [long] = useDebouncedValue(running, 250);
  return (
    <Modal
      opened={running && long}
      onClose={() => {}}
      withCloseButton={false}
      // The result may have moved the focus, for example to a refused field; `keepFocus` restores a focus that is lost.
      returnFocus={false}
      size="xs"
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Processing..."
    >
      <Group justify="center" p="sm">
        <Loader size="sm" />
      </Group>
    </Modal>
  );
}
