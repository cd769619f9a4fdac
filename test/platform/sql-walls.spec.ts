import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = process.cwd();
let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'helpdesk-walls-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the check says about a project of these files, or about this one; one line per trespass. */
function walls(files?: Readonly<Record<string, string>>): string[] {
  for (const [file, text] of Object.entries(files ?? {})) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const args = ['scripts/sql-walls.mjs', ...(files ? [folder] : [])];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  const lines = stderr.split('\n').filter((line) => line !== '');
  expect(status).toBe(lines.length === 0 ? 0 : 1);
  return lines.map((line) => line.replace(/: (ask|name) .*/, ''));
}

const OWNERS = {
  'migrations/1-x.ts':
    'const up = `CREATE TABLE teams (); CREATE VIEW teams_search AS SELECT; CREATE TABLE strays ()`;',
  'src/areas/teams/team.entity.ts': `@Entity('teams') class Team {}`,
  'src/areas/users/user.entity.ts': `@Entity('users') class User {}`,
};

it('no area names tables of others in its SQL, and the platform none of theirs', () => {
  expect(walls()).toEqual([]);
});

it('finds tables of others in joined, listed, written and concatenated SQL, and tables without an owner', () => {
  const text = [
    'const a = `SELECT 1 FROM users u, teams t WHERE true FOR UPDATE`;',
    'const b = `WITH users_of AS (SELECT) SELECT ${a} FROM users u JOIN teams_search s USING (id)`;',
    `const c = 'UPDATE teams SET ' + name + ' = 1';`,
    '@ComputedColumn({}, (t) => `(SELECT count(*) FROM teams x)`)',
    'class User {}',
    'const d = `INSERT INTO events DEFAULT VALUES RETURNING (SELECT max(id) FROM events)`;',
  ].join('\n');
  const platform = 'const own = `SELECT 1 FROM events`, other = `SELECT 1 FROM users`;';
  const files = { ...OWNERS, 'src/areas/users/users.ts': text, 'src/platform/x.ts': platform };
  expect(walls(files)).toEqual([
    'scripts/walls/areas.cjs:1  "strays" has no owner.',
    'src/areas/users/users.ts:1  users reads "teams" of teams',
    'src/areas/users/users.ts:2  users reads "teams_search" of teams',
    'src/areas/users/users.ts:3  users writes "teams" of teams',
    'src/areas/users/users.ts:6  users writes "events" of platform',
    'src/platform/x.ts:1  platform reads "users" of users',
  ]);
});

it('finds rows by position and plain reads of own tables whose files do not say why, and files that say so for nothing', () => {
  const raw = 'const rows = await database.rawRead(statement);';
  const plain =
    "const text = `SELECT id, name AS called FROM users WHERE workspace_id = $1 AND status = 'active' FOR SHARE`;";
  const more = 'const more = `SELECT id FROM users WHERE workspace_id = $1 AND lower(name) = $2`;';
  const files = {
    ...OWNERS,
    'migrations/1-x.ts': '',
    'src/areas/users/a.ts': `import x from 'x';\n${plain}\n${more}\n${raw}`,
    'src/areas/users/b.ts': `// Own reads: they are measured.\n// Raw rows: they are measured.\nimport x from 'x';\n${plain}\n${raw}`,
    'src/areas/users/c.ts': `// Own reads: they are measured.\n// Raw rows: they are measured.\nimport x from 'x';\n${more}`,
  };
  expect(walls(files)).toEqual([
    'src/areas/users/a.ts:4  takes rows by position',
    'src/areas/users/a.ts:2  reads "users" by a statement of its own',
    'src/areas/users/c.ts:1  takes no rows by position.',
    'src/areas/users/c.ts:1  has no plain reads of its own.',
  ]);
});
