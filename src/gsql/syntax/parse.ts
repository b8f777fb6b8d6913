// Text to parse tree, by the parser that antlr-ng made of grammar/GsSql.g4. Its messages are ours: the word that was
// found and those that were expected, with line and column.
import { BaseErrorListener, CharStream, CommonTokenStream, ListTokenSource, Token } from 'antlr4ng'
import type { ATNSimulator, RecognitionException, Recognizer } from 'antlr4ng'
import { shorten } from '../../base/errors.ts'
import { scriptFault, suggestion } from '../fault.ts'
import type { Position } from '../fault.ts'
import { GsSqlLexer } from './generated/GsSqlLexer.ts'
import { GsSqlParser } from './generated/GsSqlParser.ts'
import type { ExpressionContext, ScriptContext } from './generated/GsSqlParser.ts'

/** Parentheses, CASE and prefixes inside each other. 5,000 would overflow the parser's stack. */
export const maxNesting = 200

/** Names, numbers, texts and signs. The parser takes about 12 µs for each. */
export const maxWords = 20_000

/** Those of an expression, which is read on the thread that answers everybody: 10,000 of them held it for 350 ms, 1,000 do for about 50. */
const maxDerivationWords = 1000

export const parseScript = (text: string, maxBytes: number): ScriptContext =>
  openParser(text, maxBytes, maxWords, 'the script').script()

/** The expression of a derived stream. */
export const parseDerivation = (text: string, maxBytes: number): ExpressionContext =>
  openParser(text, maxBytes, maxDerivationWords, 'the expression').derivation().expression()

const openParser = (text: string, maxBytes: number, most: number, what: string): GsSqlParser => {
  const start: Position = { line: 1, column: 1 }
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) throw scriptFault(start, `${what} has ${bytes} bytes, more than ${maxBytes}`)
  const nul = text.indexOf('\u0000')
  if (nul >= 0) throw scriptFault(endOf(text.slice(0, nul)), `${what} holds a NUL character`)
  const lexer = new GsSqlLexer(CharStream.fromString(text))
  lexer.removeErrorListeners()
  const words = readWords(lexer, most)
  if (words.length === 1) throw scriptFault(start, `${what} is empty`)
  refuseDeepNesting(words)
  const parser = new GsSqlParser(new CommonTokenStream(new ListTokenSource(words)))
  parser.removeErrorListeners()
  parser.addErrorListener(new FirstError(text, what))
  return parser
}

/**
 * Reads up to the end, or to a character that fits nowhere: the parser gets no further. Finding that a [ or a /* is not
 * closed takes a look at all that follows, so it must not happen twice.
 */
const readWords = (lexer: GsSqlLexer, most: number): Token[] => {
  const words: Token[] = []
  for (;;) {
    const word = lexer.nextToken()
    words.push(word)
    if (word.type === Token.EOF || fitsNowhere.has(word.type)) return words
    if (words.length > most) throw scriptFault(positionOf(word), `more than ${most} names, numbers, texts and signs`)
  }
}

const fitsNowhere: ReadonlySet<number> = new Set([
  GsSqlLexer.OPEN_STRING,
  GsSqlLexer.OPEN_QUOTED,
  GsSqlLexer.OPEN_COMMENT,
  GsSqlLexer.OTHER,
])

export const positionOf = (token: Token | null): Position => ({
  line: token?.line ?? 1,
  column: (token?.column ?? 0) + 1,
})

class FirstError extends BaseErrorListener {
  readonly #text: string
  readonly #what: string
  constructor(text: string, what: string) {
    super()
    this.#text = text
    this.#what = what
  }

