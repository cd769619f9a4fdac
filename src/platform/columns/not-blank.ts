import { ValidateBy } from 'class-validator';

/** Characters that nobody sees: spaces, controls, zero-width and filling ones. */
const UNSEEN =
  /[\s\p{Cc}\p{Cf}\p{Cs}\p{Zs}\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2800\u3164\uFE00-\uFE0F\uFFA0]/gu;
/** Markup that shows nothing by itself. */
const EMPTY_TAG =
  /<\/?(?:p|br|div|span|b|i|u|em|strong|small|a|ul|ol|li|blockquote|pre|code|h[1-6]|font|o:p)(?:\s[^<>]*)?\/?>/giu;
const EMPTY_ENTITY =
  /&(?:nbsp|ensp|emsp|thinsp|zwnj|zwj|shy|lrm|rlm|#160|#xa0|#8203|#x200b|#8204|#8205|#65279|#xfeff);/giu;
/** No blank text is longer in practice, and looking further costs time. */
const LOOKED_AT = 20_000;

/** Whether there is nothing to be seen in a text: blanks, zero-width characters, empty markup. */
export function isBlank(text: string): boolean {
  if (/[\p{L}\p{N}]/u.test(text.slice(0, 1))) return false;
  if (text.length > LOOKED_AT) return false;
  return text.replace(EMPTY_TAG, '').replace(EMPTY_ENTITY, '').replace(UNSEEN, '') === '';
}

/** A text that may be left out; null where it shows nothing. */
export function saidIn(text: string | null | undefined): string | null {
  return text && !isBlank(text) ? text : null;
}

/** A text in which something can be seen. */
export function IsNotBlank(): PropertyDecorator {
  return ValidateBy({
    name: 'isNotBlank',
    validator: {
      validate: (value: unknown) => typeof value !== 'string' || !isBlank(value),
      defaultMessage: (args) => `${args?.property ?? 'value'} must not be blank`,
    },
  });
}
