// The screens of savings analyses in one chunk: their list, a new one, and one of them.
import { useParams } from '@tanstack/react-router';
import { AnalysesPage } from './AnalysesPage.tsx';
import { AnalysisPage } from './AnalysisPage.tsx';
import { NewAnalysisPage } from './NewAnalysisPage.tsx';

export default function SavingsPages() {
  const { id } = useParams({ strict: false });
  if (id === undefined) return <AnalysesPage />;
  return id === 'new' ? <NewAnalysisPage /> : <AnalysisPage key={id} id={Number(id)} />;
}
