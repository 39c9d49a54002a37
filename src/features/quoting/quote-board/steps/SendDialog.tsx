// Sends the quote: recipients, message, files; the PDF is always attached. A failure loses no input.
import {
  Anchor,
  Button,
  Checkbox,
  Group,
  Modal,
  Skeleton,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { api } from '#api/client.web.ts';
import type { OutputOf } from '#api/endpoint.ts';
import { QuoteWorkflow } from '#features/quoting/quote-steps/quote-steps.contract.ts';
import { paths } from '#shared/paths.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { Form } from '#ui/Form.tsx';
import { useOnce } from '#ui/once.web.ts';
import { saveFile } from '#ui/save-file.web.ts';
import { allSaved, useBoard } from '../state/board.web.ts';

type Init = OutputOf<typeof QuoteWorkflow.GetInitQuoteSendingEmailData>;

export function SendDialog({ onClose }: { onClose: () => void }) {
  const { data } = useBoard();
  const init = useQuery({
    ...api(QuoteWorkflow).GetInitQuoteSendingEmailData.query({ id: data.quote.id }),
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={init.data?.resend ? 'Send again' : 'Send to customer'}
      closeOnClickOutside={false}
    >
      {init.data ? (
        <MailForm init={init.data} onClose={onClose} />
      ) : init.error ? (
        <ErrorAlert error={init.error} title="The mail could not be prepared" />
      ) : (
        <Skeleton height={320} />
      )}
    </Modal>
  );
}

function MailForm({ init, onClose }: { init: Init; onClose: () => void }) {
  const board = useBoard();
  const [to, setTo] = useState(init.to);
  const [cc, setCc] = useState(init.cc);
  const [subject, setSubject] = useState(init.subject);
  const [body, setBody] = useState(init.body);
  const [files, setFiles] = useState<number[]>(init.attachments.map((file) => file.id));
  const first = useRef<HTMLInputElement>(null);
  // The form mounts after the dialog, which has focused its close button.
  useEffect(() => first.current?.focus(), []);
  const send = useMutation({
    mutationFn: async () =>
      api(QuoteWorkflow).SendEmail({
        quoteId: board.data.quote.id,
        version: (await allSaved(board.store)).quote.version,
        to,
        cc,
        subject,
        body,
        attachmentIds: files,
      }),
    meta: { blocking: true },
    onSuccess: async (next) => {
      board.store.receive(next);
      onClose();
      notifications.show({ message: `The quote is on its way to ${to.join(', ')}.` });
      await board.store.reload();
    },
    onError: () => board.store.reload(),
  });
  const preview = useMutation({ ...api(QuoteWorkflow).GenerateQuotePdf.mutation(), onSuccess: saveFile });
  const wrong = (addresses: string[]) => {
    const bad = addresses.filter((address) => !z.email().safeParse(address).success);
    return bad.length > 0 ? `${bad.join(', ')}: this is not an e-mail address` : null;
  };
  const hidden = board.data.files.filter((file) => !init.attachments.some(({ id }) => id === file.id)).length;
  const ready = to.length > 0 && !wrong(to) && !wrong(cc) && subject.trim() !== '' && body.trim() !== '';
  const sendOnce = useOnce(send.mutateAsync);
  const submit = () => {
    if (ready) sendOnce();
  };
  return (
    <Form onSubmit={submit}>
      <Stack>
        <TagsInput
          label="To"
          required
          data={init.to}
          value={to}
          onChange={setTo}
          error={wrong(to)}
          acceptValueOnBlur
          splitChars={[',', ';', ' ']}
        />
        <TagsInput
          label="Cc"
          data={init.cc}
          value={cc}
          onChange={setCc}
          error={wrong(cc)}
          acceptValueOnBlur
          splitChars={[',', ';', ' ']}
        />
        <TextInput
          ref={first}
          label="Subject"
          required
          maxLength={300}
          value={subject}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
        <Textarea
          label="Message"
          required
          autosize
          minRows={6}
          maxRows={14}
          maxLength={10_000}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            Attachments
          </Text>
          <Group gap="xs">
            <Checkbox size="sm" checked readOnly disabled label={init.pdfName} />
            <Anchor
              component="button"
              type="button"
              size="sm"
              onClick={() => preview.mutate({ id: board.data.quote.id })}
            >
              {preview.isPending ? 'Making it…' : 'Look at it'}
            </Anchor>
          </Group>
          {init.attachments.map((file) => (
            <Checkbox
              key={file.id}
              size="sm"
              label={file.name}
              checked={files.includes(file.id)}
              onChange={(event) =>
                setFiles(event.currentTarget.checked ? [...files, file.id] : files.filter((id) => id !== file.id))
              }
            />
          ))}
          {hidden > 0 ? (
            <Text size="xs" className="muted">
              {hidden === 1 ? '1 file of this quote is' : `${hidden} files of this quote are`} not for the customer:
              tick ‘Customer sees it’ under Files to attach it.
            </Text>
          ) : null}
        </Stack>
        <Text size="xs" className="muted">
          The mail carries the link to the customer’s page.{' '}
          {init.resend ? 'The same revision goes out again, unchanged.' : 'Sending freezes this revision.'}
        </Text>
        <ErrorAlert error={send.error ?? preview.error} title={send.error ? 'Not sent' : 'The PDF was not made'} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={send.isPending} disabled={!ready}>
            {init.resend ? 'Send again' : 'Send'}
          </Button>
        </Group>
        {board.data.quote.docId ? (
          <Anchor size="sm" href={paths.quoteDoc(board.data.quote.docId)} target="_blank">
            Open the customer’s page
          </Anchor>
        ) : null}
      </Stack>
    </Form>
  );
}
