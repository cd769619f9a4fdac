/** Text that is HTML already, so that it is not escaped again. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it may stand in HTML, in attributes too. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

/** HTML with whatever is put in escaped, but for `Html` itself: ``html`<p>${name}</p>` ``. Nothing stands for null and false. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + rendered(parts[index])).join(''));
}

function rendered(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(rendered).join('') : escapeHtml(String(part));
}
