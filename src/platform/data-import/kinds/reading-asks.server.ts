// The questions about a whole file that several kinds share: the number format of its amounts, and the meaning of a pack size in a unit.
import type { ImportAsk } from '../data-import.contract.ts';
import { PACKS_LABEL } from '../reading/cell-values.server.ts';

export const DECIMALS_ASK: ImportAsk = {
  name: 'decimals',
  label: 'Amounts are written',
  hint: 'For the whole file.',
  type: 'choice',
  standard: 'point',
  choices: [
    { value: 'point', label: '1,234.50' },
    { value: 'comma', label: '1.234,50' },
  ],
};

export const PACKS_ASK: ImportAsk = {
  name: 'packs',
  label: PACKS_LABEL,
  hint: 'For units that an item does not have yet.',
  type: 'choice',
  standard: 'refuse',
  choices: [
    { value: 'refuse', label: 'Refuse it' },
    { value: 'make', label: 'Is the BX of 100: make that unit' },
  ],
};
