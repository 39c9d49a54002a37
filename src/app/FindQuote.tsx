// Find Quote with the actions for many quotes, which load with the first selected one.
import FindQuotePage from '#core/quoting/quotes/list/FindQuotePage.tsx';
import { later } from '#platform/ui/later.tsx';

const ManyQuotesActions = later(() => import('#core/quoting/many-quotes/ManyQuotesActions.tsx'), {
  failed: 'The actions could not be loaded. Reload the page.',
});

export default function FindQuote() {
  return <FindQuotePage actions={(selected) => <ManyQuotesActions {...selected} />} />;
}
