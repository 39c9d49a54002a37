// Sends the customer's input once, after checking it with the call's schema. Errors appear under their fields.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import { api } from '#platform/api/client.web.ts';
import { HttpError } from '#platform/api/http-error.ts';
import { useOnce } from '#platform/ui/once.web.ts';
import { QuoteDoc } from '../quote-doc.contract.ts';

export type Sending = {
  /** The error of a field, after the first attempt to send. */
  errorOf: (field: string) => string | null;
  /** An error that belongs to no field. */
  failure: Error | null;
  sending: boolean;
  send: () => void;
};

/** `input` is the current input. A 409 means that the quote has changed, so the page reads it again and shows the new state. */
export function useSending<Input, Answer>(
  schema: z.ZodType<unknown, Input>,
  call: (input: Input) => Promise<Answer>,
  input: Input,
  onDone: (answer: Answer) => void,
): Sending {
  const queries = useQueryClient();
  const [tried, setTried] = useState(false);
  const mutation = useMutation({
    mutationFn: (typed: Input) => call(typed),
    onSuccess: onDone,
    onError: (error) => {
      if (error instanceof HttpError && (error.status === 409 || error.status === 404)) {
        void queries.invalidateQueries({ queryKey: api(QuoteDoc).GetQuoteDoc.key });
      }
    },
  });
  const sendOnce = useOnce(mutation.mutateAsync);
  const checked = schema.safeParse(input);
  const wrong = new Map<string, string>();
  const refusal = mutation.error instanceof HttpError ? mutation.error.errors : undefined;
  // A server error stays until the user changes that field.
  for (const { path, message } of refusal ?? []) {
    if (inputAt(mutation.variables, path) === inputAt(input, path)) wrong.set(path, message);
  }
  if (tried && !checked.success) {
    for (const issue of checked.error.issues)
      if (!wrong.has(issue.path.join('.'))) wrong.set(issue.path.join('.'), issue.message);
  }
  return {
    errorOf: (field) => wrong.get(field) ?? null,
    failure: refusal && refusal.length > 0 ? null : mutation.error,
    sending: mutation.isPending,
    send: () => {
      setTried(true);
      if (checked.success) sendOnce(input);
    },
  };
}

function inputAt(input: unknown, path: string): unknown {
  return (input as Record<string, unknown> | undefined)?.[path];
}
