// Reads a multipart call: its fields are the input, followed by one file.
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from './endpoint.ts';
import { HttpError } from './http-error.ts';

/** The file of an 'upload' call. With `toDisk` its bytes are in the file `path` until the call is answered. */
export type Upload = { name: string; mediaType: string; bytes: Buffer; path: string };

const UPLOAD_LIMIT = 25 * 1024 * 1024;

/** Reads the fields into `request.body` and the file into the request. Throws 415, 413, 400 or 422 with a sentence. */
export async function readUpload(request: FastifyRequest, endpoint: Endpoint): Promise<void> {
  if (!request.isMultipart()) throw new HttpError(415, 'Send the file as multipart/form-data.');
  const fields: Record<string, string> = {};
  const limits = { fileSize: endpoint.bodyLimit ?? UPLOAD_LIMIT, files: 1, fields: 20, fieldSize: 10_000 };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field' && part.valueTruncated) throw new HttpError(413, 'A field of the form is too long.');
      else if (part.type === 'field') fields[part.fieldname] = String(part.value);
      else
        request.upload = {
          name: fileName(part.filename),
          mediaType: part.mimetype,
          ...(await received(part, endpoint)),
        };
    }
  } catch (error) {
    // Errors about limits carry a status; the parser's errors about truncated or malformed forms do not.
    if (error instanceof HttpError || (error as { statusCode?: number }).statusCode) throw error;
    throw new HttpError(400, 'The upload is incomplete and cannot be read. Send the file again.');
  }
  if (!request.upload && !endpoint.fileOptional)
    throw new HttpError(422, 'Choose a file.', { errors: [{ path: 'file', message: 'This field is required' }] });
  request.body = fields;
}

/** Decodes the quotes and line breaks that browsers escape in a file name. */
function fileName(sent: string): string {
  return sent.replaceAll('%22', '"').replaceAll(/%0[AD]/gi, ' ');
}

async function received(part: MultipartFile, { toDisk }: Endpoint): Promise<Pick<Upload, 'bytes' | 'path'>> {
  if (!toDisk) return { bytes: await part.toBuffer(), path: '' };
  const file = path.join(await fs.mkdtemp(path.join(os.tmpdir(), 'upload-')), 'file');
  try {
    await pipeline(part.file, createWriteStream(file));
    return { bytes: Buffer.alloc(0), path: file };
  } catch (error) {
    await fs.rm(path.dirname(file), { recursive: true, force: true });
    throw error;
  }
}

/** Removes the file that `toDisk` wrote. Runs after the call is answered. */
export async function forgetUpload({ upload }: FastifyRequest): Promise<void> {
  if (upload?.path) await fs.rm(path.dirname(upload.path), { recursive: true, force: true });
}
