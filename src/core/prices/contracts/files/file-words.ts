// The texts about folders and files on screens.
import { countOf } from '#platform/shared/count-of.ts';
import type { FileAudience, Folder } from './contract-files.contract.ts';

export const AUDIENCE_LABELS: Record<FileAudience, string> = {
  all: 'All who see the contract',
  internal: 'Internal',
  contractdept: 'Contract department',
};

export const AUDIENCE_CHOICES = [
  { value: 'all', label: 'All: everyone who sees the contract, including representatives' },
  { value: 'internal', label: 'Internal: people who see every contract' },
  { value: 'contractdept', label: 'Contract department and system administrators' },
];

/** '12 files' */
export function filesInWords({ files }: Pick<Folder, 'files'>): string {
  return files === 0 ? 'empty' : countOf(files, 'file');
}
