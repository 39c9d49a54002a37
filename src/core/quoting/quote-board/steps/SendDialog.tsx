// Sends the quote with recipients, message, files and always the PDF. Keeps the input after a failure.
import { Anchor, Button, Checkbox, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { api, READ_ANEW } from '#platform/api/client.web.ts';
import { AddressField, wrongAddresses } from '#platform/mail/AddressField.tsx';
import { SubjectAndMessage } from '#platform/mail/SubjectAndMessage.tsx';
import ReminderFields from '#core/quoting/customer-reminders/ReminderFields.tsx';
import { isComplete, proposedDays } from '#core/quoting/customer-reminders/reminder-day.ts';
import { QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { DiscardDialog } from '#platform/ui/DiscardDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import { openInTab } from '#platform/ui/open-in-tab.web.ts';
import { allSaved, useBoard } from '../state/board.web.ts';
import { FacilityChanges } from '../terms/FacilityChanges.tsx';
import { attachedAtFirst, type Init, MailAttachments } from './MailAttachments.tsx';
import StepNews from './StepNews.tsx';
import { isStepGone } from './step-gone.ts';

export default function SendDialog({ onClose }: { onClose: () => void }) {
  const { data } = useBoard();
  /** Whether the user has typed or ticked anything. The form sets it. */
  const changedRef = useRef(false);
  const [asking, setAsking] = useState(false);
  const leave = () => (changedRef.current ? setAsking(true) : onClose());
  const init = useQuery({
    ...api(QuoteWorkflow).GetInitQuoteSendingEmailData.query({ id: data.quote.id }),
    ...READ_ANEW,
  });
  return (
    <Modal
      opened
      onClose={leave}
      size="lg"
      title={init.data?.resend ? 'Send again' : 'Send to customer'}
      closeOnClickOutside={false}
    >
      {init.data ? (
        <MailForm init={init.data} changedRef={changedRef} onLeave={leave} onClose={onClose} />
      ) : init.error ? (
        <ErrorAlert error={init.error} title="The email could not be prepared" onRetry={init.refetch} />
      ) : (
        <Skeleton height={320} />
      )}
      {asking ? <DiscardDialog onStay={() => setAsking(false)} onDiscard={onClose} /> : null}
    </Modal>
  );
}

type FormProps = { init: Init; changedRef: RefObject<boolean>; onLeave: () => void; onClose: () => void };

function MailForm({ init, changedRef, onLeave, onClose }: FormProps) {
  const board = useBoard();
  const [to, setTo] = useState(init.to);
  const [cc, setCc] = useState(init.cc);
  const [subject, setSubject] = useState(init.subject);
  const [body, setBody] = useState(init.body);
  const [attached, setAttached] = useState(() => attachedAtFirst(init));
  const { validUntil, today, days, text } = init.reminder;
  const [reminds, setReminds] = useState(days !== null);
  const [reminder, setReminder] = useState({ days: days ?? proposedDays(validUntil, today), text });
  const first = useRef<HTMLInputElement>(null);
  // The form mounts after the dialog, which has already focused its close button.
  useEffect(() => first.current?.focus(), []);
  const typed = JSON.stringify([to, cc, subject, body, attached, reminds, reminder]);
  const [atFirst] = useState(typed);
  useEffect(() => {
    changedRef.current = typed !== atFirst;
  }, [changedRef, typed, atFirst]);
  const send = useMutation({
    mutationFn: async () =>
      api(QuoteWorkflow).SendEmail({
        quoteId: board.data.quote.id,
        version: (await allSaved(board.store)).quote.version,
        to,
        cc,
        subject,
        body,
        ...attached,
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
  const preview = useMutation({
    mutationFn: (pictures: boolean) =>
      openInTab(async () => {
        const input = { id: board.data.quote.id, pictures: pictures ? 'true' : 'false' } as const;
        return (await api(QuoteWorkflow).GenerateQuotePdf(input)).blob;
      }),
  });
  const ready =
    to.length > 0 &&
    !wrongAddresses([...to, ...cc]) &&
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
        {init.resend ? null : <FacilityChanges />}
        <AddressField label="To" required proposals={init.to} value={to} onChange={setTo} />
        <AddressField label="Cc" proposals={init.cc} value={cc} onChange={setCc} />
        <SubjectAndMessage subject={subject} onSubject={setSubject} body={body} onBody={setBody} first={first} />
        <MailAttachments
          init={init}
          value={attached}
          previewing={preview.isPending}
          onPreview={() => preview.mutate(attached.pictures)}
          onChange={setAttached}
        />
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
          {init.resend
            ? 'The same revision goes out again, unchanged.'
            : 'After you send it, this revision can no longer be changed.'}
        </Text>
        <Group justify="flex-end" className="dialog-foot">
          {send.isPending || send.isSuccess || send.error ? null : <StepNews isGone={isGone} />}
          <div style={{ width: '100%' }}>
            <ErrorAlert
              error={send.error ?? preview.error}
              title={send.error ? 'The quote could not be sent' : 'The PDF could not be created'}
            />
          </div>
          <Button variant="default" onClick={onLeave}>
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
