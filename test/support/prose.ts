// The sentences of comments and pages, for the tests that keep the house readable.

/** Sentences of a page; a heading, an element of a list and a cell of a table are sentences of their own. */
export const sentencesOfPage = (page: string): readonly string[] =>
  page
    .replaceAll(/^ *```[^]*?^ *```/gm, '\n\n')
    .replaceAll(/<!--|-->/g, '')
    .replaceAll(/^#+ .*$/gm, '\n$&\n')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\|/)
    .flatMap((part) => sentencesIn(part.replace(/^\s*(?:[-*#]+|\d+\.)\s+/, '').replaceAll(/\*\*/g, '')))

/** Sentences of the comments in a source. Lines that are indented inside of a comment are examples, and no sentences. */
export const sentencesOfComments = (source: string): readonly string[] =>
  [...source.matchAll(/(?:^[ \t]*\/\/ ?.*\n)+|\/\*[^]*?\*\/|(?<=\s)\/\/ .*$/gm)].flatMap(([comment]) =>
    comment
      .split('\n')
      .map((line) => line.replace(/^\s*(?:\/\/|\/\*\*?|\*(?!\/)) ?/, '').replace(/ *\*\/\s*$/, ''))
      .map((line) => (/^\s{2}/.test(line) ? '' : line))
      .join('\n')
      .split(/\n\s*\n/)
      .flatMap(sentencesIn),
  )

const sentencesIn = (paragraph: string): readonly string[] =>
  paragraph
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.?!]['")\]]*) (?=['"(`[]*\p{Lu})/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
