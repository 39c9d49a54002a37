// Sends a call with its token and input, and returns the answer or throws an HttpError.
import { hasRole, type Role } from '#platform/shared/roles.ts';
import type { Endpoint, InputOf, OutputOf } from './endpoint.ts';
import { forbidden, HttpError, type Problem } from './http-error.ts';

/** Supplies the token and reacts when the server no longer accepts it. The auth feature sets this once. */
export type TokenSource = {
  /** A token that stays valid for a while (refreshed when needed), or null when signed out. */
  accessToken: () => Promise<string | null>;
  /** The roles of the signed-in user. */
  roles: () => readonly Role[];
  /** `token` is the token that the server refused. */
  onUnauthorized: (token: string | null) => void;
};

let tokens: TokenSource = { accessToken: () => Promise.resolve(null), roles: () => [], onUnauthorized: () => {} };

export function setTokenSource(source: TokenSource): void {
  tokens = source;
}

let written: (path: string) => void = () => {};

/** Sets what runs after a call that writes, or that was refused because another user had changed the record. The app sets this once. */
export function onWritten(listener: (path: string) => void): void {
  written = listener;
}

/** A file that the server returned. */
export type ReceivedFile = { name: string; blob: Blob };

export type Received<E extends Endpoint> = E extends { file: string } ? ReceivedFile : OutputOf<E>;
/** An upload sends its fields and the file. */
export type Sent<E extends Endpoint> = E extends { in: 'upload' }
  ? InputOf<E> & (E extends { fileOptional: true } ? { file?: File } : { file: File })
  : InputOf<E>;

const UNREACHABLE = 'The server cannot be reached. Check the network and try again; nothing you typed is lost.';

/** Reads a page of the server that only signed-in users may read. Rejects with an HttpError. */
export async function readPage(path: string): Promise<Blob> {
  return (await get(path)).blob();
}

/** Opens an answer that stays open as a stream. Rejects with an HttpError. */
export async function openStream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const { body } = await get(path, signal);
  if (!body) throw new HttpError(0, UNREACHABLE);
  return body;
}

async function get(path: string, signal?: AbortSignal): Promise<Response> {
  const token = await tokens.accessToken();
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const response = await fetch(path, { headers, ...(signal ? { signal } : {}) }).catch(() => {
    throw new HttpError(0, UNREACHABLE);
  });
  if (response.ok) return response;
  if (response.status === 401) tokens.onUnauthorized(token);
  throw await errorOf(response);
}

/** Reads what a screen shows. Skips the request if the contract does not allow this user to make it, and rejects as the server would. */
export function read<E extends Endpoint>(endpoint: E, input: Sent<E>, signal: AbortSignal): Promise<Received<E>> {
  const { access } = endpoint;
  return typeof access === 'string' || hasRole({ roles: tokens.roles() }, ...access)
    ? request(endpoint, input, signal)
    : Promise.reject(forbidden(access));
}

/**
 * Rejects with an HttpError: the server's error, or status 0 if the server is unreachable or the signal times out. `onProgress` receives the share of
 * an upload that is sent.
 */
export async function request<E extends Endpoint>(
  endpoint: E,
  input: Sent<E>,
  signal?: AbortSignal,
  onProgress?: (share: number) => void,
): Promise<Received<E>> {
  const headers: Record<string, string> = { accept: 'application/json' };
  const token = endpoint.access === 'anyone' ? null : await tokens.accessToken();
  if (token) headers['authorization'] = `Bearer ${token}`;
  let url = endpoint.path;
  let body: BodyInit | undefined;
  const fields = input as Record<string, unknown>;
  if (endpoint.in === 'query') url += queryOf(fields);
  else if (endpoint.in === 'path')
    url = url.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(String(fields[name])));
  else if (endpoint.in === 'form') body = new URLSearchParams(fields as Record<string, string>);
  else if (endpoint.in === 'upload') {
    const form = new FormData();
    // Fields first: the server reads the parts in order.
    const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
    for (const [name, value] of entries) if (!(value instanceof Blob)) form.append(name, String(value));
    if (fields['file']) form.append('file', fields['file'] as File);
    body = form;
  } else {
    headers['content-type'] = 'application/json';
    body = JSON.stringify(input ?? {});
  }

  let response: Response;
  try {
    response = onProgress
      ? await postWithProgress(url, { headers, body, signal }, onProgress)
      : await fetch(url, {
          method: 'POST',
          headers,
          ...(body === undefined ? {} : { body }),
          ...(signal ? { signal } : {}),
        });
  } catch (error) {
    if (signal?.aborted && !isTimeout(signal)) throw error;
    throw new HttpError(0, UNREACHABLE);
  }
  if (endpoint.writes && (response.ok || response.status === 409)) written(endpoint.path);
  if (!response.ok) {
    if (response.status === 401 && endpoint.access !== 'anyone') tokens.onUnauthorized(token);
    throw await errorOf(response);
  }
  if (endpoint.file) {
    const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    return { name: decodeURIComponent(name ?? 'file'), blob: await response.blob() } as Received<E>;
  }
  return (await response.json()) as Received<E>;
}

const isTimeout = ({ reason }: AbortSignal) => reason instanceof DOMException && reason.name === 'TimeoutError';

function queryOf(fields: Record<string, unknown>): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return entries.length === 0
    ? ''
    : `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()}`;
}

async function errorOf(response: Response): Promise<HttpError> {
  const body: unknown = await response.json().catch(() => null);
  if (isProblem(body)) {
    const { status, detail, errors, conflict } = body;
    return new HttpError(status, detail, { ...(errors ? { errors } : {}), ...(conflict ? { conflict } : {}) });
  }
  // /Token and /o/token/ have their own answer formats (design 6).
  const other = (body ?? {}) as { error_description?: string; detail?: string; mfa_token?: string };
  return new HttpError(
    response.status,
    other.error_description ??
      other.detail ??
      `The server could not answer (${response.status}). Try again in a moment.`,
    other.mfa_token ? { challenge: other.mfa_token } : {},
  );
}

/** Validates by hand, because the schema would load Zod on every screen. */
function isProblem(body: unknown): body is Problem {
  const { status, detail, ExceptionMessage } = (body ?? {}) as Partial<Problem>;
  return typeof status === 'number' && typeof detail === 'string' && typeof ExceptionMessage === 'string';
}

type Sending = { headers: Record<string, string>; body: BodyInit | undefined; signal: AbortSignal | undefined };

/** Works like fetch with POST. `onProgress` receives the share of the body that is sent, from 0 to 1. */
function postWithProgress(
  url: string,
  { headers, body, signal }: Sending,
  onProgress: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('POST', url);
    call.responseType = 'blob';
    for (const [name, value] of Object.entries(headers)) call.setRequestHeader(name, value);
    call.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    call.addEventListener('load', () => resolve(new Response(call.response as Blob, { status: call.status })));
    for (const end of ['error', 'abort', 'timeout']) call.addEventListener(end, () => reject(new TypeError(end)));
    signal?.addEventListener('abort', () => call.abort());
    call.send(body as XMLHttpRequestBodyInit);
  });
}
