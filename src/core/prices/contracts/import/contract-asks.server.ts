// The options that every contract import prompts for: contract, tier, and the day from which the changes apply.
import type { ImportAsk } from '#platform/data-import/data-import.contract.ts';

export const CONTRACT_ASKS = [
  { name: 'contract', label: 'Contract number', hint: 'For rows that have none.', type: 'text', standard: '' },
  {
    name: 'tier',
    label: 'Tier',
    hint: 'Its number or name, for rows that have none.',
    type: 'text',
    standard: '',
  },
  {
    name: 'from',
    label: 'Changes apply from',
    hint: 'For rows without a first day or with an earlier one. Empty: today, and first days as in the file.',
    type: 'day',
    standard: '',
  },
] satisfies ImportAsk[];
