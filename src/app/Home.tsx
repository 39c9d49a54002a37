// The home screen with the cards that other features bring to it.
import HomePage from '#features/quoting/quotes/list/HomePage.tsx';
import { RisksCard } from '#features/quoting/risks/RisksCard.tsx';

export default function Home() {
  return <HomePage cards={<RisksCard />} />;
}
