// The home screen with the cards that other features add to it.
import { isSwitchedOff } from '#platform/addons/addon.web.ts';
import HomePage from '#core/quoting/quotes/list/HomePage.tsx';
import { RisksCard } from '#addons/quotes-at-risk/screen/RisksCard.tsx';

export default function Home() {
  return <HomePage cards={isSwitchedOff('quotes-at-risk') ? null : <RisksCard />} />;
}
