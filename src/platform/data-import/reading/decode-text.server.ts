// Decodes bytes: detects the encoding of a file, then decodes it in pieces with \n as the only line ending.

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Returns the encoding by the byte order mark, then by NUL bytes (UTF-16), then by whether the whole file is valid UTF-8. Memory use is constant. */
export async function encodingOf(bytes: AsyncIterable<Uint8Array>): Promise<Encoding> {
  const strict = new TextDecoder('utf-8', { fatal: true });
  let first = true;
  try {
    for await (const chunk of bytes) {
      if (first) {
        const marked = utf16Of(chunk);
        if (marked) return marked;
        first = false;
      }
      strict.decode(chunk, { stream: true });
    }
    strict.decode();
    return 'utf-8';
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252';
    throw error;
  }
}

/** Returns the byte order of UTF-16. Western text has a NUL in every other byte, and the position of the NUL determines the order. */
function utf16Of(start: Uint8Array): Encoding | null {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const pairs = Math.floor(Math.min(start.length, 4096) / 2);
  let even = 0;
  let odd = 0;
  for (let i = 0; i < pairs; i++) {
    if (start[2 * i] === 0) even++;
    if (start[2 * i + 1] === 0) odd++;
  }
  if (odd > pairs / 4 && even === 0) return 'utf-16le';
  if (even > pairs / 4 && odd === 0) return 'utf-16be';
  return null;
}

/** Yields the text without its byte order mark. CRLF and CR become LF, even if a chunk ends between the two. */
export async function* decodeText(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  let held = '';
  for await (const chunk of bytes) {
    let text = held + decoder.decode(chunk, { stream: true });
    held = text.endsWith('\r') ? '\r' : '';
    if (held) text = text.slice(0, -1);
    if (text) yield withPlainLineEnds(text);
  }
  const rest = held + decoder.decode();
  if (rest) yield withPlainLineEnds(rest);
}

function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}
