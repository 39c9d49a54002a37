// The kinds of files that the contract department imports, and what they are called.

export const CONTRACT_KINDS = [
  { kind: 'contracts', label: 'Contracts' },
  { kind: 'contract-prices', label: 'Contract prices' },
  { kind: 'rosters', label: 'Rosters' },
] as const;
