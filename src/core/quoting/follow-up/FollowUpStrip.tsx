// The open points of a quote on the board, one line each: customer questions, and mail that failed or is waiting for its PDF.
import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import type { Reminder, ReminderInput } from '#core/quoting/customer-reminders/customer-reminders.contract.ts';
import { hasRole, QUOTING_ROLES } from '#platform/shared/roles.ts';
import { later } from '#platform/ui/later.tsx';
import { useOnce } from '#platform/ui/once.web.ts';
import { AnswerQuestionDialog } from './AnswerQuestionDialog.tsx';
import classes from './follow-up.module.css';
import { type FollowUp, type OpenQuestion, QuoteFollowUp } from './follow-up.contract.ts';
import { MailLine, PdfLine, QuestionLine, ReminderLine } from './FollowUpLines.tsx';

const ReminderDialogs = later(() => import('#core/quoting/customer-reminders/ReminderDialogs.tsx'), {
  loading: <></>,
  failed: 'The reminder could not be loaded. Reload the page.',
});

type Props = {
  quoteId: number;
  /** The id of the event of the quote's last sending. A new sending loads the strip again. 0 when there is none. */
  lastSent: number;
  /** Called when the history of the quote has a new entry. */
  onChange: () => void;
};

/** Loads after the board, so that it does not delay the board. */
export function FollowUpStrip({ quoteId, lastSent, onChange }: Props) {
  const user = useSession();
  const queries = useQueryClient();
  const followUp = api(QuoteFollowUp).GetFollowUp.query({ quoteId });
  const queryKey = [...followUp.queryKey, lastSent] as const;
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...followUp,
    queryKey,
    staleTime: 0,
    placeholderData: keepPreviousData,
    // The PDF of a quote that was just sent takes a few seconds. Lateness depends on the clock, so it needs polling. Other changes arrive as live
    // changes (src/app/reads-after-write.ts).
    refetchInterval: ({ state }) => (state.data?.waitingForPdf.some(({ late }) => !late) ? 3000 : 5 * 60_000),
  });
  const [answered, setAnswered] = useState<OpenQuestion | null>(null);
  const [drafts, setDrafts] = useState<Record<number, string>>({});
  const [all, setAll] = useState(false);
  const [request, setAsked] = useState<{ open: 'change' | 'stop'; reminder: Reminder } | null>(null);
  /** The input typed for a reminder is kept when the dialog closes. */
  const [typed, setTyped] = useState<{ opened: Reminder; input: ReminderInput } | null>(null);
  const act = useMutation({
    mutationFn: (run: () => Promise<FollowUp>) => run(),
    onSuccess: (now) => {
      queries.setQueryData(queryKey, now);
      setAnswered(null);
      setAsked(null);
      onChange();
    },
  });
  const actOnce = useOnce(act.mutateAsync);
  if (error && !data) {
    return (
      <Group gap="xs" className="no-print" role="alert">
        <Text size="sm" c="red">
          Open questions and mail could not be loaded. {error.message}
        </Text>
        <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
          Try again
        </Button>
      </Group>
    );
  }
  const reminder = data?.reminder ?? null;
  const waits = data && [...data.questions, ...data.mails, ...data.waitingForPdf].length > 0;
  if (!data || !(waits || reminder || request)) return null;
  const mayAct = user !== null && hasRole(user, ...QUOTING_ROLES);
  const doing = { quoteId, now: dataUpdatedAt, act: mayAct ? actOnce : null };
  const { AnswerQuestion, ChangeReminder, StopReminder } = api(QuoteFollowUp);
  /** Opens a dialog and clears the error of the previous one. */
  const open = (dialog: () => void) => {
    act.reset();
    dialog();
  };
  // Saves over the current version. The dialog shows what another user has changed.
  const read = (opened: Reminder) => {
    const { id, version } = reminder ?? opened;
    return { quoteId, reminderId: id, version };
  };
  const change = async (opened: Reminder) => {
    const { days, text } = typed?.input ?? opened;
    const now = await ChangeReminder({ ...read(opened), days, text });
    setTyped(null);
    return now;
  };
  const lines = [
    ...data.questions.map((question) => (
      <QuestionLine
        key={`question ${question.id}`}
        asked={question}
        {...doing}
        onAnswer={() => open(() => setAnswered(question))}
      />
    )),
    ...data.mails.map((mail) => <MailLine key={`mail ${mail.id}`} mail={mail} {...doing} />),
    ...data.waitingForPdf.map((entry) => <PdfLine key={`pdf ${entry.id}`} mail={entry} {...doing} />),
    ...(reminder
      ? [
          <ReminderLine
            key="reminder"
            reminder={reminder}
            onAsk={(which) => open(() => setAsked({ open: which, reminder: typed?.opened ?? reminder }))}
          />,
        ]
      : []),
  ];
  return (
    <div role="group" aria-label="Needs follow-up" className={`no-print ${classes['strip']}`} data-focus-group>
      <div className={classes['lines']}>{all ? lines : lines.slice(0, 1)}</div>
      {lines.length > 1 ? (
        <UnstyledButton
          fz="sm"
          c="var(--mantine-color-anchor)"
          className={classes['more']}
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? 'Show one' : `${lines.length - 1} more`}
        </UnstyledButton>
      ) : null}
      {act.error && !answered && !request ? (
        <Text size="sm" c="red" role="alert">
          {act.error.message}
        </Text>
      ) : null}
      {request ? (
        <ReminderDialogs
          open={request.open}
          opened={request.reminder}
          now={reminder}
          typed={typed?.input ?? request.reminder}
          onType={(input) => setTyped({ opened: request.reminder, input })}
          busy={act.isPending}
          error={act.error}
          onChange={() => actOnce(() => change(request.reminder))}
          onStop={() => actOnce(() => StopReminder(read(request.reminder)))}
          onClose={() => setAsked(null)}
        />
      ) : null}
      {answered ? (
        <AnswerQuestionDialog
          asked={answered}
          draft={drafts[answered.id] ?? ''}
          onType={(draft) => setDrafts({ ...drafts, [answered.id]: draft })}
          busy={act.isPending}
          error={act.error}
          onSend={(answer) => actOnce(() => AnswerQuestion({ quoteId, questionId: answered.id, answer }))}
          onClose={() => setAnswered(null)}
        />
      ) : null}
    </div>
  );
}
