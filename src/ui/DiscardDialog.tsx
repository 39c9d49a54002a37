// Asks before discarding typed input.
import { Button, Group, Modal, Text } from '@mantine/core';

export function DiscardDialog({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  return (
    <Modal opened onClose={onStay} title="Discard your changes?" size="xs">
      <Text size="sm">What you typed is not saved.</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" data-autofocus onClick={onStay}>
          Keep editing
        </Button>
        <Button color="red" onClick={onDiscard}>
          Discard
        </Button>
      </Group>
    </Modal>
  );
}
