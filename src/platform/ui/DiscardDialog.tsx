// Prompts before typed input is discarded.
import { Button, Group, Modal, Text } from '@mantine/core';

type Props = { title?: string; text?: string; onStay: () => void; onDiscard: () => void };

export function DiscardDialog({
  title = 'Discard your changes?',
  text = 'What you typed is not saved.',
  onStay,
  onDiscard,
}: Props) {
  return (
    <Modal opened onClose={onStay} title={title} size="xs">
      <Text size="sm">{text}</Text>
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
