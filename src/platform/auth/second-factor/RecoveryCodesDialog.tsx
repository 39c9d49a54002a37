// Shows new recovery codes. They cannot be shown again later.
import { Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core';

type Props = { codes: string[]; onClose: () => void };

export function RecoveryCodesDialog({ codes, onClose }: Props) {
  return (
    // Only the button closes it: a stray click would lose the codes.
    <Modal
      opened
      onClose={onClose}
      title="Your recovery codes"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Text size="sm">
          Store them where you can find them without your phone. Each works once, after your password, when you don't
          have your app or passkey. They are shown only once.
        </Text>
        <Code block style={{ textAlign: 'center' }}>
          {codes.join('\n')}
        </Code>
        <Group justify="flex-end">
          <CopyButton value={codes.join('\n')}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy} data-autofocus>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Button onClick={onClose}>I have saved them</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
