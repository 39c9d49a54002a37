// The home screen with the cards that other features add to it.
import HomePage from '#core/quoting/quotes/list/HomePage.tsx';
import { RisksCard } from '#addons/quotes-at-risk/screen/RisksCard.tsx';

export default function Home() {
  return <HomePage cards={<RisksCard />} />;
}
