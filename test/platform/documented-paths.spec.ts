import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/config';
import { allOperations, type Operation } from '../support/operations';

/** Pages that speak of one part of the API leave out how its paths begin. */
const BEGINNINGS: Readonly<Record<string, string>> = { 'docs/ai.md': '/ai-engine' };
/** Tables of what is no operation: the requests of a chat on a site. */
const OTHERS: Readonly<Record<string, RegExp>> = { 'docs/channels.md': /^\| `(GET|POST) / };

const METHODS = '(?:GET|POST|PATCH|PUT|DELETE)';
const NAMED = new RegExp(`\\b(${METHODS}(?:\`?, \`?${METHODS})*)\`? (/[^\\s\`"')\\]|]*)`, 'g');
const ASKED = /\$(?:API|BASE|URL\/v1)(\/[^\s"'`]*)/g;

const read = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');
const pages = ['README.md', ...readdirSync(join(projectRoot, 'docs')).map((name) => `docs/${name}`)].filter(
  (file) => file.endsWith('.md') && file !== 'docs/decisions.md',
);

/** What a page names: methods (none: whichever), path and query. */
interface Naming {
  place: string;
  methods: string[];
  path: string;
  query: string[];
}

function namings(file: string): Naming[] {
  return read(file)
    .split('\n')
    .flatMap((line, index) => {
      if (OTHERS[file]?.test(line)) return [];
      const said = [...line.matchAll(NAMED)].map(([, methods = '', path = '']) => ({
        methods: methods.match(/[A-Z]+/g) ?? [],
        path,
      }));
      const asked = [...line.matchAll(ASKED)].map(([, path = '']) => ({ methods: [], path }));
      return [...said, ...asked].map(({ methods, path: whole }) => {
        const [path = '', query = ''] = whole.replace(/[.,;:]+$/, '').split('?');
        const names = query.split('&').map((each) => each.split('=')[0] ?? '');
        return {
          place: `${file}:${index + 1}`,
          methods,
          path: path
            .replace(/^\/v1(?=\/)/, '')
            .replace(/\/$/, '')
            .replace(/\{\w+\}/g, '1'),
          query: names.filter((name) => name !== '' && !name.startsWith('custom_fields')),
        };
      });
    });
}

const shapeOf = ({ path }: Operation): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

it('what pages say of requests is what there is: methods, paths and parameters', async () => {
  const operations = await allOperations();
  const wrong: string[] = [];
  let seen = 0;
  for (const file of pages) {
    for (const { place, methods, path, query } of namings(file)) {
      // Outside of /v1.
      if (path === '/ready') continue;
      seen++;
      const paths = [path, `${BEGINNINGS[file] ?? ''}${path}`];
      const here = operations.filter((operation) => paths.some((each) => shapeOf(operation).test(each)));
      const missing = methods.filter((method) => !here.some((operation) => operation.method === method));
      const unknown = query.filter((name) => !here.some((operation) => operation.query.includes(name)));
      if (here.length === 0 || missing.length > 0 || unknown.length > 0)
        wrong.push([place, path, ...missing, ...unknown].join(' '));
    }
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(150);
});

it('the README names every gate', () => {
  const gates = readdirSync(join(projectRoot, 'test/gates')).flatMap((name) =>
    name.endsWith('.ts') && name !== 'main.ts' ? [name.slice(0, -3)] : [],
  );
  const line = /npm run gate -- .*/.exec(read('README.md'))?.[0] ?? '';
  expect(gates.filter((gate) => !line.includes(gate))).toEqual([]);
});
