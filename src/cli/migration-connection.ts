import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { isRecord } from '../platform/text/json';
import { requireReadable } from './files';

/** A setting of a connection, as the service describes it. */
interface Setting {
  name: string;
  title: string;
  isSecret: boolean;
  isRequired: boolean;
}

/**
 * The connection of a service: JSON of a file, of what is piped in (`-`), or what somebody at a terminal says. Never of the command line, which
 * everybody on the machine may read.
 *
 * @param schema `config_schema` of the source
 * @throws Error where there is none
 */
export async function connectionOf(file: string | undefined, schema: unknown): Promise<Record<string, unknown>> {
  if (file === undefined) return asked(settingsOf(schema));
  if (file !== '-') requireReadable(file);
  const said = parsed(file === '-' ? await text(process.stdin) : readFileSync(file, 'utf8'));
  if (!isRecord(said)) throw new Error('The connection is a JSON object, such as {"base_url": "https://…"}');
  return said;
}

/** Null of what is no JSON: the error of the parser would show a part of it, and so of a password. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

async function asked(settings: readonly Setting[]): Promise<Record<string, unknown>> {
  if (!process.stdin.isTTY)
    throw new Error('Say how to get in with --connection FILE (JSON), or --connection - and JSON piped in');
  let isHidden = false;
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!isHidden) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const said: Record<string, unknown> = {};
  try {
    for (const { name, title, isSecret, isRequired } of settings) {
      const question = lines.question(`${title}${isRequired ? '' : ' (empty for none)'}: `);
      isHidden = isSecret;
      const answer = (await question).trim();
      if (isHidden) process.stderr.write('\n');
      isHidden = false;
      if (answer !== '') said[name] = answer;
    }
  } finally {
    lines.close();
  }
  return said;
}

function settingsOf(schema: unknown): Setting[] {
  const { properties, required } = isRecord(schema) ? schema : {};
  const needed: unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, said]) => {
    const { title, writeOnly } = isRecord(said) ? said : {};
    return {
      name,
      title: typeof title === 'string' ? title : name,
      isSecret: writeOnly === true,
      isRequired: needed.includes(name),
    };
  });
}
