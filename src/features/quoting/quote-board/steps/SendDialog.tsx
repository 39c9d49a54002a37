// Sends the quote with recipients, message, files and always the PDF, and keeps the input after a failure.
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
import ReminderFields from '#features/quoting/customer-reminders/ReminderFields.tsx';
import { isComplete, proposedDays } from '#features/quoting/customer-reminders/reminder-day.ts';
import { MAIL_HOLDS } from '#features/quoting/workflow-calls/documents/mail-size.ts';
import { QuoteWorkflow } from '#features/quoting/workflow-calls/workflow-calls.contract.ts';
import { formatDate } from '#shared/dates.ts';
import { formatAmount } from '#shared/money.ts';
import { paths } from '#shared/paths.ts';
import { ErrorAlert } from '#ui/ErrorAlert.tsx';
import { Form } from '#ui/Form.tsx';
import { useOnce } from '#ui/once.web.ts';
import { saveFile } from '#ui/save-file.web.ts';
import { allSaved, useBoard } from '../state/board.web.ts';
import { isStepGone, StepGone } from './StepGone.tsx';

type Init = OutputOf<typeof QuoteWorkflow.GetInitQuoteSendingEmailData>;

export default function SendDialog({ onClose }: { onClose: () => void }) {
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
        <ErrorAlert error={init.error} title="The email could not be prepared" />
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
  const [documents, setDocuments] = useState<number[]>(
    init.documents.filter(({ offered }) => offered).map(({ id }) => id),
  );
  const [pictures, setPictures] = useState(init.pictures?.shown ?? false);
  const [nextTiers, setNextTiers] = useState(false);
  const { validUntil, today, days, text } = init.reminder;
  const [reminds, setReminds] = useState(days !== null);
  const [reminder, setReminder] = useState({ days: days ?? proposedDays(validUntil, today), text });
  const first = useRef<HTMLInputElement>(null);
  // The form mounts after the dialog, which by then has focused its close button.
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
        documentIds: documents,
        pictures,
        nextTiers,
        reminder: reminds ? reminder : null,
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
    return bad.length > 0 ? `${bad.join(', ')}: this is not an email address` : null;
  };
  const hidden = board.data.files.filter((file) => !init.attachments.some(({ id }) => id === file.id)).length;
  const sizeOf = (all: { id: number; size: number }[], ids: number[]) =>
    all.reduce((sum, { id, size }) => sum + (ids.includes(id) ? size : 0), 0);
  const tooMuch = sizeOf(init.attachments, files) + sizeOf(init.documents, documents) > MAIL_HOLDS;
  const ready =
    to.length > 0 &&
    !wrong(to) &&
    !wrong(cc) &&
    subject.trim() !== '' &&
    body.trim() !== '' &&
    (!reminds || isComplete(reminder, init.reminder));
  const sendOnce = useOnce(send.mutateAsync);
  const isGone = !send.isPending && !send.isSuccess && isStepGone(board.data, init.resend ? 'Resend' : 'Send');
  const submit = () => {
    if (ready && !isGone) sendOnce();
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
              onClick={() => preview.mutate({ id: board.data.quote.id, pictures: pictures ? 'true' : 'false' })}
            >
              {preview.isPending ? 'Generating…' : 'Preview'}
            </Anchor>
          </Group>
          {init.pictures ? (
            <Checkbox
              size="sm"
              label="Show pictures of the items"
              description={picturesHint(init.pictures)}
              disabled={init.pictures.count === 0}
              checked={pictures && init.pictures.count > 0}
              onChange={(event) => setPictures(event.currentTarget.checked)}
            />
          ) : null}
          {init.nextTiers.length > 0 ? (
            <Checkbox
              size="sm"
              label="Tell the customer what another tier would save"
              description={`On the customer’s page, not in the PDF: ${init.nextTiers
                .map(
                  ({ number, tierNo, saving }) =>
                    `${formatAmount(saving, board.data.quote.currnIdx)} less at tier ${tierNo} of ${number}`,
                )
                .join('; ')}.`}
              checked={nextTiers}
              onChange={(event) => setNextTiers(event.currentTarget.checked)}
            />
          ) : null}
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
          {init.documents.map((document) => (
            <Checkbox
              key={`document ${document.id}`}
              size="sm"
              label={
                <>
                  {document.title}{' '}
                  <span className="muted">{[document.category, document.label].filter(Boolean).join(' · ')}</span>
                </>
              }
              checked={documents.includes(document.id)}
              onChange={(event) =>
                setDocuments(
                  event.currentTarget.checked
                    ? [...documents, document.id]
                    : documents.filter((id) => id !== document.id),
                )
              }
            />
          ))}
          {tooMuch ? (
            <Text size="xs" className="muted">
              Attachments are limited to 25 MB. Documents that do not fit are on the customer’s page.
            </Text>
          ) : null}
          {hidden > 0 ? (
            <Text size="xs" className="muted">
              {hidden === 1 ? '1 file of this quote is' : `${hidden} files of this quote are`} not for the customer:
              check ‘Customer sees it’ under Files to attach it.
            </Text>
          ) : null}
        </Stack>
        <Stack gap="xs">
          <Checkbox
            size="sm"
            label="Remind the customer before the quote expires"
            description={`Valid until ${formatDate(validUntil)}`}
            checked={reminds}
            onChange={(event) => setReminds(event.currentTarget.checked)}
          />
          {reminds ? <ReminderFields draft={init.reminder} to={to} value={reminder} onChange={setReminder} /> : null}
        </Stack>
        <Text size="xs" className="muted">
          The email contains the link to the customer’s page.{' '}
          {init.resend ? 'The same revision goes out again, unchanged.' : 'Sending freezes this revision.'}
        </Text>
        {isGone && !send.error ? <StepGone /> : null}
        <ErrorAlert error={send.error ?? preview.error} title={send.error ? 'Not sent' : 'The PDF was not made'} />
        <Group justify="flex-end" className="dialog-foot">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={send.isPending} disabled={!ready || isGone}>
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

function picturesHint({ count, onPageOnly }: NonNullable<Init['pictures']>): string {
  if (count === 0) return 'No item of this quote has a picture for customers.';
  const items = count === 1 ? '1 item has one' : `${count} items have one`;
  return onPageOnly
    ? `${items}. They are too large for the PDF; the customer’s page shows them.`
    : `${items}: in the PDF and on the customer’s page.`;
}
