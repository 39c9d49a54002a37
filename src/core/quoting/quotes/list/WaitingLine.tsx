// One line under the title of Home: how many quotes are waiting for this user. Each count links to those quotes.
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '#platform/api/client.web.ts';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { countOf } from '#platform/shared/count-of.ts';
import { paths } from '#platform/shared/paths.ts';
import { isInternal } from '#platform/shared/roles.ts';
import { QuoteSearch, type WaitsFor } from '../quotes.contract.ts';
import type { HeldApprovals } from './ApproveDiscount.tsx';
import type { HeldFollowUps } from './FollowUpCard.tsx';
import { addressOf, NO_CRITERIA } from './criteria-address.ts';
import classes from './quotes.module.css';

/** The maximum that the server counts. */
const MOST = 1000;

/**
 * Appears only when quotes are waiting, and shows the current counts. Pressing a count shows the card if it is not on the screen yet. Errors are not
 * shown here, because the cards show them.
 */
export function WaitingLine({ approvals, followUps }: { approvals: HeldApprovals; followUps: HeldFollowUps }) {
  const user = useSession();
  const { data } = useQuery({ ...api(QuoteSearch).CountWaiting.query({}), enabled: user !== null });
  if (!user) return null;
  const toApprove = approvals.waiting;
  const toFollow = followUps.rows.length === 0 ? followUps.added : 0;
  const findQuote = isInternal(user) ? paths.findQuoteInternal : paths.findQuotePublic;
  const counts: [WaitsFor, number, string, string][] = data
    ? [
        ['question', data.question, 'question', 'questions'],
        ['expiry', data.expiry, 'expires this week', 'expire this week'],
      ]
    : [];
  const waiting = counts.filter(([, count]) => count > 0);
  if (toApprove === 0 && toFollow === 0 && waiting.length === 0) return null;
  return (
    <nav aria-label="Waiting for you">
      <ul className={classes['waits']}>
        {toApprove > 0 ? (
          <li>
            <Anchor size="sm" href="#approve-title" onClick={approvals.show}>
              {toApprove.toLocaleString('en-US')} to approve
            </Anchor>
          </li>
        ) : null}
        {toFollow > 0 ? (
          <li>
            <Anchor size="sm" href="#follow-up-title" onClick={followUps.show}>
              {countOf(toFollow, 'needs follow-up', 'need follow-up')}
            </Anchor>
          </li>
        ) : null}
        {waiting.map(([waitsFor, count, singular, plural]) => (
          <li key={waitsFor}>
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link {...props} to={findQuote} search={addressOf({ ...NO_CRITERIA, waitsFor })} />
              )}
            >
              {count > MOST ? `${MOST.toLocaleString('en-US')}+ ${plural}` : countOf(count, singular, plural)}
            </Anchor>
          </li>
        ))}
      </ul>
    </nav>
  );
}
