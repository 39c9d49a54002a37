// The comments on a quote, newest first, and the field for a new one. Internal comments and comments to the customer look different.
import { Anchor, Button, CloseButton, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { formatDate, formatInstant, formatTime, isToday } from '#platform/shared/dates.ts';
import { hasRole, QUOTING_ROLES } from '#platform/shared/roles.ts';
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx';
import { ErrorAlert } from '#platform/ui/ErrorAlert.tsx';
import { Form } from '#platform/ui/Form.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import { Comment, type Comments, type QuoteComment } from './comments.contract.ts';
import classes from './comments.module.css';
import { type CommentAbout, useComments } from './comments.web.ts';
import { MentionField } from './MentionField.tsx';

type Props = {
  quoteId: number;
  about: CommentAbout | null;
  /** The id of the comment to scroll to. Null when there is none. */
  wanted: number | null;
  /** Called when the user makes the comment about the whole quote instead of a line. */
  onWhole: () => void;
  /** Whether the customer has received the quote and its page. */
  wasSent: boolean;
  /** Called when the history of the quote has a new entry. */
  onChange: () => void;
};

export default function CommentsPanel({ quoteId, about, wanted, onWhole, wasSent, onChange }: Props) {
  const queries = useQueryClient();
  const query = useComments(quoteId);
  const take = ({ comments }: Comments) =>
    queries.setQueryData(api(Comment).GetComments.query({ quoteId }).queryKey, { comments });
  const comments = query.data?.comments ?? [];
  return (
    <Stack gap="sm">
      <NewComment
        key={about?.at ?? 0}
        quoteId={quoteId}
        about={about}
        onWhole={onWhole}
        wasSent={wasSent}
        isFirst={!comments.some(({ toCustomer, fromCustomer }) => toCustomer && !fromCustomer)}
        onAdded={(now) => {
          take(now);
          onChange();
        }}
      />
      {query.error ? (
        <ErrorAlert error={query.error} title="The comments could not be loaded">
          <Anchor component="button" onClick={() => void query.refetch()}>
            Try again
          </Anchor>
        </ErrorAlert>
      ) : query.data ? (
        comments.length === 0 ? (
          <Text size="sm" className="muted">
            No comments yet.
          </Text>
        ) : (
          <Stack component="ol" gap={8} m={0} p={0} style={{ listStyle: 'none' }} aria-label="Comments">
            {comments.toReversed().map((comment) => (
              <One
                key={comment.id ?? `asked ${comment.at}`}
                comment={comment}
                quoteId={quoteId}
                isWanted={wanted !== null && comment.id === wanted}
                onChanged={take}
              />
            ))}
          </Stack>
        )
      ) : (
        <Skeleton height={60} aria-label="Loading the comments" />
      )}
    </Stack>
  );
}

/** The key under which this tab keeps the unsent text. */
const draftKey = (quoteId: number) => `quoteboard-comment-${quoteId}`;

type NewProps = Omit<Props, 'onChange' | 'wanted'> & { isFirst: boolean; onAdded: (now: Comments) => void };

function NewComment({ quoteId, about, onWhole, wasSent, isFirst, onAdded }: NewProps) {
  const user = useSession();
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey(quoteId)) ?? '');
  const [toCustomer, setToCustomer] = useState(false);
  const [asks, setAsks] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (about) field.current?.focus();
  }, [about]);
  const type = (typed: string) => {
    setText(typed);
    if (typed) sessionStorage.setItem(draftKey(quoteId), typed);
    else sessionStorage.removeItem(draftKey(quoteId));
  };
  const add = useMutation({
    ...api(Comment).AddComment.mutation(),
    onSuccess: (now) => {
      type('');
      setToCustomer(false);
      setAsks(false);
      onAdded(now);
      onWhole();
    },
    onError: () => setAsks(false),
  });
  const addOnce = useOnce(add.mutateAsync);
  const send = () => addOnce({ quoteId, itemId: about?.itemId ?? null, text, toCustomer });
  const mayWriteToCustomer = user !== null && hasRole(user, ...QUOTING_ROLES);
  const submit = () => {
    if (text.trim() === '' || add.isPending) return;
    if (toCustomer && isFirst) setAsks(true);
    else send();
  };
  const goesTo = wasSent
    ? 'The customer sees this on the quote page and receives it by email.'
    : 'The customer sees this on the quote page once the quote is sent.';
  return (
    <Form label="New comment" onSubmit={submit}>
      <Stack gap={8} className={classes['form'] ?? ''} data-customer={toCustomer ? '' : undefined}>
        {mayWriteToCustomer ? (
          <SegmentedControl
            size="xs"
            aria-label="Visible to"
            data={[
              { value: 'internal', label: 'Internal' },
              { value: 'customer', label: 'To the customer' },
            ]}
            value={toCustomer ? 'customer' : 'internal'}
            onChange={(value) => setToCustomer(value === 'customer')}
          />
        ) : null}
        {about ? (
          <Group gap={4} wrap="nowrap">
            <Text size="xs" className="ellipsis" title={about.line}>
              About {about.line}
            </Text>
            <CloseButton size="xs" aria-label="About the whole quote" onClick={onWhole} />
          </Group>
        ) : null}
        <MentionField
          inputRef={field}
          quoteId={quoteId}
          label={toCustomer ? 'Message to the customer' : 'Comment'}
          description={toCustomer ? goesTo : '@name notifies a colleague'}
          mentions={!toCustomer}
          value={text}
          onType={type}
        />
        <ErrorAlert
          error={add.error}
          title={toCustomer ? 'The message could not be saved' : 'The comment could not be saved'}
        />
        <Group justify="flex-end">
          <Button type="submit" size="compact-sm" loading={add.isPending} disabled={text.trim() === ''}>
            {toCustomer ? 'Send to Customer' : 'Comment'}
          </Button>
        </Group>
      </Stack>
      {asks ? (
        <ConfirmDialog
          title="Send this to the customer?"
          action="Send to Customer"
          busy={add.isPending}
          onConfirm={send}
          onClose={() => setAsks(false)}
        >
          {`${goesTo} This is the first message on this quote.`}
        </ConfirmDialog>
      ) : null}
    </Form>
  );
}

