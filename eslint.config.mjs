import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const typescript = ['src/**/*.ts', 'test/**/*.ts', 'migrations/**/*.ts', 'examples/plugins/**/*.ts', 'ormconfig.ts'];
const httpClients = ['http', 'https', 'node:http', 'node:https', 'http2', 'node:http2', 'undici', 'axios'];
/** What `node:http` says of the protocol is no client. */
const httpTables = ['METHODS', 'STATUS_CODES'];
const onlyClient = 'Outbound (platform/outbound/outbound.ts) is the only HTTP client.';

/** Files of areas that assert a type, and why the compiler cannot know it. Everywhere else rows, bodies and JSON have types. */
const asserting = {
  'src/areas/quotes/document/formats.ts': 'Intl takes decimals of any length, which its literal type cannot spell.',
  'src/areas/quotes/document/pdf-fonts.ts': 'pdfmake declares neither its files nor the tables of its fonts.',
  'src/areas/quotes/document/pdf-runs.ts':
    'A document that is walked through comes out in the shape in which it went in.',
  'src/areas/quotes/document/quote-pdf.ts': 'The same.',
  'src/areas/meta/stats/stats-answer.ts': 'Object.fromEntries forgets that it was given each name of a closed list.',
};

const houseImports = {
  paths: [
    { name: '@nestjs/common', importNames: ['forwardRef'], message: 'Cross areas by resource name or event name.' },
    { name: '@nestjs/common', importNames: ['Scope'], message: 'Everything is a singleton; see platform/context.' },
  ],
  patterns: [{ group: ['**/index', '**/index.js'], message: 'No barrels: import the file itself.' }],
};

export default tseslint.config(
  { ignores: ['**/dist/', 'node_modules/', '.data/', 'coverage/', 'docs/', 'examples/clients/'] },
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  {
    files: typescript,
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      // Modules of NestJS are classes that carry nothing but their decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // `type` would erase the classes that emitDecoratorMetadata needs; `void promise` marks a deliberate background task.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Options and drivers of Nest and TypeORM are declared as classes but made as plain objects or by factories.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      'max-lines': ['error', { max: 300 }],
      'no-restricted-exports': [
        'error',
        {
          restrictDefaultExports: {
            direct: true,
            named: true,
            defaultFrom: true,
            namedFrom: true,
            namespaceFrom: true,
          },
        },
      ],
      'no-restricted-imports': ['error', houseImports],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'src/config.ts is the only reader of the environment.' },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          ...houseImports,
          // Exact names, not patterns: a pattern `http` would also forbid platform/http.
          paths: [
            ...houseImports.paths,
            ...httpClients.map((name) => ({
              name,
              message: onlyClient,
              allowTypeImports: true,
              ...(name === 'node:http' ? { allowImportNames: httpTables } : {}),
            })),
          ],
        },
      ],
      'no-restricted-globals': ['error', { name: 'fetch', message: onlyClient }],
    },
  },
  {
    files: ['src/areas/**/*.ts'],
    ignores: Object.keys(asserting),
    rules: { '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }] },
  },
  {
    // They speak to the service itself: whether it is what listens on its port, and what somebody asks of it.
    files: ['src/cli/{doctor,migration-client}.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['src/platform/outbound/{outbound,exchange,pinned-agents}.ts'],
    rules: { 'no-restricted-imports': ['error', houseImports], 'no-restricted-globals': 'off' },
  },
  {
    // Says what the caller knows of a text that this program wrote.
    files: ['src/platform/text/json.ts'],
    rules: { '@typescript-eslint/no-unnecessary-type-parameters': 'off' },
  },
  {
    files: ['src/config.ts', 'test/support/{free-port,global-setup,machine,plugins,services,started-server}.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // Bodies of responses and Jest's asymmetric matchers are `any` by nature; what they are used for is still checked.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    // Nest declares the options of an application as a class and takes plain objects.
    files: ['src/app.ts'],
    rules: { '@typescript-eslint/no-unsafe-class-instance-assignment': 'off' },
  },
  {
    files: ['test/bench/**/*.ts', 'test/gates/**/*.ts'],
    rules: { 'no-console': 'off', 'no-restricted-properties': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.recommended],
    rules: { '@typescript-eslint/no-require-imports': 'off', eqeqeq: ['error', 'always'] },
  },
  prettier,
);
