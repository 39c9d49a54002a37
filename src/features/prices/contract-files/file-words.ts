// How folders and files are named on screens.
import type { FileAudience, Folder } from './contract-files.contract.ts';

export const AUDIENCE_LABELS: Record<FileAudience, string> = {
  all: 'All who see the contract',
  internal: 'Internal',
  contractdept: 'Contract department',
};

export const AUDIENCE_CHOICES = [
  { value: 'all', label: 'All: who sees the contract, representatives too' },
  { value: 'internal', label: 'Internal: who sees every contract' },
  { value: 'contractdept', label: 'Contract department and system administrators' },
];

/** '12 files' */
export function filesInWords({ files }: Pick<Folder, 'files'>): string {
  return files === 0 ? 'empty' : `${files.toLocaleString('en-US')} ${files === 1 ? 'file' : 'files'}`;
}
