// Records where time is spent: spans around calls, statements and jobs. Without a tracer this costs nothing and loads nothing.

export type Attributes = Record<string, string | number>;
export type Span = {
  set: (attributes: Attributes) => void;
  /** `error` is the class of the error, never its message, which may quote what users typed. */
  end: (error?: string) => void;
  /** Runs work inside this span. Spans that the work starts have this span as their parent. */
  run: <T>(work: () => T) => T;
};
export type SpanKind = 'server' | 'client' | 'consumer';
export type Tracer = {
  /** `began` is in milliseconds since 1970, now by default. `from` is the caller's traceparent (W3C). */
  begin: (name: string, kind: SpanKind, attributes: Attributes, more?: { began?: number; from?: unknown }) => Span;
};

let tracer: Tracer | null = null;

/** Sends spans to this tracer from now on, or nowhere for null. */
export function traceWith(next: Tracer | null): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== null;
}

export function beginSpan(...args: Parameters<Tracer['begin']>): Span | undefined {
  return tracer?.begin(...args);
}

/** Runs work in its own span. */
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
    span.end(errorName(error));
    throw error;
  }
}

export const errorName = (error: unknown): string => (error instanceof Error ? error.name : 'Error');

/** Returns a statement's text without its literal values. Parameters are not part of the text. */
export function withoutValues(statement: string): string {
  return statement
    .replace(/'(?:[^']|'')*'/g, '?')
    .replace(/(?<![\w$."])\d+(?:\.\d+)?\b/g, '?')
    .slice(0, 2000);
}
