// The signs on a quote in a list that its customer asks something, or that its mail did not go out.
import { IconMailExclamation, IconMessageQuestion } from '@tabler/icons-react';
import { countOf } from '#shared/count-of.ts';
import type { QuoteRow } from '../quotes.contract.ts';
import classes from './quotes.module.css';

type Counts = Pick<QuoteRow, 'openQuestions' | 'mailTrouble'>;

/** '2 open questions', 'Mail not sent'. */
export function followUpWords({ openQuestions, mailTrouble }: Counts): string[] {
  return [
    ...(openQuestions > 0 ? [countOf(openQuestions, 'open question')] : []),
    ...(mailTrouble > 0 ? ['Mail not sent'] : []),
  ];
}

export function FollowUpIcons({ row }: { row: Counts }) {
  const words = followUpWords(row);
  if (words.length === 0) return null;
  return (
    <span className={classes['followUp']} title={words.join(', ')}>
      <span className="visually-hidden">{words.join(', ')}</span>
      {row.openQuestions > 0 ? <IconMessageQuestion size={16} aria-hidden /> : null}
      {row.mailTrouble > 0 ? <IconMailExclamation size={16} aria-hidden /> : null}
    </span>
  );
}
