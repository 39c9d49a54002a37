// The questions that every contract import asks: which contract and tier, and from which day the changes count.
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
