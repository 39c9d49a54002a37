// Reads the events of the stream from its bytes.
import type { Fact, Farewell, Here } from './live.contract.ts';

export type LiveMessage =
  | { event: 'hello' }
  | { event: 'facts'; facts: Fact[] }
  | { event: 'here'; here: Here }
  | { event: 'bye'; why: Farewell };

/** The messages of a stream, and null for each sign of life between them. Ends with the stream. */
export async function* messagesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<LiveMessage | null> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) yield liveMessage(block);
    }
  } finally {
    reader.releaseLock();
  }
}

function liveMessage(block: string): LiveMessage | null {
  const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
  if (event === 'hello') return { event };
  if (event === 'facts') return { event, facts: JSON.parse(data) as Fact[] };
  if (event === 'here') return { event, here: JSON.parse(data) as Here };
  if (event === 'bye') return { event, why: JSON.parse(data) as Farewell };
  return null;
}
