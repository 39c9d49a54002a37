// Sentences about eligibility requests.
type OfContract = { tier: { name: string }; contract: { number: string } };

/** 'Tier 3 of MS-1001'. */
export function tierOfContract({ tier, contract }: OfContract): string {
  return `${tier.name} of ${contract.number}`;
}
