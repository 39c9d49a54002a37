// Parses email addresses as users type them and as mail programs copy them, and compares addresses regardless of their spelling.

/** The longest text that is parsed. The rest stays unchanged, so that a pasted book does not block the screen. */
const LONGEST = 20_000;
/** Every address that mail servers accept is shorter. */
const MAX_WORD_LENGTH = 400;

/**
 * Returns the addresses of a text such as '"Doe, Jane" <jane@example.org>; Bob Ray <bob@example.org>', without duplicates and without names. Commas,
 * semicolons, line breaks and tabs end an entry, except inside quotes. An entry without an address is returned unchanged, so that the user sees it.
 */
export function readAddresses(text: string): string[] {
  return distinctAddresses(
    withoutQuotedNames(text.slice(0, LONGEST))
      .split(/[;\n\r\t]+/)
      .flatMap(addressesOfEntry),
  );
}

/** Returns the address of a text with one address, such as 'Jane Doe <jane@example.org>'. Any other text is returned unchanged. */
export function withoutName(text: string): string {
  const [address = '', ...others] = readAddresses(text);
  return others.length === 0 && address.includes('@') ? address : text;
}

/** Removes duplicates. Of two spellings of one address, the first is kept. */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const spellings = new Map<string, string>();
  for (const address of addresses) {
    const key = addressKey(address);
    if (!spellings.has(key)) spellings.set(key, address);
  }
  return [...spellings.values()];
}

/** Returns the addresses that are not among `others`, in any spelling. */
export function addressesWithout(addresses: readonly string[], others: readonly string[]): string[] {
  const keys = new Set(others.map(addressKey));
  return addresses.filter((address) => !keys.has(addressKey(address)));
}

/** Returns the same key for all spellings of one address. In practice no mail server distinguishes 'Jane@' from 'jane@'. */
function addressKey(address: string): string {
  return address.trim().toLowerCase();
}

/** Replaces separators inside a quoted name, because they do not end an entry. */
function withoutQuotedNames(text: string): string {
  return text.replace(/"([^"]{0,500})"/g, (_, name: string) => ` ${name.replace(/[,;<>\s]+/g, ' ')} `);
}

/** Returns the addresses of one entry. Outlook also copies 'Doe, Jane <jane@example.org>', whose comma is part of the name. */
function addressesOfEntry(entry: string): string[] {
  const addresses: string[] = [];
  let names: string[] = [];
  const leave = () => {
    addresses.push(...names);
    names = [];
  };
  for (const piece of entry.split(',')) {
    const words = piece.replace(/[<>[\]()]/g, ' ').trim();
    const inPiece = words.split(/\s+/).filter((word) => word.includes('@'));
    const isNamed = inPiece.length === 1 && words !== inPiece[0];
    if (inPiece.length === 0) {
      if (words !== '') names.push(words);
      continue;
    }
    if (isNamed) names = [];
    leave();
    addresses.push(...inPiece.map(bare).filter((address) => address !== ''));
  }
  leave();
  return addresses;
}

/** Removes what mail programs put around an address. */
function bare(word: string): string {
  if (word.length > MAX_WORD_LENGTH) return word;
  return word
    .replace(/^['`‘’“”]+|['`‘’“”.:]{1,9}$/g, '')
    .replace(/^mailto:/i, '')
    .replace(/\?.*$/, '');
}
