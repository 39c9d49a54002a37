// Stores pictures in Cloudinary through its REST calls (docs/decisions/0025).
import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';

export type PictureCloud = {
  /** The name of the account, for display. */
  name: string;
  /** Stores a file under an id. A second upload succeeds and keeps the existing file. */
  upload: (cloudId: string, file: string) => Promise<void>;
  /** Removes a file. Succeeds if the file does not exist. */
  destroy: (cloudId: string) => Promise<void>;
};

/** An error whose message tells the user in a sentence what went wrong. */
export class CloudError extends Error {
  override name = 'CloudError';
  /** Whether a retry may help. */
  readonly passing: boolean;
  constructor(message: string, passing: boolean, cause?: unknown) {
    super(message, { cause });
    this.passing = passing;
  }
}

const HOST = 'https://api.cloudinary.com';
/** Only this delivery type hides derived pictures from anyone who guesses an address. */
const TYPE = 'authenticated';
const NEVER_SIGNED = new Set(['file', 'cloud_name', 'resource_type', 'api_key']);

/** Returns the signature of a call: the SHA-1 of all its parameters in order, followed by the secret. */
export function signCloudCall(parameters: Record<string, string>, secret: string): string {
  const text = Object.entries(parameters)
    .filter(([name, value]) => !NEVER_SIGNED.has(name) && value !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    // Escapes &, so that one value cannot be read as two parameters.
    .map(([name, value]) => `${name}=${value.replaceAll('&', '%26')}`)
    .join('&');
  return createHash('sha1')
    .update(text + secret)
    .digest('hex');
}

/** Opens the cloud of a CLOUDINARY_URL: `cloudinary://key:secret@cloud`, with `?upload_prefix=` for another host and `timeout=` in seconds. */
export function openPictureCloud(address: string, now: () => Date): PictureCloud {
  const url = new URL(address);
  const [key, secret] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const host = (url.searchParams.get('upload_prefix') ?? HOST).replace(/\/$/, '');
  const timeout = Number(url.searchParams.get('timeout') ?? 60) * 1000;
  const calls = `${host}/v1_1/${url.hostname}`;

  const signed = (parameters: Record<string, string>) => {
    const all = { ...parameters, timestamp: String(Math.floor(now().getTime() / 1000)) };
    return { ...all, api_key: key, signature: signCloudCall(all, secret) };
  };
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(`${calls}${path}`, { ...init, signal: AbortSignal.timeout(timeout) }).catch(
      (error: Error) => {
        const hung = error.name === 'TimeoutError';
        throw new CloudError(
          hung ? 'Cloudinary did not answer in time.' : 'Cloudinary cannot be reached.',
          true,
          error,
        );
      },
    );
    if (!response.ok) throw await callRefused(response);
    return response;
  };
  const answerOf = async (response: Response) => {
    const text = await response.text().catch((error: Error) => {
      throw new CloudError('Cloudinary ended its response early.', true, error);
    });
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch (error) {
      throw new CloudError('Cloudinary sent an unreadable response.', true, error);
    }
  };
  const post = async (path: string, parameters: Record<string, string>, file?: Blob) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(signed(parameters))) form.append(name, value);
    if (file) form.append('file', file, parameters['public_id']);
    return answerOf(await ask(path, { method: 'POST', body: form }));
  };

  return {
    name: url.hostname,
    upload: async (cloudId, file) => {
      const stored = await post(
        '/image/upload',
        { public_id: cloudId, type: TYPE, overwrite: 'false' },
        await openAsBlob(file),
      );
      if (stored['public_id'] !== cloudId)
        throw new CloudError('Cloudinary stored the picture under another name.', false);
    },
    destroy: async (cloudId) => {
      const { result } = await post('/image/destroy', { public_id: cloudId, type: TYPE, invalidate: 'true' });
      if (result !== 'ok' && result !== 'not found')
        throw new CloudError(`Cloudinary did not remove the picture: ${String(result)}.`, true);
    },
  };
}

/** Returns the error for a refused call. A retry does not help for 400, 401, 403 and the like, but may help for the rest. */
async function callRefused(response: Response): Promise<CloudError> {
  const { status } = response;
  const body = (await response.json().catch(() => null)) as { error?: { message?: string } } | null;
  const detail = body?.error?.message ? ` Cloudinary reports: ${body.error.message}` : '';
  if (status === 401 || status === 403)
    return new CloudError(`Cloudinary rejected the key in CLOUDINARY_URL.${detail}`, false);
  if (status === 413) return new CloudError(`The picture is too large for Cloudinary.${detail}`, false);
  if (status === 420 || status === 429)
    return new CloudError(`Cloudinary is temporarily unavailable (status ${status}).`, true);
  if (status === 423) return new CloudError(`Cloudinary is still processing this picture (423).`, true);
  if (status >= 500) return new CloudError(`Cloudinary has a problem (${status}).`, true);
  return new CloudError(`Cloudinary rejected the request (${status}).${detail}`, false);
}
