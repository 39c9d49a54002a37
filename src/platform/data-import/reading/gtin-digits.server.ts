// Checks the check digit of a GTIN.

/** Returns the 14 digits of a GTIN, or null if the check digit is wrong. */
export function gtinOf(digits: string): string | null {
  const all = digits.padStart(14, '0');
  const sum = Array.from(all.slice(0, 13)).reduce(
    (total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1),
    0,
  );
  return /^\d{14}$/.test(all) && (10 - (sum % 10)) % 10 === Number(all[13]) ? all : null;
}
