import { foldText } from './fold-text';
import { excerptOf, plainText } from './markdown-text';
import { indexedWords, speltWords } from './search-words';
import { textConfiguration } from './text-configuration';

/** Characters of an article's plain text that searches look through. */
const SEARCHED_LENGTH = 100_000;
/** Bytes of words per part of the index; PostgreSQL holds a megabyte in one document. */
const BODY_BYTES = 300_000;
const HEADING_BYTES = 50_000;
/** Different words of an article in which a typing mistake can be forgiven. */
export const SPELT_WORDS = 3_000;

/** The content of an article as it is stored. */
export interface Content {
  title: string;
  body: string;
  language: string;
  tags: string;
  keywords: string;
}

/** All of a content. */
export const TEXT_FIELDS = ['title', 'body', 'language', 'tags', 'keywords'] as const satisfies (keyof Content)[];

/** What is made of a content for readers of plain text and for searches. */
export interface ArticleText {
  excerpt: string;
  /** Name of the text search configuration. */
  config: string;
  /** Words for the stems, by part. */
  words: { title: string; headings: string; body: string; keywords: string };
  foldedTitle: string;
  /** All of it, folded. */
  folded: string;
  /** The text without Markdown, as far as it is searched. */
  plain: string;
  /** Words in which a typing mistake can be told. */
  spelt: string[];
}

/** Pure, and linear in the length of the content; some tenths of a second for the longest. */
export function articleText({ title, body, language, tags, keywords }: Content): ArticleText {
  const { text, headings } = plainText(body);
  const plain = text.slice(0, SEARCHED_LENGTH).toWellFormed();
  const folded = foldText([title, plain, keywords.replaceAll(',', ', '), tags.replaceAll(',', ', ')].join('\n'));
  return {
    excerpt: excerptOf(text),
    config: textConfiguration(language),
    words: {
      title: indexedWords(title, HEADING_BYTES),
      headings: indexedWords(headings.slice(0, SEARCHED_LENGTH).toWellFormed(), HEADING_BYTES),
      body: indexedWords(plain, BODY_BYTES),
      keywords: indexedWords(`${keywords} ${tags}`, HEADING_BYTES),
    },
    foldedTitle: foldText(title),
    folded,
    plain,
    spelt: speltWords(folded, SPELT_WORDS),
  };
}
