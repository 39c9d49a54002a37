// The activity, comments, files and revisions of the quote.
import { Anchor, Button, Checkbox, FileButton, Group, Menu, Stack, Tabs, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { ItemSearch } from '#core/catalog/items/items.contract.ts';
import { type CommentAbout, useComments, useWantedComment } from '#core/quoting/comments/comments.web.ts';
import type { QuoteEvent, QuoteFile, QuoteRevision } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { eventWords } from '#core/quoting/quotes/events/event-words.ts';
import { openingsWords } from '#core/quoting/quotes/customer-views.ts';
import { quoteNumber, STATUS_LABELS, type StatusId } from '#core/quoting/quotes/status.ts';
import { QuoteFileUpload, QuoteWorkflow } from '#core/quoting/workflow-calls/workflow-calls.contract.ts';
import { capitalized } from '#platform/shared/capitalized.ts';
import { formatDate, formatInstant, formatTime, isToday } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import { paths } from '#platform/shared/paths.ts';
import { copyLink } from '#platform/ui/copy-link.web.ts';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { later } from '#platform/ui/later.tsx';
import { saveFile } from '#platform/ui/save-file.web.ts';
import { useBoard } from '../state/board.web.ts';
import { CompareDialog } from './CompareDialog.tsx';

const CommentsPanel = later(() => import('#core/quoting/comments/CommentsPanel.tsx'), {
  failed: 'The comments could not be loaded.',
});

type Props = {
  /** The line to comment on. Null when the user has not chosen one. */
  about: CommentAbout | null;
  onWhole: () => void;
};

export function RailTabs({ about, onWhole }: Props) {
  const { data, store } = useBoard();
  const wanted = useWantedComment();
  const [tab, setTab] = useState<string | null>(about || wanted !== null ? 'comments' : 'activity');
  const [opened, setOpened] = useState(about);
  if (about !== opened) {
    setOpened(about);
    if (about) setTab('comments');
  }
  const comments = useComments(data.quote.id).data?.comments.filter(({ deletedBy }) => !deletedBy).length ?? 0;
  return (
    <section className="card" aria-label="Activity and files">
      <Tabs value={tab} onChange={setTab} keepMounted={false} styles={{ tab: { paddingInline: 8 } }}>
        <Tabs.List>
          <Tabs.Tab value="activity">Activity</Tabs.Tab>
          <Tabs.Tab value="comments">Comments {comments > 0 ? comments : ''}</Tabs.Tab>
          <Tabs.Tab value="files">Files {data.files.length > 0 ? data.files.length : ''}</Tabs.Tab>
          <Tabs.Tab value="revisions">Revisions {data.revisions.length > 0 ? data.revisions.length : ''}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="activity" p="sm">
          <Activity events={data.events} />
        </Tabs.Panel>
        {/* Not named after its tab, because the dialogs of steps have a field 'Comment'. */}
        <span id="thread-name" hidden>
          Discussion
        </span>
        <Tabs.Panel value="comments" p="sm" aria-labelledby="thread-name">
          <CommentsPanel
            quoteId={data.quote.id}
            about={about}
            wanted={wanted}
            onWhole={onWhole}
            wasSent={data.revisions.some(({ state }) => state !== 'Revoked')}
            onChange={() => void store.reloadActivity().catch(() => {})}
          />
        </Tabs.Panel>
        <Tabs.Panel value="files" p="sm">
          <Files />
        </Tabs.Panel>
        <Tabs.Panel value="revisions" p="sm">
          <Revisions />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}

/** With this number of events, the cards below stay visible. */
const FEW = 4;
const FEW_CHANGES = 6;

/** How long typing must pause before the page reads the activity, in milliseconds. */
const PAUSE = 1000;

/** Reads the activity again after saves of single lines, while the tab is visible. */
function useFreshActivity(): void {
  const { activityLags, data, store } = useBoard();
  const { version } = data.quote;
  useEffect(() => {
    if (!activityLags) return undefined;
    // After a failure the old activity stays. The next save, or returning to the tab, reads it again.
    const timer = setTimeout(() => void store.reloadActivity().catch(() => {}), PAUSE);
    return () => clearTimeout(timer);
  }, [activityLags, version, store]);
}

function Activity({ events }: { events: QuoteEvent[] }) {
  useFreshActivity();
  const [all, setAll] = useState(false);
  const visible = all ? events : events.slice(0, FEW);
  if (events.length === 0) return <Text className="muted">No activity yet.</Text>;
  return (
    <Stack gap={10}>
      {visible.map((event) => (
        <div key={event.id}>
          <Text size="xs" className="muted tabular" title={formatInstant(event.at)}>
            {whenOf(event.at)} · {event.actor}
          </Text>
          <Text size="sm">
            {eventSentence(event)}
            {event.from && event.to && event.from !== event.to
              ? `: ${statusWord(event.from)} → ${statusWord(event.to)}`
              : ''}
          </Text>
          {event.comment ? (
            <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
              “{event.comment}”
            </Text>
          ) : null}
          {event.changes.slice(0, FEW_CHANGES).map((change, index) => (
            <Text key={`${change.field} ${index}`} size="xs" className="muted" style={{ overflowWrap: 'anywhere' }}>
              {change.field}: {change.before || '–'} → {change.after || '–'}
            </Text>
          ))}
          {event.changeCount > FEW_CHANGES ? (
            <Text size="xs" className="muted">
              and {(event.changeCount - FEW_CHANGES).toLocaleString('en-US')} more
            </Text>
          ) : null}
        </div>
      ))}
      {!all && events.length > visible.length ? (
        <Anchor component="button" size="sm" ta="left" onClick={() => setAll(true)}>
          Show all {events.length}
        </Anchor>
      ) : null}
    </Stack>
  );
}

function eventSentence(event: QuoteEvent): string {
  const words = eventWords(event);
  return capitalized(words);
}

function statusWord(status: string): string {
  return STATUS_LABELS[status as StatusId] ?? status;
}

function whenOf(at: string): string {
  return isToday(at) ? formatTime(at) : formatDate(at);
}

function Files() {
  const board = useBoard();
  const { quote, files, editable } = board.data;
  const upload = useMutation({
    ...api(QuoteFileUpload).UploadQuoteFile.mutation(),
    meta: { blocking: true },
    onSuccess: () => board.store.reload(),
  });
  const change = useMutation({
    ...api(QuoteFileUpload).ChangeQuoteFile.mutation(),
    onSuccess: () => board.store.reload(),
  });
  const download = useMutation({ ...api(QuoteFileUpload).DownloadQuoteFile.mutation(), onSuccess: saveFile });
  // Shows the ticked value immediately.
  const shownTo = ({ id, visibleToCustomer }: QuoteFile) =>
    (change.isPending && change.variables.id === id ? change.variables.visibleToCustomer : undefined) ??
    visibleToCustomer;
  const error = upload.error ?? change.error ?? download.error;
  return (
    <Stack gap="xs">
      {files.map((file: QuoteFile) => (
        <div key={file.id}>
          <Group justify="space-between" wrap="nowrap">
            <Anchor
              component="button"
              size="sm"
              ta="left"
              className="ellipsis"
              onClick={() => download.mutate({ id: file.id })}
            >
              {file.name}
            </Anchor>
            {editable.notes ? (
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                onClick={() => change.mutate({ id: file.id, remove: true })}
                aria-label={`Remove ${file.name}`}
              >
                Remove
              </Button>
            ) : null}
          </Group>
          <Group justify="space-between">
            <Text size="xs" className="muted">
              {Math.max(1, Math.round(file.size / 1024)).toLocaleString('en-US')} KB · {file.uploadedBy} ·{' '}
              {formatDate(file.uploadedAt)}
            </Text>
            <Checkbox
              size="xs"
              label="Visible to customer"
              checked={shownTo(file)}
              disabled={!editable.notes}
              onChange={(event) => change.mutate({ id: file.id, visibleToCustomer: event.currentTarget.checked })}
            />
          </Group>
        </div>
      ))}
      {files.length === 0 ? <Text className="muted">No files.</Text> : null}
      <ItemDocuments quoteId={quote.id} />
      <ErrorAlert
        error={error}
        title={upload.error ? 'The file was not uploaded' : 'The file could not be changed or opened'}
      />
      {editable.notes ? (
        <FileButton onChange={(file) => file && upload.mutate({ quoteId: quote.id, visibleToCustomer: 'false', file })}>
          {(props) => (
            <Button {...props} size="compact-sm" variant="default" loading={upload.isPending}>
              Upload a file
            </Button>
          )}
        </FileButton>
      ) : null}
    </Stack>
  );
}

/** The documents of the items on the quote that this user may read. */
function ItemDocuments({ quoteId }: { quoteId: number }) {
  const query = useQuery({ ...api(QuoteFileUpload).GetQuoteItemDocuments.query({ id: quoteId }), staleTime: 0 });
  const open = useMutation({ ...api(ItemSearch).GetItemDocument.mutation(), onSuccess: saveFile });
  if (query.error)
    return <ErrorAlert error={query.error} title="The item documents could not be loaded" onRetry={query.refetch} />;
  if (!query.data || query.data.length === 0) return null;
  return (
    <section aria-label="Item documents">
      <Text size="sm" fw={600}>
        Item documents
      </Text>
      {query.data.map((document) => (
        <div key={document.id}>
          <Anchor component="button" size="sm" ta="left" onClick={() => open.mutate({ id: document.id })}>
            {document.title}
          </Anchor>
          <Text size="xs" className="muted">
            {[document.category, document.label].filter(Boolean).join(' · ')}
          </Text>
        </div>
      ))}
      <ErrorAlert error={open.error} title="The document could not be loaded" />
    </section>
  );
}

function Revisions() {
  const board = useBoard();
  const { quote, revisions } = board.data;
  const [compare, setCompare] = useState<Comparison | null>(null);
  const revoke = useMutation({
    ...api(QuoteWorkflow).RevokePublicLink.mutation(),
    onSuccess: () => {
      notifications.show({ message: 'The customer’s link is closed.' });
      return board.store.reload();
    },
  });
  if (revisions.length === 0) return <Text className="muted">Not sent yet.</Text>;
  const moved = !['SentToCustomer', 'Won', 'Lost'].includes(quote.statusId);
  const [newest, ...numbers] = revisions.map(({ revision }) => revision).toSorted((a, b) => b - a);
  /** The first comparison of a revision: the newest revision with the current quote if that has changed, other revisions with the one before. */
  const comparisonOf = (revision: number) => {
    if (moved && revision === newest) return { from: revision, to: null };
    const before = numbers.find((number) => number < revision);
    return before === undefined ? null : { from: before, to: revision };
  };
  return (
    <Stack gap="sm">
      {revisions.map((revision: QuoteRevision) => (
        <Group key={revision.revision} justify="space-between" wrap="nowrap" align="start">
          <div>
            <Text size="sm" fw={600} className="tabular">
              {quoteNumber(quote.num, revision.revision)} · {formatAmount(revision.totalAmount, quote.currnIdx)}
            </Text>
            <Text size="xs" className="muted">
              {revision.state} · sent {formatDate(revision.sentAt)} by {revision.sentBy}
            </Text>
            {revision.opened ? (
              <Text size="xs" className="muted">
                {openingsWords(revision.opened)}
              </Text>
            ) : null}
            {board.data.events
              .filter((event) => event.action === 'SendReminder' && event.revision === revision.revision)
              .map((event) => (
                <Text key={event.id} size="xs" className="muted">
                  Reminder sent {formatDate(event.at)}
                </Text>
              ))}
          </div>
          <Group gap={4} wrap="nowrap">
            <CompareButton
              revision={revision.revision}
              comparison={comparisonOf(revision.revision)}
              onClick={setCompare}
            />
            <Menu position="bottom-end">
              <Menu.Target>
                <Button size="compact-xs" variant="default" aria-label={`Actions for revision ${revision.revision}`}>
                  ⋯
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {revision.state === 'Revoked' ? null : (
                  <Menu.Item component="a" href={paths.quoteDoc(revision.docId)} target="_blank">
                    Open the customer’s page
                  </Menu.Item>
                )}
                {revision.state === 'Revoked' ? null : (
                  <Menu.Item onClick={() => void copyLink(paths.quoteDoc(revision.docId))}>Copy the link</Menu.Item>
                )}
                {revisions
                  .filter((other) => other.revision < revision.revision)
                  .map((other) => (
                    <Menu.Item
                      key={other.revision}
                      onClick={() => setCompare({ from: other.revision, to: revision.revision })}
                    >
                      Compare with revision {other.revision}
                    </Menu.Item>
                  ))}
                {moved ? (
                  <Menu.Item onClick={() => setCompare({ from: revision.revision, to: null })}>
                    Compare with the current quote
                  </Menu.Item>
                ) : null}
                {revision.state === 'Current' ? (
                  <Menu.Item
                    color="red"
                    onClick={() =>
                      revoke.mutate({
                        quoteId: quote.id,
                        revision: revision.revision,
                        comment: 'Link closed on the quote board',
                      })
                    }
                  >
                    Close the customer’s link
                  </Menu.Item>
                ) : null}
              </Menu.Dropdown>
            </Menu>
          </Group>
        </Group>
      ))}
      <ErrorAlert error={revoke.error} title="The link was not closed" />
      {compare ? <CompareDialog quoteId={quote.id} {...compare} onClose={() => setCompare(null)} /> : null}
    </Stack>
  );
}

type Comparison = { from: number; to: number | null };

function CompareButton(props: {
  revision: number;
  comparison: Comparison | null;
  onClick: (comparison: Comparison) => void;
}) {
  const { revision, comparison, onClick } = props;
  if (!comparison) return null;
  const other = comparison.to === null ? 'the current quote' : `revision ${comparison.from}`;
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Compare revision ${revision} with ${other}`}
      onClick={() => onClick(comparison)}
    >
      Compare
    </Button>
  );
}
