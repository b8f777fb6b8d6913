// The words of JSON.parse for a long text that is not JSON, without holding everybody up for as long as it reads: the text is cut behind
// commas and brackets, and each piece read with the arrays and objects in front of it that are still open. One without an error ends
// too early, by the cut.
//
//   [1,{"a":[2,|3 4   the second piece is read as [{"":[0,3 4 and its error is three characters further to the front
import { endOfString } from './json-pieces.ts'
import type { Sliced } from './slices.ts'

/** A place behind a comma or an opening bracket, and what stands for the text in front of it. */
type Cut = { readonly at: number; readonly before: string }

const usualPieceLength = 16 * 1024

/** Undefined for JSON. A piece is longer than the 20 characters that some messages show. */
export const jsonErrorOf = function* (text: string, pieceLength = usualPieceLength): Sliced<string | undefined> {
  const open: ('array' | 'object')[] = []
  // The error may stand at the beginning of a piece, and show the end of the one before.
  let before: Cut = { at: 0, before: '' }
  let last = before
  const cutAt = (at: number, isFirst: boolean): Cut => ({ at, before: textOfOpen(open, isFirst) })
  let lookedUntil = pieceLength
  for (let at = 0; at < text.length; at += 1) {
    // Also where there is no place to cut it: 4 MB of blanks or closing brackets took 65 ms.
    if (at >= lookedUntil) {
      yield
      lookedUntil = at + pieceLength
    }
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, at)
      if (at < 0) break
      continue
    }
    const isFirst = code === openBracket || code === openBrace
    if (isFirst) open.push(code === openBracket ? 'array' : 'object')
    else if (code === closeBracket || code === closeBrace) open.pop()
    else if (code !== comma) continue
    if (at < last.at + pieceLength || open.length === 0 || code === closeBracket || code === closeBrace) continue
    if (messageOf(last.before + text.slice(last.at, at + 1)) !== tooEarly) break
    before = last
    last = cutAt(at + 1, isFirst)
  }
  const message = messageOf(before.before + text.slice(before.at))
  return message && withPlace(message, text, before.at - before.before.length)
}

const textOfOpen = (open: readonly ('array' | 'object')[], isFirst: boolean): string => {
  const around = open.slice(0, -1).map((kind) => (kind === 'array' ? '[' : '{"":'))
  const [bracket, member] = open.at(-1) === 'array' ? ['[', '0,'] : ['{', '"":0,']
  return `${around.join('')}${bracket}${isFirst ? '' : member}`
}

const messageOf = (text: string): string | undefined => {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const tooEarly = messageOf('[')

/** The place of the whole text, also by line and column, as later releases of Node.js say it. */
const withPlace = (message: string, text: string, shift: number): string =>
  message.replace(/ at position (\d+)(?: \(line \d+ column \d+\))?$/, (found, place: string) => {
    const position = Number(place) + shift
    return ` at position ${position}${found.endsWith(')') ? lineAndColumn(text, position) : ''}`
  })

const lineAndColumn = (text: string, position: number): string => {
  let line = 1
  let from = 0
  for (let at = 0; at < position; at += 1) {
    const code = text.charCodeAt(at)
    if (code === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1
    else if (code !== lineFeed && code !== carriageReturn) continue
    line += 1
    from = at + 1
  }
  return ` (line ${line} column ${position - from + 1})`
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
