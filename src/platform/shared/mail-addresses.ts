// Reads email addresses as people type them and as mail programs copy them, and tells which spellings are one address.

/** The longest text that is read; the rest stays unchanged, so that a pasted book does not block the screen. */
const LONGEST = 20_000;
/** The longest address that a mail server takes is shorter. */
const LONGEST_WORD = 400;

/**
 * The addresses of a text such as '"Doe, Jane" <jane@example.org>; Bob Ray <bob@example.org>', each once and without names. Commas, semicolons,
 * line breaks and tabs end an entry, except inside quotes. An entry without an address is returned unchanged, so that its author sees it.
 */
export function readAddresses(text: string): string[] {
  return distinctAddresses(
    withoutQuotedNames(text.slice(0, LONGEST))
      .split(/[;\n\r\t]+/)
      .flatMap(addressesOfEntry),
  );
}

/** The address of a text that names one, such as 'Jane Doe <jane@example.org>'. Any other text stays as it is. */
export function withoutName(text: string): string {
  const [address = '', ...others] = readAddresses(text);
  return others.length === 0 && address.includes('@') ? address : text;
}

/** Without repetitions. Of two spellings of one address, the first stays. */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const spellings = new Map<string, string>();
  for (const address of addresses) {
    const key = addressKey(address);
    if (!spellings.has(key)) spellings.set(key, address);
  }
  return [...spellings.values()];
}

/** The addresses that are not among `others`, in any spelling. */
export function addressesWithout(addresses: readonly string[], others: readonly string[]): string[] {
  const keys = new Set(others.map(addressKey));
  return addresses.filter((address) => !keys.has(addressKey(address)));
}

/** Equal for spellings of one address. Mail servers that tell 'Jane@' from 'jane@' do not exist in practice. */
function addressKey(address: string): string {
  return address.trim().toLowerCase();
}

/** Separators inside a quoted name separate nothing. */
function withoutQuotedNames(text: string): string {
  return text.replace(/"([^"]{0,500})"/g, (_, name: string) => ` ${name.replace(/[,;<>\s]+/g, ' ')} `);
}

/** The addresses of one entry. Outlook also copies 'Doe, Jane <jane@example.org>', whose comma is part of the name. */
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

/** Without what mail programs put around an address. */
function bare(word: string): string {
  if (word.length > LONGEST_WORD) return word;
  return word
    .replace(/^['`‘’“”]+|['`‘’“”.:]{1,9}$/g, '')
    .replace(/^mailto:/i, '')
    .replace(/\?.*$/, '');
}
