// What the board's quote waits for, one line each: questions of the customer, mail that did not go out or waits for its PDF.
import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { IconAlarm, IconFileTime, IconMailExclamation, IconMessageQuestion } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '#api/client.web.ts';
import { useSession } from '#features/people/auth/sessions/session.web.ts';
import type { MailTrouble } from '#features/operations/mail/mailbox.contract.ts';
import type { Reminder, ReminderInput } from '#features/quoting/customer-reminders/customer-reminders.contract.ts';
import { reminderWords } from '#features/quoting/customer-reminders/reminder-day.ts';
import { since } from '#features/quoting/quotes/events/since.ts';
import { formatInstant } from '#shared/dates.ts';
import { hasRole, QUOTING_ROLES } from '#shared/roles.ts';
import { later } from '#ui/later.tsx';
import { useOnce } from '#ui/once.web.ts';
import { AnswerQuestionDialog } from './AnswerQuestionDialog.tsx';
import classes from './follow-up.module.css';
import { type FollowUp, type OpenQuestion, QuoteFollowUp, type WaitingForPdf } from './follow-up.contract.ts';

const ReminderDialogs = later(() => import('#features/quoting/customer-reminders/ReminderDialogs.tsx'), {
  loading: <></>,
  failed: 'The reminder could not be loaded. Reload the page.',
});

type Props = {
  quoteId: number;
  /** The event of the quote's last sending, which has a new mail; 0: none. */
  lastSent: number;
  /** Called when the history of the quote has something new. */
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
    // The PDF of a quote that was just sent takes some seconds. What is late becomes so by the clock; all else is news (src/app/read-again.ts).
    refetchInterval: ({ state }) => (state.data?.waitingForPdf.some(({ late }) => !late) ? 3000 : 5 * 60_000),
  });
  const [answered, setAnswered] = useState<OpenQuestion | null>(null);
  const [drafts, setDrafts] = useState<Record<number, string>>({});
  const [all, setAll] = useState(false);
  const [asked, setAsked] = useState<{ open: 'change' | 'stop'; reminder: Reminder } | null>(null);
  /** What is typed over a reminder stays when the dialog closes. */
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
  if (!data || !(waits || reminder || asked)) return null;
  const mayAct = user !== null && hasRole(user, ...QUOTING_ROLES);
  const { AnswerQuestion, SendQuoteMailAgain, SettleQuoteMail, MakePdfAgain, ChangeReminder, StopReminder } =
    api(QuoteFollowUp);
  const button = (label: string, about: string, run: () => Promise<FollowUp>) =>
    mayAct ? (
      <Button size="compact-sm" variant="default" aria-label={`${label}: ${about}`} onClick={() => actOnce(run)}>
        {label}
      </Button>
    ) : null;
  const ofQuestion = (one: OpenQuestion) => (
    <Line
      key={`question ${one.id}`}
      icon={<IconMessageQuestion size={16} aria-hidden />}
      words={`${one.name} asked ${since(one.askedAt, dataUpdatedAt)}: “${one.question}”`}
      title={`${formatInstant(one.askedAt)}\n${one.question}`}
    >
      {mayAct ? (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Answer ${one.name}`}
          onClick={() => {
            act.reset();
            setAnswered(one);
          }}
        >
          Answer…
        </Button>
      ) : null}
      {button('Mark Answered', one.name, () => AnswerQuestion({ quoteId, questionId: one.id }))}
    </Line>
  );
  const ofMail = (one: MailTrouble) => (
    <Line
      key={`mail ${one.id}`}
      icon={<IconMailExclamation size={16} aria-hidden />}
      words={troubleWords(one, dataUpdatedAt)}
      title={[`“${one.subject}”`, formatInstant(one.since), one.reason].filter(Boolean).join('\n')}
    >
      {one.sendsAgain
        ? button('Send Again', one.to.join(', '), () => SendQuoteMailAgain({ quoteId, mailId: one.id }))
        : null}
      {one.state === 'Late'
        ? null
        : button(one.state === 'Uncertain' ? 'It Arrived' : 'Not Needed', one.to.join(', '), () =>
            SettleQuoteMail({ quoteId, mailId: one.id }),
          )}
    </Line>
  );
  const ofPdf = (one: WaitingForPdf) => (
    <Line
      key={`pdf ${one.id}`}
      icon={<IconFileTime size={16} aria-hidden />}
      words={`Mail to ${one.to.join(', ')}: Waiting for its PDF${one.late ? `, sent ${since(one.since, dataUpdatedAt)}` : ''}`}
      title={formatInstant(one.since)}
      calm={!one.late}
    >
      {one.late ? button('Send Again', one.to.join(', '), () => MakePdfAgain({ quoteId, sendingId: one.id })) : null}
    </Line>
  );
  const ofReminder = (one: Reminder) => {
    const ask = (open: 'change' | 'stop') => {
      act.reset();
      setAsked({ open, reminder: typed?.opened ?? one });
    };
    return (
      <Line
        key="reminder"
        icon={<IconAlarm size={16} aria-hidden />}
        words={reminderWords(one)}
        title={`To ${one.to.join(', ')}\nSet by ${one.setBy}`}
        calm
      >
        {one.mayChange ? (
          <>
            <Button size="compact-sm" variant="default" aria-label="Change the reminder" onClick={() => ask('change')}>
              Change…
            </Button>
            <Button size="compact-sm" variant="default" aria-label="Stop the reminder" onClick={() => ask('stop')}>
              Stop…
            </Button>
          </>
        ) : null}
      </Line>
    );
  };
  // Over what is there by now: the dialog says what somebody else changed.
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
    ...data.questions.map(ofQuestion),
    ...data.mails.map(ofMail),
    ...data.waitingForPdf.map(ofPdf),
    ...(reminder ? [ofReminder(reminder)] : []),
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
      {act.error && !answered && !asked ? (
        <Text size="sm" c="red" role="alert">
          {act.error.message}
        </Text>
      ) : null}
      {asked ? (
        <ReminderDialogs
          open={asked.open}
          opened={asked.reminder}
          now={reminder}
          typed={typed?.input ?? asked.reminder}
          onType={(input) => setTyped({ opened: asked.reminder, input })}
          busy={act.isPending}
          error={act.error}
          onChange={() => actOnce(() => change(asked.reminder))}
          onStop={() => actOnce(() => StopReminder(read(asked.reminder)))}
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

type LineProps = { icon: ReactNode; words: string; title: string; calm?: boolean; children: ReactNode };

function Line({ icon, words, title, calm = false, children }: LineProps) {
  return (
    <div className={classes['line']} data-calm={calm ? '' : undefined}>
      {icon}
      <Text size="sm" className={classes['words']} title={title}>
        {words}
      </Text>
      <Group gap={6} wrap="nowrap">
        {children}
      </Group>
    </div>
  );
}

function troubleWords({ state, to, since: at, reason }: MailTrouble, now: number): string {
  const whom = to.join(', ');
  const why = reason ? ` ${reason}` : '';
  if (state === 'Refused') return `The mail server refused the email to ${whom}.`;
  if (state === 'Uncertain') return `Nobody knows whether the email to ${whom} arrived.`;
  if (state === 'Failed') return `The email to ${whom} was not sent.${why}`;
  return `The email to ${whom}, written ${since(at, now)}, is not out yet.${why}`;
}
