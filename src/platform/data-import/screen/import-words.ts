// The summary of an import in the history: the last user, the time, and the result.
import type { ImportRow } from '../data-import.contract.ts';

type Actors = Pick<ImportRow, 'createdBy' | 'appliedBy' | 'undoneBy' | 'createdAt' | 'appliedAt' | 'undoneAt'>;

export const lastBy = (row: Actors): string => row.undoneBy || row.appliedBy || row.createdBy;
export const lastAt = (row: Actors): string => row.undoneAt ?? row.appliedAt ?? row.createdAt;

/** Returns 'New 3, Refused 1', or why the import failed or was not undone; '' if there is nothing to report. */
export const importOutcome = ({ error, figures }: Pick<ImportRow, 'error' | 'figures'>): string =>
  error ||
  figures.flatMap(({ label, count }) => (count > 0 ? [`${label} ${count.toLocaleString('en-US')}`] : [])).join(', ');
