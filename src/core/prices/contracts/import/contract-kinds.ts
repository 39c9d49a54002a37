// The kinds of files that the contract department imports, and their names.

export const CONTRACT_KINDS = [
  { kind: 'contracts', label: 'Contracts' },
  { kind: 'contract-prices', label: 'Contract prices' },
  { kind: 'rosters', label: 'Rosters' },
  { kind: 'letters', label: 'Letters of commitment' },
  { kind: 'memberships', label: 'GPO memberships' },
] as const;
