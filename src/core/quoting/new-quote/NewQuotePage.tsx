// The new-quote screen: for a facility, from a template, or as a copy of another quote.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useSession } from '#platform/auth/sessions/session.web.ts';
import { boardPath } from '#core/quoting/quotes/board-path.ts';
import { useAddress } from '#platform/ui/address.web.ts';
import { AllAtOnce } from '#platform/ui/all-at-once.tsx';
import { FormPage } from '#platform/ui/FormPage.tsx';
import { ClonePanel } from './ClonePanel.tsx';
import { FacilityGlanceCard } from './FacilityGlanceCard.tsx';
import { NewQuoteForm } from './NewQuoteForm.tsx';

export default function NewQuotePage() {
  const user = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { clone, facility } = useAddress();
  const source = Number(clone);
  const facilityId = Number(facility);
  const [chosen, setChosen] = useState<number | null>(null);
  const title = source > 0 ? 'Clone Quote' : 'New Quote';
  const open = useCallback(
    (quoteId: number) => {
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => /QuoteSearch|QuoteEdit/.test(String(queryKey[0])),
      });
      // Replaces this page in the history, so that going back does not offer to make the same quote again.
      if (user) void navigate({ to: boardPath(user, quoteId), replace: true, state: { isNewQuote: true } });
    },
    [navigate, queries, user],
  );
  return (
    <FormPage title={title} beside={chosen === null ? null : <FacilityGlanceCard facilityId={chosen} />}>
      {source > 0 ? (
        <AllAtOnce screen={`clone ${source}`}>
          <ClonePanel sourceId={source} onCreated={open} />
        </AllAtOnce>
      ) : (
        <NewQuoteForm
          key={facility ?? ''}
          facilityId={facilityId > 0 ? facilityId : null}
          onFacility={setChosen}
          onCreated={open}
        />
      )}
    </FormPage>
  );
}
