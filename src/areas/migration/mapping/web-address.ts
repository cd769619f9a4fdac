/** The field of a source that says where a record of it is read by people: it is kept with the record, and never asked. */
export const SOURCE_URL = 'source_url';
const MAX_LENGTH = 2_048;

/** An address of the web as it is kept: http or https, without credentials, 2,048 characters at most. Null for anything else. */
export function webAddress(said: unknown): string | null {
  const text = typeof said === 'string' ? said.trim() : '';
  if (text.length > MAX_LENGTH || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { href, username, password } = new URL(text);
  return username === '' && password === '' && href.length <= MAX_LENGTH ? href : null;
}
