export const ASSET_TYPES = [
  'laptop',
  'desktop',
  'server',
  'mobile',
  'tablet',
  'printer',
  'network',
  'monitor',
  'peripheral',
  'software',
  'license',
  'cloud',
  'other',
] as const;

export const USAGE_TYPES = ['permanent', 'loaner'] as const;

export const ASSET_IMPACTS = ['low', 'medium', 'high'] as const;

/** Levels of a tree of components: a rack, a server, a controller, a disk, a part of it. */
export const MAX_LEVELS = 5;

/** Days before the end of a warranty at which it is announced. */
export const WARRANTY_NOTICE_DAYS = 30;
