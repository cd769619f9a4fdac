import type { FastifyRequest } from 'fastify';
import type {} from '../../../platform/http/fastify-request';
import { invalid } from '../../../platform/errors/api-error';
import { nameInHeader } from '../../../platform/http/upload/name-in-header';
import type { UploadBody } from '../../../platform/http/upload/upload-body';
import type { ArrivedFile } from './arrived-file';
import type { FileIntake } from './file-intake';
import { tooLarge } from './inspector';
import { FORM } from '../../../platform/http/upload/upload-options';
import { cleanFileName } from './file-name';
import { isLonger } from '../../../platform/text/normalise';

/** What a form has around its file, at most. */
export const FORM_BYTES = 1_048_576;

/** A file, and what the form says of it besides. */
export interface Received {
  file: ArrivedFile;
  external_id: string | null;
}

/** Fields of the form. */
const FIELDS: readonly string[] = ['filename', 'external_id'];

/**
 * Reads the body of an upload to its end, its file into the store. Nothing is left of it when the body turns out not to be sound.
 *
 * @throws ApiError 413, 422 and whatever else is wrong with it
 */
export async function receive(request: FastifyRequest, upload: UploadBody, intake: FileIntake): Promise<Received> {
  refuseTooLong(request, upload, intake.maxBytes);
  let file: ArrivedFile | null = null;
  const fields = new Map<string, string>();
  try {
    for await (const part of upload) {
      if (part.kind === 'field') {
        if (!FIELDS.includes(part.name)) invalid(part.name, 'unknown_field', `The form has no field "${part.name}".`);
        fields.set(part.name, part.value);
      } else {
        if (part.name !== '' && part.name !== 'file') invalid(part.name, 'unknown_field', 'The file is called "file".');
        const filename = upload.type === FORM ? part.filename : nameInHeader(request);
        file = await intake.take(part.stream, { filename, type: part.type });
      }
    }
    if (!file) invalid('file', 'required', 'The form has no file.');
    const external_id = fields.get('external_id')?.trim() ?? null;
    if (external_id !== null && (external_id === '' || isLonger(external_id, 255)))
      invalid('external_id', 'length', '"external_id" has 1 to 255 characters.');
    const filename = fields.get('filename');
    return { file: filename === undefined ? file : { ...file, filename: cleanFileName(filename) }, external_id };
  } catch (error) {
    if (file) await intake.discard(file);
    throw error;
  }
}

/** Said before the body is asked for. */
function refuseTooLong({ headers }: FastifyRequest, upload: UploadBody, maxBytes: number): void {
  const around = upload.type === FORM ? FORM_BYTES : 0;
  if (Number(headers['content-length'] ?? 0) > maxBytes + around) throw tooLarge(maxBytes);
}
