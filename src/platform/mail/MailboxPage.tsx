// The mailbox screen: the program's outgoing mail with text, attachments and state.
import { Alert, Anchor, Button, Code, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPaperclip } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ClearedNote } from '#platform/history/ClearedNote.tsx';
import { formatInstant } from '#platform/shared/dates.ts';
import { paths } from '#platform/shared/paths.ts';
import { Chip } from '#platform/ui/Chip.tsx';
import { type Column, DataList } from '#platform/ui/DataList.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { FilterSelect } from '#platform/ui/FilterSelect.tsx';
import { KeywordField, ListPage } from '#platform/ui/ListPage.tsx';
import { RowLink } from '#platform/ui/RowLink.tsx';
import { useRecordList } from '#platform/ui/record-list.web.ts';
import { saveFile } from '#platform/ui/save-file.web.ts';
import type { Tone } from '#platform/ui/tones.ts';
import { MAIL_STATES, Mailbox, type MailRow, type MailState } from './mailbox.contract.ts';

const STATES: Record<MailState, { label: string; tone: Tone }> = {
  Waiting: { label: 'Waiting', tone: 'blue' },
  HandingOver: { label: 'Being sent', tone: 'blue' },
  Sent: { label: 'Sent', tone: 'green' },
  Uncertain: { label: 'Uncertain', tone: 'orange' },
  Failed: { label: 'Failed', tone: 'red' },
};

export default function MailboxPage() {
  const list = useRecordList({
    name: 'mailbox',
    filters: { keyword: '', state: '' },
    sort: { field: 'createdAt', dir: 'desc' },
    criteria: ({ keyword, state }) => ({
      keyword,
      state: MAIL_STATES.find((mailState) => mailState === state) ?? null,
    }),
    find: api(Mailbox).SearchMail,
    pageSize: 20,
    every: 10_000,
  });
  const [reading, setReading] = useState<number | null>(null);
  const uncertain = (list.found.data?.records ?? []).filter((row) => row.state === 'Uncertain').map(({ id }) => id);
  const decide = useDecide();
  return (
    <ListPage
      title="Mailbox"
      noun={['email', 'emails']}
      {...list.page}
      hint="An uncertain email may or may not have arrived. Ask the customer, or look for its Message-ID in the log of the mail server."
      actions={
        list.filters.state === 'Uncertain' && uncertain.length > 0 ? (
          <DecideButtons
            ids={uncertain}
            decide={decide}
            what={uncertain.length === 1 ? 'It' : `All ${uncertain.length}`}
          />
        ) : undefined
      }
      alert={
        <>
          <HeldMail />
          <ClearedNote kind="mail" what="Emails sent" px="md" />
          <ErrorAlert error={decide.error} title="The decision could not be saved" onClose={decide.reset} />
        </>
      }
      filters={
        <>
          <KeywordField label="Address or subject" {...list.field('keyword')} />
          <FilterSelect
            label="State"
            w={140}
            all="All"
            choices={MAIL_STATES.map((mailState) => ({ value: mailState, label: STATES[mailState].label }))}
            {...list.field('state')}
          />
        </>
      }
    >
      <DataList
        label="Mail"
        columns={columnsOf(setReading)}
        {...list.rows}
        onOpen={(row) => setReading(row.id)}
        card={(row) => <MailCard row={row} onOpen={setReading} />}
      />
      {reading === null ? null : <MailDialog id={reading} onClose={() => setReading(null)} />}
    </ListPage>
  );
}

/** Warns that this is a restored copy, which sends no mail until a user releases it. */
function HeldMail() {
  const queries = useQueryClient();
  const held = useQuery(api(Mailbox).GetMailHeld.query({}));
  const release = useMutation({
    ...api(Mailbox).ReleaseMail.mutation(),
    onSuccess: () => void queries.invalidateQueries(),
  });
  if (held.error && !held.data)
    return <ErrorAlert error={held.error} title="The mail status could not be loaded" onRetry={held.refetch} />;
  if (!held.data?.since) return null;
  return (
    <Alert color="orange" title="Mail is held">
      <Stack gap="xs" align="start">
        <Text size="sm">
          This database was restored from a backup ({formatInstant(held.data.since)}), so no email goes out. Decide the
          uncertain emails first: the server that was backed up may have sent them. Then release the email here.
        </Text>
        <ErrorAlert error={release.error} title="The mail could not be released" />
        <Button loading={release.isPending} onClick={() => release.mutate({})}>
          Release Mail
        </Button>
      </Stack>
    </Alert>
  );
}

function useDecide(onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    ...api(Mailbox).DecideMails.mutation(),
    onSuccess: ({ decided }, { arrived }) => {
      const mails = decided === 1 ? '1 email' : `${decided} emails`;
      notifications.show({ message: arrived ? `${mails} marked as arrived.` : `${mails} sent again.` });
      void queries.invalidateQueries();
      onDone?.();
    },
  });
}

