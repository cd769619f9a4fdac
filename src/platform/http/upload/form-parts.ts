import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { Readable } from 'node:stream';
import { ApiError } from '../../errors/api-error';
import { shownName, textFault } from '../json-body';
import type { UploadRules } from './upload-options';

/** A part as the parser finds it. */
export type FormPart =
  | { kind: 'file'; name: string; filename: string | null; type: string; stream: Readable }
  | { kind: 'field'; name: string; value: string };

const MAX_HEADERS = 20;
const MAX_HEADER_BYTES = 8 * 1024;

/**
 * The parts of a `multipart/form-data` body, as objects of a stream, in the order in which they arrive. The stream of a file must be
 * read, or resumed, for the next part to come. The first thing that is wrong ends the parts and the file that is open.
 */
export function formParts(bytes: Readable, contentType: string, options: UploadRules): Readable {
  const parts = new Readable({ objectMode: true, read: () => undefined });
  parts.on('error', () => undefined);
  let open: Readable | null = null;
  const fail = (error: Error): void => {
    open?.destroy(error);
    parts.destroy(error);
  };
  const take = (part: FormPart): void => {
    const texts = [part.name, part.kind === 'field' ? part.value : (part.filename ?? '')];
    const fault = texts.map(textFault).find((each) => each !== null);
    if (fault) fail(refused(shownName(part.name), fault.code, fault.message));
    else parts.push(part);
  };
  const form = parserOf(contentType, options);
  if (!form) {
    fail(incomplete());
    return parts;
  }
  // Parts without a name, or a file name, have none, whatever the types say.
  form.on('file', (name: string | undefined, stream, filename: string | undefined, _encoding, type) => {
    open = stream;
    // The parser tells its error and leaves the stream as it is.
    stream.on('error', (error: Error) => stream.destroy(asRefusal(error)));
    take({ kind: 'file', name: name ?? '', filename: filename ?? null, type, stream });
  });
  form.on('field', (name: string | undefined, value, _nameTruncated, truncated) => {
    if (truncated) fail(tooMuch(`The field "${shownName(name ?? '')}" has more than ${options.maxFieldBytes} bytes.`));
    else take({ kind: 'field', name: name ?? '', value });
  });
  form.on('filesLimit', () => fail(tooMuch(`The form has more than ${options.maxFiles} files.`)));
  form.on('fieldsLimit', () => fail(tooMuch(`The form has more than ${options.maxFields} fields.`)));
  form.on('error', () => fail(incomplete()));
  form.on('finish', () => parts.push(null));
  bytes.on('error', fail).pipe(form);
  return parts;
}

function parserOf(contentType: string, options: UploadRules): BusboyInstance | null {
  const { maxFiles: files, maxFields: fields, maxFieldBytes: fieldSize } = options;
  const limits = { files, fields, fieldSize, headerPairs: MAX_HEADERS, headerSize: MAX_HEADER_BYTES };
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch {
    return null;
  }
}

function tooMuch(message: string): ApiError {
  return new ApiError('payload_too_large', message);
}

/** What the sender is told of an error of a part: that of the parser says that the form ends too soon. */
export function asRefusal(error: unknown): ApiError {
  return error instanceof ApiError ? error : incomplete();
}

function incomplete(): ApiError {
  return refused('body', 'format', 'The body is not a complete form (multipart/form-data with a boundary).');
}

function refused(field: string, code: string, message: string): ApiError {
  return new ApiError('validation_error', message, { details: [{ field, code, message }] });
}
