// The kinds of files that the contract department imports, and what they are called.

export const CONTRACT_KINDS = [{ kind: 'contract-prices', label: 'Contract prices' }] as const;
