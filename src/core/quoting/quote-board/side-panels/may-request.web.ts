// Determines whether the signed-in user may request a contract price for this quote.
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { CLOSED_STATUSES } from '#core/quoting/quotes/status.ts';
import { startsQuotes } from '#platform/shared/roles.ts';
import { openEntries } from '#platform/addons/addon.web.ts';
import { priceRequest } from '../doors.web.ts';
import { useBoard } from '../state/board.web.ts';

export function useMayRequest(): boolean {
  const session = useSession();
  const { quote } = useBoard().data;
  return (
    openEntries(priceRequest.door).length > 0 &&
    session?.gpoTabHidden === false &&
    startsQuotes(session) &&
    quote.facilityId !== null &&
    !CLOSED_STATUSES.includes(quote.statusId)
  );
}
