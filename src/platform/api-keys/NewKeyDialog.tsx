// Shows a new API key. It cannot be shown again later.
import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';

type Props = { name: string; secret: string; what?: string; onClose: () => void };

/** `what` names the secret: 'key', or 'secret' for a webhook. */
export function NewKeyDialog({ name, secret, what = 'key', onClose }: Props) {
  return (
    // Only the button closes it: a stray click would lose the key.
    <Modal
      opened
      onClose={onClose}
      title={`The ${what} of ${name}`}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text size="sm">Copy it now and store it with the program's other secrets. It is shown only once.</Text>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {secret}
        </Code>
        <Group justify="flex-end">
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy} data-autofocus>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>I have saved it</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
