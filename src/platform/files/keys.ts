import { randomUUID } from 'node:crypto';

const KEY = /^[1-9]\d{0,15}\/[0-9a-f]{2}\/[\w.-]{1,100}$/;

/** A key that no other file has. The digits in the middle keep folders small. */
export function newKey(workspaceId: number): string {
  const name = randomUUID();
  return `${workspaceId}/${name.slice(0, 2)}/${name}`;
}

/** The key of something that was made of a file and goes with it. @param what letters, digits and `-` */
export function keyBeside(key: string, what: string): string {
  return `${key}.${what}`;
}

/** The key of the file that something was made of; that of a file itself as it is. */
export function keyOfOriginal(key: string): string {
  const dot = key.indexOf('.');
  return dot === -1 ? key : key.slice(0, dot);
}

export function isKey(text: string): boolean {
  return KEY.test(text) && !text.includes('..');
}

/** @throws Error when it is none: a key becomes a path */
export function requireKey(key: string): string {
  if (!isKey(key)) throw new Error('This is no key of a file.');
  return key;
}
