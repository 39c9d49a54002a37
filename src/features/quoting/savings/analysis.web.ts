// One analysis as its page reads it: again while the file is read, and with its rows when somebody else changed it (read-again.ts).
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { api } from '#api/client.web.ts';
import { type Analysis, Savings } from './savings.contract.ts';

const BUSY_MS = 1000;

export function useAnalysis(id: number) {
  const cache = useQueryClient();
  const query = api(Savings).GetAnalysis.query({ id });
  const found = useQuery({
    ...query,
    refetchInterval: ({ state }) => (state.data?.state === 'reading' ? BUSY_MS : false),
  });
  /** The version whose rows the screen shows. */
  const seen = useRef<number>(undefined);
  const version = found.data?.version;
  useEffect(() => {
    if (version === undefined || version === seen.current) return;
    if (seen.current !== undefined) void cache.invalidateQueries({ queryKey: api(Savings).SearchAnalysisRows.key });
    seen.current = version;
  }, [version, cache]);
  /** Shows the analysis that a call of this person answered. */
  const take = useCallback(
    (analysis: Analysis) => {
      seen.current = analysis.version;
      cache.setQueryData(api(Savings).GetAnalysis.query({ id: analysis.id }).queryKey, analysis);
    },
    [cache],
  );
  return { found, take };
}
