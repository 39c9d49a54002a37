// The home screen with the cards that other features add to it.
import HomePage from '#features/quoting/quotes/list/HomePage.tsx';
import { RisksCard } from '#features/quoting/risks/screen/RisksCard.tsx';

export default function Home() {
  return <HomePage cards={<RisksCard />} />;
}
