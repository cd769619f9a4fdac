'use strict';

const { areaImports } = require('./scripts/walls/areas.cjs');

const areas = '^src/areas/([^/]+)/';
const lowerPlatform = '^src/platform/(text|time|errors|redis|postgres|context|database|validation|columns|brand|http)/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle means that two files are one subject, or that one of them knows too much.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-cycles-between-folders',
      comment:
        'The folders of the platform, and the areas, are layers, for types too: what two of them need belongs below both.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/(platform|areas)/([^/]+)' },
      to: { path: '^src/$1/', pathNot: '^src/$1/$2(/|$)', circular: true },
    },
    {
      name: 'config-stands-alone',
      comment: 'Everything may read the configuration, so it may depend on nothing but its parts.',
      severity: 'error',
      from: { path: '^src/(config|config-values|file-config|mail-config)\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(config-values|file-config|mail-config)\\.ts$' },
    },
    {
      name: 'embedded-knows-only-the-configuration',
      severity: 'error',
      from: { path: '^src/embedded/' },
      to: { path: '^src/', pathNot: '^src/(embedded/|config\\.ts$|folder\\.ts$)' },
    },
    {
      name: 'embedded-is-for-the-entries',
      comment: 'The API does not care who started PostgreSQL and Redis.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(embedded/|main\\.ts$|cli)' },
      to: { path: '^src/embedded/' },
    },
    {
      name: 'platform-knows-no-area',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/areas/' },
    },
    {
      name: 'lower-platform-first',
      comment: 'What the rest of the platform stands on.',
      severity: 'error',
      from: { path: lowerPlatform },
      to: { path: '^src/platform/', pathNot: lowerPlatform },
    },
    {
      name: 'compositions-are-imported-by-entries',
      comment: 'Modules and entities are listed from above; nothing below may look up.',
      severity: 'error',
      from: { path: '^src/(platform|areas|embedded)/' },
      to: { path: '^src/([^/]+\\.ts$|cli/)', pathNot: '^src/(config|file-config|folder)\\.ts$' },
    },
    {
      name: 'areas-do-not-know-each-other',
      comment: 'See areaImports in scripts/walls/areas.cjs.',
      severity: 'error',
      from: { path: areas, pathNot: `^src/areas/(${Object.keys(areaImports).join('|')})/` },
      to: { path: areas, pathNot: '^src/areas/$1/' },
    },
    ...Object.entries(areaImports).map(([area, others]) => ({
      name: `${area}-may-import-only-its-list`,
      severity: 'error',
      from: { path: `^src/areas/${area}/` },
      to: { path: areas, pathNot: `^src/areas/(${[area, ...others].join('|')})/` },
    })),
    {
      name: 'locks-are-held-through-stores',
      comment: 'Store.holding and Store.keeping: decision 218.',
      severity: 'error',
      from: { path: areas },
      to: { path: '^src/platform/database/workspace-lock\\.ts$' },
    },
    {
      name: 'controllers-have-no-database',
      severity: 'error',
      from: { path: '\\.controller\\.ts$' },
      to: { path: 'node_modules/(typeorm|@nestjs/typeorm|pg)/' },
    },
    {
      name: 'entities-stay-in-their-area',
      comment: 'Another area is reached through its service.',
      severity: 'error',
      from: { path: areas },
      to: { path: `${areas}.*\\.entity\\.ts$`, pathNot: '^src/areas/$1/' },
    },
    {
      name: 'entities-do-not-import-entities',
      comment: 'References are columns; relations are declared by resource name.',
      severity: 'error',
      from: { path: '\\.entity\\.ts$' },
      to: { path: '\\.entity\\.ts$' },
    },
    {
      name: 'no-barrels',
      severity: 'error',
      from: {},
      to: { path: '^src/.*/index\\.ts$' },
    },
    {
      name: 'only-declared-packages',
      comment: 'What src imports is a dependency, not a development tool or a package that happens to be there.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'imports-resolve',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
