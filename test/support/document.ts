import type { OpenAPIObject } from '@nestjs/swagger';
import { buildOpenApiDocument } from '../../src/app';
import { areasOfRun } from './areas';

let text: Promise<string> | undefined;

/** The OpenAPI document of what this run tests: built once for each worker, as that takes a second; a copy for whoever asks. */
export async function documentOfRun(): Promise<OpenAPIObject> {
  text ??= buildOpenApiDocument(areasOfRun).then((document) => JSON.stringify(document));
  return JSON.parse(await text) as OpenAPIObject;
}
