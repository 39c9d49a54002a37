// Shows the secret of an authenticator app, as a picture for its camera and as letters, and asks for the first code.
import { Box, Button, Code, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { DialogButtons } from '#platform/ui/DialogButtons.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { QrCode } from '#platform/ui/QrCode.tsx';
import { SecondFactor } from './second-factor.contract.ts';

type Props = {
  setup: { secret: string; address: string };
  onDone: (recoveryCodes: string[]) => void;
  onClose: () => void;
};

export function SetUpDialog({ setup, onDone, onClose }: Props) {
  const [code, setCode] = useState('');
  const confirm = useMutation({
    ...api(SecondFactor).ConfirmSecondFactor.mutation(),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  const wrong = confirm.error instanceof HttpError ? confirm.error.errors?.[0]?.message : undefined;
  return (
    <Modal opened onClose={onClose} title="Set up an authenticator app" closeOnClickOutside={false}>
      <Form label="Authenticator app" onSubmit={() => confirm.mutate({ code })}>
        <Stack>
          <Text size="sm">1. Scan this with an authenticator app on your phone, or type the letters into it.</Text>
          <Box w={200} mx="auto">
            <QrCode text={setup.address} label="QR code for the authenticator app" />
          </Box>
          <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', textAlign: 'center' }}>
            {setup.secret.match(/.{1,4}/g)?.join(' ')}
          </Code>
          <ErrorAlert error={wrong ? null : confirm.error} />
          <TextInput
            label="2. The code that the app shows now"
            autoComplete="one-time-code"
            inputMode="numeric"
            spellCheck={false}
            maxLength={40}
            data-autofocus
            value={code}
            error={wrong}
            aria-invalid={wrong ? true : undefined}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          <DialogButtons onCancel={onClose}>
            <Button type="submit" loading={confirm.isPending}>
              Confirm
            </Button>
          </DialogButtons>
        </Stack>
      </Form>
    </Modal>
  );
}