/** Buttons for one mail or all listed mails. Each requires a confirmation, because sending again may deliver a mail twice. */
function DecideButtons({ ids, decide, what }: { ids: number[]; decide: ReturnType<typeof useDecide>; what: string }) {
  return (
    <>
      <Button variant="default" loading={decide.isPending} onClick={() => decide.mutate({ ids, arrived: true })}>
        {what} arrived
      </Button>
      <Button loading={decide.isPending} onClick={() => decide.mutate({ ids, arrived: false })}>
        Send {what === 'It' ? 'it' : what.toLowerCase()} again
      </Button>
    </>
  );
}

const columnsOf = (onOpen: (id: number) => void): Column<MailRow>[] => [
  {
    field: 'createdAt',
    title: 'Written',
    render: (row) => <span className="tabular">{formatInstant(row.createdAt)}</span>,
  },
  { title: 'To', width: 260, render: (row) => row.recipients.join(', ') },
  { field: 'subject', title: 'Subject', width: 420, render: (row) => <SubjectLink row={row} onOpen={onOpen} /> },
  { field: 'state', title: 'State', render: (row) => <StateChip state={row.state} /> },
  { title: 'Quote', render: (row) => <QuoteLink row={row} /> },
];

function SubjectLink({ row, onOpen }: { row: MailRow; onOpen: (id: number) => void }) {
  return <RowLink name={row.subject || '(no subject)'} onOpen={() => onOpen(row.id)} />;
}

function StateChip({ state }: { state: MailState }) {
  return <Chip tone={STATES[state].tone}>{STATES[state].label}</Chip>;
}

function QuoteLink({ row }: { row: Pick<MailRow, 'quoteId' | 'quoteNum'> }) {
  if (row.quoteId === null) return null;
  return (
    <Anchor component={Link} to={paths.internalBoard(row.quoteId)} className="tabular">
      {row.quoteNum}
    </Anchor>
  );
}

function MailCard({ row, onOpen }: { row: MailRow; onOpen: (id: number) => void }) {
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" align="start">
        <SubjectLink row={row} onOpen={onOpen} />
        <StateChip state={row.state} />
      </Group>
      <Text size="sm" className="muted ellipsis">
        {row.recipients.join(', ')} · {formatInstant(row.createdAt)}
      </Text>
    </Stack>
  );
}

function MailDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const queries = useQueryClient();
  const mail = useQuery({ ...api(Mailbox).GetMail.query({ id }), staleTime: 0 });
  const attachment = useMutation({ ...api(Mailbox).GetMailAttachment.mutation(), onSuccess: saveFile });
  const again = useMutation({
    ...api(Mailbox).SendMailAgain.mutation(),
    onSuccess: () => {
      notifications.show({ message: 'The email will be retried.' });
      void queries.invalidateQueries({ queryKey: api(Mailbox).SearchMail.key });
      onClose();
    },
  });
  const decide = useDecide(onClose);
  const { data } = mail;
  return (
    <Modal opened onClose={onClose} title={data?.subject ?? 'Mail'} size="lg">
      <ErrorAlert error={mail.error} title="This email could not be loaded" onRetry={mail.refetch} />
      {data ? (
        <Stack gap="sm">
          <Group justify="space-between" align="start">
            <div>
              <Text size="sm">To {data.recipients.join(', ')}</Text>
              {data.cc.length > 0 ? <Text size="sm">Cc {data.cc.join(', ')}</Text> : null}
              <Text size="sm" className="muted">
                Written {formatInstant(data.createdAt)}
                {data.sentAt
                  ? `, ${data.embedded ? 'put into the mailbox' : 'accepted by the mail server'} ${formatInstant(data.sentAt)}`
                  : ''}{' '}
                <QuoteLink row={data} />
              </Text>
              <Text size="sm" className="muted" style={{ overflowWrap: 'anywhere' }}>
                Message-ID {data.messageId}
              </Text>
            </div>
            <StateChip state={data.state} />
          </Group>
          {data.lastError ? <ErrorAlert error={data.lastError} title={`After ${data.tries} attempts`} /> : null}
          {data.secret ? (
            <Text size="sm" className="muted">
              {data.subject} to {data.recipients.join(', ')}. Its text is a secret:{' '}
              {data.embedded
                ? 'no screen shows it. It is a file in DATA_DIR/mailbox on the server.'
                : 'only the recipient can read it.'}
            </Text>
          ) : (
            <Code block style={{ whiteSpace: 'pre-wrap', fontFamily: 'inherit', overflowWrap: 'anywhere' }}>
              {data.body}
            </Code>
          )}
          {data.files.map((file, index) => (
            <Group key={file.name} gap={4}>
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<IconPaperclip size={14} aria-hidden />}
                loading={attachment.isPending}
                onClick={() => attachment.mutate({ id, index })}
              >
                {file.name}
              </Button>
            </Group>
          ))}
          <ErrorAlert error={attachment.error ?? again.error ?? decide.error} />
          {data.state === 'Failed' ? (
            <Group justify="flex-end">
              <Button loading={again.isPending} onClick={() => again.mutate({ id })}>
                Send Again
              </Button>
            </Group>
          ) : null}
          {data.state === 'Uncertain' ? (
            <Group justify="flex-end">
              <DecideButtons ids={[id]} decide={decide} what="It" />
            </Group>
          ) : null}
        </Stack>
      ) : mail.error ? null : (
        <Skeleton height={200} aria-label="Loading" />
      )}
    </Modal>
  );
}
