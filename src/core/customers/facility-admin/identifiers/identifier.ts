// Formats the numbers that other organizations use for a facility, and explains what is wrong with an invalid one.

export const IDENTIFIER_KINDS = ['HIN', 'GLN', 'GPO member'] as const;
export type IdentifierKind = (typeof IDENTIFIER_KINDS)[number];

export const IDENTIFIER_LABELS: Record<IdentifierKind, string> = {
  HIN: 'HIN (health industry number)',
  GLN: 'GLN (global location number)',
  'GPO member': 'GPO member id',
};

/** The stored form of a number: HIN and GLN without spaces and hyphens, HIN in upper case. */
export function bareIdentifier(kind: IdentifierKind, typed: string): string {
  const text = typed.trim();
  return kind === 'GPO member' ? text : text.replace(/[\s-]/g, '').toUpperCase();
}

/** A sentence that explains what is wrong with a number. Null for a valid one. */
export function wrongIdentifier(kind: IdentifierKind, bare: string): string | null {
  if (kind === 'HIN') return /^[0-9A-Z]{9}$/.test(bare) ? null : 'A HIN has 9 characters, letters and digits.';
  if (kind === 'GPO member') return bare === '' ? 'Enter the member id.' : null;
  if (!/^\d{13}$/.test(bare)) return 'A GLN has 13 digits.';
  return checkDigit(bare.slice(0, 12)) === bare.at(-1)
    ? null
    : 'The check digit of this GLN is wrong. Check for a typo.';
}

/** Computes the GS1 check digit (modulo 10), with weights 3 and 1 from the right. */
export function checkDigit(digits: string): string {
  const sum = [...digits]
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}
