// The icons on a quote in a list: its customer has an open question, its mail failed, its page was opened.
import { IconEye, IconMailExclamation, IconMessageQuestion } from '@tabler/icons-react';
import { countOf } from '#platform/shared/count-of.ts';
import { openingsWords } from '../customer-views.ts';
import type { QuoteRow } from '../quotes.contract.ts';
import classes from './quotes.module.css';

type Counts = Pick<QuoteRow, 'openQuestions' | 'mailTrouble'>;
type Signs = Counts & Pick<QuoteRow, 'opened'>;

/** '2 open questions', 'Email not sent'. */
export function followUpWords({ openQuestions, mailTrouble }: Counts): string[] {
  return [
    ...(openQuestions > 0 ? [countOf(openQuestions, 'open question')] : []),
    ...(mailTrouble > 0 ? ['Email not sent'] : []),
  ];
}

export function FollowUpIcons({ row }: { row: Signs }) {
  const words = [...followUpWords(row), ...(row.opened ? [openingsWords(row.opened)] : [])];
  if (words.length === 0) return null;
  return (
    <span className={classes['followUp']} title={words.join(', ')}>
      <span className="visually-hidden">{words.join(', ')}</span>
      {row.openQuestions > 0 ? <IconMessageQuestion size={16} aria-hidden /> : null}
      {row.mailTrouble > 0 ? <IconMailExclamation size={16} aria-hidden /> : null}
      {row.opened ? <IconEye size={16} aria-hidden className="muted" /> : null}
    </span>
  );
}