type OneProps = { comment: QuoteComment; quoteId: number; isWanted: boolean; onChanged: (now: Comments) => void };

function One({ comment, quoteId, isWanted, onChanged }: OneProps) {
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isWanted) place.current?.focus();
  }, [isWanted]);
  const { id, version, text, toCustomer, fromCustomer, author, at, editedAt, deletedBy } = comment;
  const [draft, setDraft] = useState<string | null>(null);
  const [asks, setAsks] = useState(false);
  const changed = useRef<HTMLTextAreaElement>(null);
  const isChanging = draft !== null;
  useEffect(() => {
    if (isChanging) changed.current?.focus();
  }, [isChanging]);
  const onSuccess = (now: Comments) => {
    onChanged(now);
    setDraft(null);
    setAsks(false);
  };
  const edit = useMutation({ ...api(Comment).EditComment.mutation(), onSuccess });
  const remove = useMutation({ ...api(Comment).DeleteComment.mutation(), onSuccess });
  const save = () => (id === null || !draft?.trim() ? undefined : edit.mutate({ id, version, text: draft }));
  const who = fromCustomer ? `${author} (customer) asked` : toCustomer ? `${author} to the customer` : author;
  return (
    <li
      ref={place}
      tabIndex={isWanted ? -1 : undefined}
      className={classes['comment']}
      data-customer={toCustomer ? '' : undefined}
    >
      <Text size="xs" className="muted tabular" title={formatInstant(at)}>
        {isToday(at) ? formatTime(at) : formatDate(at)} · {who}
        {editedAt ? ' · edited' : ''}
      </Text>
      {comment.line ? (
        <Text size="xs" className="muted ellipsis" title={comment.line}>
          {comment.line}
        </Text>
      ) : null}
      {deletedBy ? (
        <Text size="sm" className="muted">
          Deleted by {deletedBy}
        </Text>
      ) : draft === null ? (
        <Text size="sm" className={classes['text'] ?? ''}>
          {text}
        </Text>
      ) : (
        <Form label="Edit the comment" onSubmit={save}>
          <MentionField quoteId={quoteId} label="Comment" mentions inputRef={changed} value={draft} onType={setDraft} />
          <Group gap={6} mt={6} justify="flex-end">
            <Button size="compact-xs" variant="default" onClick={() => setDraft(null)}>
              Cancel
            </Button>
            <Button size="compact-xs" type="submit" loading={edit.isPending} disabled={!draft.trim()}>
              Save
            </Button>
          </Group>
        </Form>
      )}
      <ErrorAlert error={edit.error ?? remove.error} title="Something went wrong" />
      {draft === null && (comment.mayEdit || comment.mayDelete) ? (
        <Group gap={10}>
          {comment.mayEdit ? (
            <Anchor component="button" type="button" size="xs" onClick={() => setDraft(text)}>
              Edit
            </Anchor>
          ) : null}
          {comment.mayDelete ? (
            <Anchor component="button" type="button" size="xs" onClick={() => setAsks(true)}>
              Delete
            </Anchor>
          ) : null}
        </Group>
      ) : null}
      {asks && id !== null ? (
        <ConfirmDialog
          title="Delete this comment?"
          action="Delete"
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ id })}
          onClose={() => setAsks(false)}
        >
          The text is removed for everyone. The comment is shown as deleted by you.
        </ConfirmDialog>
      ) : null}
    </li>
  );
}
