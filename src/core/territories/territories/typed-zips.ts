// Reads ZIPs from typed or pasted text.

/** The ZIPs in a text. ZIP+4 is read as its first five digits. */
export function readZips(text: string): { found: string[]; bad: string[] } {
  const words = [...new Set(text.split(/[\s,;]+/).filter(Boolean))];
  const zip = /^(\d{5})(?:-?\d{4})?$/;
  return {
    found: [...new Set(words.flatMap((word) => zip.exec(word)?.[1] ?? []))],
    bad: words.filter((word) => !zip.test(word)),
  };
}
