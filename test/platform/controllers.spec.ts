import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const files = readdirSync('src/areas', { recursive: true, encoding: 'utf8' })
  .map((path) => join('src/areas', path))
  .sort();
const source = (file: string): string => readFileSync(file, 'utf8');

/** Files of the services that a controller is given. */
function servicesOf(controller: string): string[] {
  const text = source(controller);
  const given = [...text.matchAll(/private readonly \w+: (\w+),?\n?/g)].map(([, name]) => name);
  return [...text.matchAll(/^import \{ ([^}]*) \} from '(\.[^']*)';/gm)]
    .filter(([, names]) => names?.split(', ').some((name) => given.includes(name)))
    .map(([, , path]) => join(dirname(controller), `${path ?? ''}.ts`));
}

describe('controllers', () => {
  it('never ask the store for what the service beside it has a rule for', () => {
    const past = files
      .filter((file) => file.endsWith('.controller.ts'))
      .flatMap((file) => {
        const own = servicesOf(file).filter((path) => path.startsWith(file.replace('.controller.ts', '.service')));
        const rules = own.flatMap((path) =>
          [...source(path).matchAll(/^ {2}(?:async )?(\w+)\(/gm)].map(([, name]) => name),
        );
        const asked = [...source(file).matchAll(/this\.records\.(\w+)\(/g)].map(([, name]) => name);
        return asked.filter((name) => rules.includes(name)).map((name) => `${file}: ${name ?? ''}`);
      });
    expect(past).toEqual([]);
  });

  it('are not answered by services that only hand on', () => {
    const handing =
      /^ {2}(?:async )?(list|read|create|update|remove)\(([^)]*)\): [^\n]*\{\n {4}return (?:await )?this\.\w+\.\1\(([^()\n]*)\);\n {2}\}$/gm;
    const bare = (parameters: string): string => parameters.replaceAll(/: [^,]+/g, '');
    const idle = files
      .filter((file) => file.endsWith('.service.ts'))
      .flatMap((file) =>
        [...source(file).matchAll(handing)]
          .filter(([, , parameters = '', handed]) => bare(parameters) === handed)
          .map(([, name]) => `${file}: ${name ?? ''}`),
      );
    expect(idle).toEqual([]);
  });
});
