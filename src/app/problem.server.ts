// How a refusal is written as a problem document (design 6).
import type { Problem } from '#api/http-error.ts';

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Not valid',
  429: 'Too many tries',
  503: 'Not available',
};

export function problemOf(status: number, detail: string, more: Partial<Problem> = {}): Problem {
  return { type: 'about:blank', title: TITLES[status] ?? 'Error', status, detail, ExceptionMessage: detail, ...more };
}
