// Find Quote with the actions for many quotes, which load with the first selected one.
import FindQuotePage from '#features/quoting/quotes/list/FindQuotePage.tsx';
import { later } from '#ui/later.tsx';

const ManyQuotesActions = later(() => import('#features/quoting/many-quotes/ManyQuotesActions.tsx'), {
  failed: 'The actions could not be loaded. Check the network and reload the page.',
});

export default function FindQuote() {
  return <FindQuotePage actions={(selected) => <ManyQuotesActions {...selected} />} />;
}
