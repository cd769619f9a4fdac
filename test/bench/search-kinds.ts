/** Texts that are in the data. */
export interface Sample {
  codes: string[];
  emails: string[];
  rare: readonly string[];
}

/** What is searched. */
export const kinds: readonly { name: string; texts: (at: Sample) => readonly string[] }[] = [
  { name: 'rare word', texts: ({ rare }) => rare },
  { name: 'common word', texts: () => ['device', 'error', 'password', 'cannot', 'office', 'team', 'laptop'] },
  { name: 'word of almost every ticket', texts: () => ['the', 'my', 'is'] },
  { name: 'two letters', texts: () => ['pr', 'la', 'th', 'se'] },
  { name: 'beginning', texts: () => ['devi', 'passw', 'comput', 'appl'] },
  { name: 'code', texts: ({ codes }) => codes },
  { name: 'e-mail address', texts: ({ emails }) => emails },
  { name: 'two words', texts: () => ['laptop error', 'printer office', 'please password', 'new device'] },
  { name: 'three words', texts: () => ['new laptop please', 'error password office', 'the team please'] },
  { name: 'common and rare word', texts: ({ rare }) => rare.map((word) => `the ${word}`) },
  { name: 'phrase', texts: () => ['"error message"', '"new laptop"', '"my password"'] },
  {
    name: 'phrase of common words',
    texts: () => ['"kind regards"', '"please help"', '"the device"', '"device please"'],
  },
  { name: 'joined words', texts: () => ['e-mail', 'log-in', 'new-starter', 'issue-please'] },
  { name: 'typing error', texts: () => ['pritner', 'gyrosocpe', 'lpatop', 'oscilosope', 'pasword'] },
  { name: 'signs without spaces', texts: () => ['印刷機', '手机'] },
  { name: 'umlaut', texts: () => ['größe', 'groesse', 'übertragung'] },
  { name: 'no hit', texts: () => ['qqzzxxv', 'wwkkjjq 77112', 'zzgrmpf'] },
];

/** Lists that search, and filter or sort besides. */
export const lists: readonly string[] = [
  'q=the&status=open&sort=-updated_at',
  'q=device&priority=urgent',
  'q=please&status=open,in_progress&priority=high,urgent',
  'q=new%20laptop&sort=subject',
  'q=pr&created_after=2026-01-01T00:00:00Z',
];
