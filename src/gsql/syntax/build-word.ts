// Names, numbers and texts of a script, and where they stand.
import type { ParserRuleContext, TerminalNode, Token } from 'antlr4ng'
import { shorten } from '../../base/errors.ts'
import { mostNumberLength } from '../../core/sample/value.ts'
import type { Word } from './ast.ts'
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import type * as tree from './generated/GsSqlParser.ts'
import { positionOf } from './parse.ts'

export const integer = (digits: TerminalNode, negative: boolean): bigint => {
  const text = digits.getText()
  const number = text.length > mostNumberLength ? 2n ** 64n : BigInt(negative ? `-${text}` : text)
  if (BigInt.asIntN(64, number) !== number) throw scriptFault(at(digits), `${shorten(text, 40)} does not fit in a LONG`)
  return number
}

export const decimal = (context: ParserRuleContext): number => {
  const number = Number(context.getText())
  if (!Number.isFinite(number))
    throw scriptFault(at(context), `${shorten(context.getText(), 40)} does not fit in a DOUBLE`)
  return number
}

/** Variables are named without the @, in lower case. */
export const variableName = (node: TerminalNode) => node.getText().slice(1).toLowerCase()

export const nameWord = (context: tree.NameContext): Word => {
  const delimited = context.DELIMITED()
  const text = context.getText()
  return { at: at(context), text: delimited ? text.slice(1, -1) : text }
}

export const anyNameWord = (context: tree.AnyNameContext): Word => {
  const name = context.name()
  return name ? nameWord(name) : { at: at(context), text: unquote(context.getText()) }
}

export const aliasWord = (alias: tree.AliasNameContext | null, bare: tree.BareNameContext | null): Word | undefined => {
  const name = alias?.anyName()
  if (name) return anyNameWord(name)
  const given = alias ?? bare
  if (!given) return undefined
  const text = given.getText()
  return { at: at(given), text: /^['"]/.test(text) ? unquote(text) : text.replace(/^[`[](.*)[`\]]$/s, '$1') }
}

/** Takes the quotes off; inside, two of them stand for one. */
export const unquote = (text: string) => text.slice(1, -1).replaceAll(text[0]!.repeat(2), text[0]!)

/**
 * The most characters in the name of a column without AS. Expressions inside each other would else be copied out at
 * every level.
 */
const maxTextLength = 1000

export const sourceText = (context: ParserRuleContext) => {
  const { start } = context.start!
  return context.start!.inputStream!.getTextFromRange(start, Math.min(context.stop!.stop, start + maxTextLength - 1))
}

export const at = (node: ParserRuleContext | TerminalNode | Token): Position => {
  if ('symbol' in node) return positionOf(node.symbol)
  if ('start' in node && typeof node.start === 'object') return positionOf(node.start)
  return positionOf(node as Token)
}

export const optional = <T, R>(given: T | null, build: (given: T) => R): R | undefined =>
  given === null ? undefined : build(given)
