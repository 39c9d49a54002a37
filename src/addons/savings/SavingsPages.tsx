// The screens of savings analyses in one chunk: the list, a new analysis, and one analysis.
import { useParams } from '@tanstack/react-router';
import { AnalysesPage } from './AnalysesPage.tsx';
import { AnalysisPage } from './AnalysisPage.tsx';
import { NewAnalysisPage } from './NewAnalysisPage.tsx';

export default function SavingsPages() {
  const { id } = useParams({ strict: false });
  if (id === undefined) return <AnalysesPage />;
  return id === 'new' ? <NewAnalysisPage /> : <AnalysisPage key={id} id={Number(id)} />;
}
