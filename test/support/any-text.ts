import fc from 'fast-check';

/** Texts with everything in them that could be taken for something else. */
export const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 100 }).map((text) => text.replaceAll('\0', ' ').toWellFormed()),
  fc
    .array(
      fc.constantFrom(
        'Drucker',
        'größe',
        '印刷機',
        'ＡＢＣ',
        'ﾌﾟﾘﾝﾀ',
        '😀',
        '½',
        'ĳ',
        "'",
        '\\',
        ':*',
        ' & ',
        '|',
        '<b>',
        '&amp;',
        '\n',
        'ς',
        'İ',
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
);
