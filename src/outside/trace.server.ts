// What takes long and inside what: spans around calls, statements and jobs. Without a tracer it costs nothing and loads nothing.

export type Attributes = Record<string, string | number>;
export type Span = {
  set: (attributes: Attributes) => void;
  /** `error`: the class of what went wrong. Never its message, which may quote what people typed. */
  end: (error?: string) => void;
  /** Runs work inside this span: what it begins has this span as its parent. */
  run: <T>(work: () => T) => T;
};
export type SpanKind = 'server' | 'client' | 'consumer';
export type Tracer = {
  /** `began`: milliseconds since 1970; now by default. `from`: the caller's traceparent (W3C). */
  begin: (name: string, kind: SpanKind, attributes: Attributes, more?: { began?: number; from?: unknown }) => Span;
};

let tracer: Tracer | null = null;

/** From now on spans go to this tracer; null: nowhere. */
export function traceWith(next: Tracer | null): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== null;
}

export function beginSpan(...given: Parameters<Tracer['begin']>): Span | undefined {
  return tracer?.begin(...given);
}

/** Runs work in a span of its own. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = beginSpan(name, kind, attributes);
  if (!span) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(nameOf(error));
    throw error;
  }
}

export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'Error');

/** A statement without the values that stand in its text; parameters are not in it anyway. */
export function withoutValues(statement: string): string {
  return statement
    .replace(/'(?:[^']|'')*'/g, '?')
    .replace(/(?<![\w$."])\d+(?:\.\d+)?\b/g, '?')
    .slice(0, 2000);
}