  override syntaxError(
    recognizer: Recognizer<ATNSimulator>,
    offendingSymbol: Token | null,
    _line: number,
    _column: number,
    _message: string,
    exception: RecognitionException | null,
  ): void {
    const parser = recognizer as unknown as GsSqlParser
    const token = offendingSymbol ?? parser.getCurrentToken()
    // At an input that fits no alternative the parser reports where it began to choose; the trouble is further on.
    const offending = exception?.offendingToken ?? token
    if (offending.type === Token.EOF)
      throw scriptFault(endOf(this.#text), `${this.#what} ends too early${expected(parser)}`)
    const meant = offending.type === GsSqlLexer.IDENTIFIER ? suggestion(offending.text!, words(parser)) : ''
    throw scriptFault(
      positionOf(offending),
      `${unexpected(offending)}${isBroken(offending) ? '' : meant || expected(parser)}`,
    )
  }
}

const isBroken = ({ type }: Token) =>
  type === GsSqlLexer.OPEN_STRING || type === GsSqlLexer.OPEN_QUOTED || type === GsSqlLexer.OPEN_COMMENT

const unexpected = (token: Token): string => {
  const text = token.text ?? ''
  switch (token.type) {
    case GsSqlLexer.OPEN_STRING:
      return "the text that begins here has no closing '"
    case GsSqlLexer.OPEN_QUOTED:
      return 'the text that begins here has no closing "'
    case GsSqlLexer.OPEN_COMMENT:
      return 'the comment that begins here has no closing */'
    case GsSqlLexer.BAD_NUMBER:
      return `'${shorten(text, 40)}' is neither a number nor a name`
    default:
      return `unexpected ${/^['"`[]/.test(text) ? shorten(text, 40) : `'${shorten(text, 40)}'`}`
  }
}

/** The keywords that could stand here. */
const words = (parser: GsSqlParser): readonly string[] =>
  parser
    .getExpectedTokens()
    .toArray()
    .flatMap((type) => parser.vocabulary.getLiteralName(type)?.replaceAll("'", '') ?? [])
    .filter((word) => /^[A-Z]/.test(word))

/** Names the words that would have fitted, as long as these are one or two and not half the language. */
const expected = (parser: GsSqlParser): string => {
  const types = parser.getExpectedTokens().toArray()
  if (types.length === 0 || types.length > 3) return ''
  const names = types.map((type) =>
    type === Token.EOF
      ? 'the end'
      : (parser.vocabulary.getLiteralName(type)?.replaceAll("'", '') ?? tokenWords[type] ?? ''),
  )
  return names.includes('') ? '' : `, expected ${names.join(' or ')}`
}

const tokenWords: Readonly<Record<number, string>> = {
  [GsSqlLexer.VARIABLE]: 'an @variable',
  [GsSqlLexer.STRING]: "a 'text'",
  [GsSqlLexer.INTEGER]: 'a whole number',
}

/** The place right behind the last word. */
const endOf = (text: string): Position => {
  const lines = text.trimEnd().split('\n')
  return { line: lines.length, column: Array.from(lines.at(-1)!).length + 1 }
}

/** Runs before the parser, which recurses with the nesting of what it reads. */
const refuseDeepNesting = (tokens: readonly Token[]) => {
  const open: { readonly type: number; readonly prefixes: number }[] = []
  let depth = 0
  let prefixes = 0
  const close = () => {
    depth -= prefixes + 1 + open.pop()!.prefixes
    prefixes = 0
  }
  for (const token of tokens) {
    switch (token.type) {
      case GsSqlLexer.NOT:
      case GsSqlLexer.BANG:
      case GsSqlLexer.PLUS:
      case GsSqlLexer.MINUS:
        prefixes++
        depth++
        break
      case GsSqlLexer.LPAREN:
      case GsSqlLexer.CASE:
        open.push({ type: token.type, prefixes })
        prefixes = 0
        depth++
        break
      case GsSqlLexer.RPAREN:
        while (open.at(-1)?.type === GsSqlLexer.CASE) close()
        if (open.length > 0) close()
        break
      case GsSqlLexer.END:
        if (open.at(-1)?.type === GsSqlLexer.CASE) close()
        break
      case GsSqlLexer.SEMICOLON:
        open.length = 0
        depth = 0
        prefixes = 0
        break
      default:
        depth -= prefixes
        prefixes = 0
    }
    if (depth > maxNesting) throw scriptFault(positionOf(token), `nested deeper than ${maxNesting} levels`)
  }
}
