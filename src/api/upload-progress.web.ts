// Sends a body and reports its progress, which fetch cannot do.

type Sending = { headers: Record<string, string>; body: BodyInit | undefined; signal: AbortSignal | undefined };

/** Like fetch with POST. `onProgress` gets the share of the body that is sent, from 0 to 1. */
export function postWithProgress(
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
