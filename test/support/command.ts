import { sentence } from '../../src/cli/output';
import { createProgram } from '../../src/cli/program';

/** Runs the command as a process would, on the database that the server uses. */
export async function helpdesk(...words: string[]): Promise<{ out: string; error: string | null }> {
  let out = '';
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  const complain = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  try {
    await createProgram().parseAsync(['node', 'helpdesk', ...words]);
    return { out, error: null };
  } catch (error) {
    return { out, error: sentence(error) };
  } finally {
    write.mockRestore();
    complain.mockRestore();
  }
}

/** What the command prints with --json: one document. */
export async function json<T extends object>(...words: string[]): Promise<T> {
  const { out, error } = await helpdesk('--json', ...words);
  if (error !== null) throw new Error(error);
  expect(out.trimEnd()).not.toContain('\n');
  return JSON.parse(out) as T;
}

/** What `workspace create` answers. */
export interface Created {
  id: number;
  slug: string;
  plan: string;
  kind: string;
}

/** A new workspace; names may repeat. */
export async function workspace(...words: string[]): Promise<Created> {
  return json<Created>('workspace', 'create', '--again', '--name', 'Command Test', ...words);
}

/** A token that reads and writes. */
export async function tokenFor(slug: string, ...words: string[]): Promise<{ id: number; token: string }> {
  return json('token', 'create', '--workspace', slug, '--scopes', 'read,write', ...words);
}
