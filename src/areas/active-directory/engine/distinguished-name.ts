/**
 * A distinguished name as it is compared: RFC 4514 escapes taken out and put back in one way, blanks around separators gone, case
 * folded, the parts of a multi-valued RDN in order. What is no distinguished name is only folded.
 */
export function comparableName(name: string): string {
  const parts = parse(name);
  if (!parts) return name.trim().toLowerCase();
  return parts
    .map((attributes) =>
      attributes
        .map(([type, value]) => `${type}=${escaped(value)}`)
        .sort()
        .join('+'),
    )
    .join(',');
}

type Attribute = readonly [type: string, value: string];

/** The RDNs, each with its attributes; null when it is no distinguished name. */
function parse(name: string): Attribute[][] | null {
  const rdns: Attribute[][] = [];
  for (const rdn of split(name, ',;')) {
    const attributes: Attribute[] = [];
    for (const attribute of split(rdn, '+')) {
      const [type, ...rest] = split(attribute, '=');
      if (rest.length === 0 || !type || !/^\s*[\w.-]+\s*$/.test(type)) return null;
      attributes.push([type.trim().toLowerCase(), unescaped(rest.join('=')).toLowerCase()]);
    }
    rdns.push(attributes);
  }
  return rdns.length === 0 ? null : rdns;
}

/** Splits at separators that are neither escaped nor within quotes. */
function split(text: string, separators: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? '';
    if (char === '\\') index++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && separators.includes(char)) {
      parts.push(text.slice(from, index));
      from = index + 1;
    }
  }
  return [...parts, text.slice(from)];
}

/** The value without quotes and escapes; blanks at its ends stay where they are escaped. */
function unescaped(value: string): string {
  const bytes: number[] = [];
  const trimmed = value.replace(/^\s+/, '').replace(/((?:^|[^\\])(?:\\\\)*)\s+$/, '$1');
  const text = /^".*"$/s.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
  for (let index = 0; index < text.length; index++) {
    if (text[index] !== '\\') {
      const char = String.fromCodePoint(text.codePointAt(index) ?? 0);
      bytes.push(...Buffer.from(char));
      index += char.length - 1;
      continue;
    }
    const hex = /^[0-9a-f]{2}/i.exec(text.slice(index + 1))?.[0];
    if (hex) bytes.push(Number.parseInt(hex, 16));
    else bytes.push(...Buffer.from(text[index + 1] ?? ''));
    index += hex ? 2 : 1;
  }
  return Buffer.from(bytes).toString('utf8').normalize('NFC');
}

const escaped = (value: string): string =>
  value.replaceAll(/[\\,;+"<>=#\0]|^ | $/g, (char) => `\\${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
