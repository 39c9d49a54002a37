// One line for each open point of a quote, with its actions.
import { Button, Group, Text } from '@mantine/core';
import { IconAlarm, IconFileTime, IconMailExclamation, IconMessageQuestion } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { api } from '#platform/api/client.web.ts';
import type { MailTrouble } from '#platform/mail/mailbox.contract.ts';
import type { Reminder } from '#core/quoting/customer-reminders/customer-reminders.contract.ts';
import { reminderWords } from '#core/quoting/customer-reminders/reminder-day.ts';
import { since } from '#platform/shared/time-ago.ts';
import { formatInstant } from '#platform/shared/dates.ts';
import classes from './follow-up.module.css';
import { type FollowUp, type OpenQuestion, QuoteFollowUp, type WaitingForPdf } from './follow-up.contract.ts';

type Doing = {
  quoteId: number;
  /** When the lines were read, in milliseconds. */
  now: number;
  /** Runs one action at a time. Null when the user may not act. */
  act: ((run: () => Promise<FollowUp>) => void) | null;
};

export function QuestionLine({ asked, onAnswer, ...doing }: Doing & { asked: OpenQuestion; onAnswer: () => void }) {
  const { name, question, askedAt } = asked;
  return (
    <Line
      icon={<IconMessageQuestion size={16} aria-hidden />}
      words={`${name} asked ${since(askedAt, doing.now)}: “${question}”`}
      title={`${formatInstant(askedAt)}\n${question}`}
    >
      {doing.act ? (
        <Button size="compact-sm" variant="default" aria-label={`Answer ${name}`} onClick={onAnswer}>
          Answer…
        </Button>
      ) : null}
      <Act
        label="Mark Answered"
        about={name}
        act={doing.act}
        run={() => api(QuoteFollowUp).AnswerQuestion({ quoteId: doing.quoteId, questionId: asked.id })}
      />
    </Line>
  );
}

export function MailLine({ mail, quoteId, now, act }: Doing & { mail: MailTrouble }) {
  const about = mail.to.join(', ');
  const input = { quoteId, mailId: mail.id };
  return (
    <Line
      icon={<IconMailExclamation size={16} aria-hidden />}
      words={troubleWords(mail, now)}
      title={[`“${mail.subject}”`, formatInstant(mail.since), mail.reason].filter(Boolean).join('\n')}
    >
      {mail.sendsAgain ? (
        <Act label="Send Again" about={about} act={act} run={() => api(QuoteFollowUp).SendQuoteMailAgain(input)} />
      ) : null}
      {mail.state === 'Late' ? null : (
        <Act
          label={mail.state === 'Uncertain' ? 'Mark Delivered' : 'Not Needed'}
          about={about}
          act={act}
          run={() => api(QuoteFollowUp).SettleQuoteMail(input)}
        />
      )}
    </Line>
  );
}

export function PdfLine({ mail, quoteId, now, act }: Doing & { mail: WaitingForPdf }) {
  const about = mail.to.join(', ');
  return (
    <Line
      icon={<IconFileTime size={16} aria-hidden />}
      words={`Email to ${about}: waiting for its PDF${mail.late ? `, sent ${since(mail.since, now)}` : ''}`}
      title={formatInstant(mail.since)}
      calm={!mail.late}
    >
      {mail.late ? (
        <Act
          label="Send Again"
          about={about}
          act={act}
          run={() => api(QuoteFollowUp).MakePdfAgain({ quoteId, sendingId: mail.id })}
        />
      ) : null}
    </Line>
  );
}

export function ReminderLine(props: { reminder: Reminder; onAsk: (which: 'change' | 'stop') => void }) {
  const { reminder, onAsk } = props;
  return (
    <Line
      icon={<IconAlarm size={16} aria-hidden />}
      words={reminderWords(reminder)}
      title={`To ${reminder.to.join(', ')}\nSet by ${reminder.setBy}`}
      calm
    >
      {reminder.mayChange ? (
        <>
          <Button size="compact-sm" variant="default" aria-label="Change the reminder" onClick={() => onAsk('change')}>
            Change…
          </Button>
          <Button size="compact-sm" variant="default" aria-label="Stop the reminder" onClick={() => onAsk('stop')}>
            Stop…
          </Button>
        </>
      ) : null}
    </Line>
  );
}

type ActProps = { label: string; about: string; act: Doing['act']; run: () => Promise<FollowUp> };

function Act({ label, about, act, run }: ActProps) {
  if (!act) return null;
  return (
    <Button size="compact-sm" variant="default" aria-label={`${label}: ${about}`} onClick={() => act(run)}>
      {label}
    </Button>
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
  if (state === 'Refused') return reason || `The mail server refused the email to ${whom}.`;
  if (state === 'Uncertain') return `It is not known whether the email to ${whom} arrived.`;
  if (state === 'Failed') return `The email to ${whom} was not sent.${why}`;
  return `The email to ${whom}, written ${since(at, now)}, has not been sent yet.${why}`;
}
