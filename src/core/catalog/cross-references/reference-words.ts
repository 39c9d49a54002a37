// The words for cross-references: how similar the items are, and for whom a reference applies.

export const REFERENCE_KINDS = ['Same', 'Equivalent', 'Substitute'] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];
export const KIND_WORDS: Record<ReferenceKind, string> = {
  Same: 'Same item',
  Equivalent: 'Equivalent',
  Substitute: 'Substitute',
};

/** From the nearest to the widest. */
export const REFERENCE_SCOPES = ['Facility', 'Parent', 'GPO', 'Everybody'] as const;
export type ReferenceScope = (typeof REFERENCE_SCOPES)[number];
export const SCOPE_WORDS: Record<ReferenceScope, string> = {
  Facility: 'One facility',
  Parent: 'A facility and all below it',
  GPO: 'Members of a GPO',
  Everybody: 'Everyone',
};

export const REFERENCE_STATES = ['Active', 'Contradicting', 'Ended'] as const;

type Named = { name: string } | null;

/** For whom it applies: 'Everyone', 'Mercy Hospital', 'Mercy Health and all below it', 'Members of Premier'. */
export function forWhom(reference: { scope: ReferenceScope; facility: Named; gpo: Named }): string {
  const { scope, facility, gpo } = reference;
  if (scope === 'Facility') return facility?.name ?? '';
  if (scope === 'Parent') return `${facility?.name ?? ''} and all below it`;
  return scope === 'GPO' ? `Members of ${gpo?.name ?? ''}` : 'Everyone';
}

/** The number with its owner: 'Medline MDS1234'. */
export function numberInWords({ maker, number }: { maker: string; number: string }): string {
  return maker === '' ? number : `${maker} ${number}`;
}
