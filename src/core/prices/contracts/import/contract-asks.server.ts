// The questions that every contract import asks: which contract and tier, and from which day the changes count.
import type { ImportAsk } from '#platform/data-import/data-import.contract.ts';

export const CONTRACT_ASKS = [
  { name: 'contract', label: 'Contract number', hint: 'For rows that name none.', type: 'text', standard: '' },
  {
    name: 'tier',
    label: 'Tier',
    hint: 'Its number or name, for rows that name none.',
    type: 'text',
    standard: '',
  },
  {
    name: 'from',
    label: 'Changes count from',
    hint: 'For rows without a first day or with an earlier one. Empty: today, and first days as they stand.',
    type: 'day',
    standard: '',
  },
] satisfies ImportAsk[];
