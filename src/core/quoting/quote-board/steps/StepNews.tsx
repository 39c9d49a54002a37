// Shows in the dialog of a step what other users changed while it was open, or that the step is no longer possible. The typed input stays.
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { formatDate } from '#platform/shared/dates.ts';
import { formatAmount } from '#platform/shared/money.ts';
import type { QuoteEditData } from '#core/quoting/quote-edit/quote-edit.contract.ts';
import { eventWords } from '#core/quoting/quotes/events/event-words.ts';
import { useBoard } from '../state/board.web.ts';

/** Belongs in the foot of the dialog, where it is visible. `isGone` means that the step is no longer possible. */
export default function StepNews({ isGone }: { isGone: boolean }) {
  const { data, store } = useBoard();
  const user = useSession();
  const [atFirst, setAtFirst] = useState<QuoteEditData | null>(null);
  // The user's last change may still be saving when the dialog opens.
  useEffect(() => void store.saved().then(setAtFirst, () => {}), [store]);
  const words = isGone ? goneWords(data) : atFirst && changeWords(atFirst, data, user?.fullName ?? '');
  return words ? (
    <Text size="sm" c={isGone ? 'red' : undefined} className={isGone ? undefined : 'warning'} role="alert" w="100%">
      {words}
    </Text>
  ) : null;
}

/** 'Kim Lee sent the quote. This step is no longer possible.' */
function goneWords({ events }: QuoteEditData): string {
  const move = events.find(({ from, to }) => to !== null && from !== to);
  return `${move ? `${move.actor} ${eventWords(move)}` : 'The quote has changed'}. This step is no longer possible.`;
}

/** 'Kim Lee changed the quote while this dialog was open. The total is now $12.00, it was $10.00.' */
function changeWords(before: QuoteEditData, now: QuoteEditData, me: string): string | null {
  const last = Math.max(0, ...before.events.map(({ id }) => id));
  const theirs = now.events.filter(({ id, actor, changeCount }) => id > last && actor !== me && changeCount > 0);
  const [was, is] = [before.quote, now.quote];
  const hasNewTotal = was.totalAmount !== is.totalAmount || was.currnIdx !== is.currnIdx;
  const hasNewEnd = was.validUntil !== is.validUntil;
  if (theirs.length === 0 && !hasNewTotal && !hasNewEnd) return null;
  const who = [...new Set(theirs.map(({ actor }) => actor))].join(' and ');
  return [
    who ? `${who} changed the quote while this dialog was open.` : 'The quote has changed while this dialog was open.',
    hasNewTotal
      ? `The total is now ${formatAmount(is.totalAmount, is.currnIdx)} instead of ${formatAmount(was.totalAmount, was.currnIdx)}.`
      : '',
    hasNewEnd ? `It is now valid until ${formatDate(is.validUntil)}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
