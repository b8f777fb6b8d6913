// A long JSON text, read by JSON.parse in pieces: at once, 16 MB can take it a second without a pause. Brackets and
// commas are looked for first, in one pass. Every so many characters, the complete part of each array and object that
// is still open is parsed as an array or an object of its own, and added to it.
//
//   [1,{"a":[2,3   open: the outer array, with 1 parsed; the object; the inner array, with 2 parsed; 3 may go on
import type { Sliced } from './slices.ts'

/** A whole number that a double cannot hold exactly is a bigint. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [name: string]: Json }

/** An array or an object that was open when a piece ended. */
type Open = {
  readonly value: Json[] | Record<string, Json>
  members: number
  /** The name of the member that holds the open value inside. */
  name: string
  /** The sign before `from`: its own bracket, a comma, or the closing bracket of a value inside it. */
  behind: 'bracket' | 'comma' | 'value'
}

export type PieceLimits = {
  /** Characters that are looked at in one slice. */
  readonly pieceLength: number
  readonly depth: number
  /** The most members of one object: listing more takes as long as parsing them, and cannot be left either. */
  readonly members: number
}

/** `parse` reads one piece and throws when it is not JSON. undefined: the text is not JSON, or beyond the limits. */
export const readJsonInPieces = function* (
  text: string,
  parse: (piece: string) => Json,
  { pieceLength, depth: mostDepth, members: mostMembers }: PieceLimits,
): Sliced<Json | undefined> {
  // For each depth: its beginning, that of its unparsed part, and its last comma.
  const begin: number[] = [0]
  const from: number[] = [0]
  const comma: number[] = [-1]
  let depth = 0
  const open: Open[] = []

  /** Where each run of blanks longer than a piece begins and ends: 59 MB of them inside one value took 0.5 s of CPU in one turn. */
  const blanks: (readonly [from: number, until: number])[] = []
  let blanksFrom = -1
  const endBlanks = (until: number): void => {
    if (until - blanksFrom > pieceLength) blanks.push([blanksFrom, until])
    blanksFrom = -1
  }
  /** The text between two signs, with one blank for each of these runs. */
  const between = (start: number, end: number): string => {
    let rest = ''
    let until = end
    for (let n = blanks.length - 1; n >= 0 && blanks[n]![0] >= start; n -= 1) {
      const [blanksBegin, behind] = blanks[n]!
      if (blanksBegin >= end) continue
      rest = ` ${text.slice(behind, until)}${rest}`
      until = blanksBegin
    }
    return text.slice(start, until) + rest
  }

  /** Adds the values directly in the one at this depth up to `end`, which is a comma or its closing bracket. */
  const add = (level: number, end: number, isClosed: boolean): boolean => {
    const one = open[level - 1]!
    let piece = between(from[level]!, end)
    if (one.behind === 'value') {
      if (isBlank(piece)) {
        one.behind = 'comma'
        return true
      }
      const start = piece.indexOf(',')
      if (start < 0 || !isBlank(piece.slice(0, start))) return false
      piece = piece.slice(start + 1)
    } else if (isClosed && one.behind === 'bracket' && isBlank(piece)) return true
    one.behind = 'comma'
    if (isBlank(piece)) return false
    if (Array.isArray(one.value)) {
      for (const element of parse(`[${piece}]`) as readonly Json[]) one.value.push(element)
      return true
    }
    for (const [name, value] of Object.entries(parse(`{${piece}}`) as object)) setMember(one, name, value as Json)
    return one.members <= mostMembers
  }

  /** Parses the complete part of each open array and object. */
  const settle = (): boolean => {
    for (let level = Math.max(open.length, 1); level <= depth; level += 1) {
      if (level > open.length && !openAt(level)) return false
      if (comma[level]! < from[level]!) continue
      if (!add(level, comma[level]!, false)) return false
      from[level] = comma[level]! + 1
    }
    return true
  }
  const openAt = (level: number): boolean => {
    const before = between(from[level - 1]!, begin[level]!)
    const around = open.at(-1)
    if (around?.behind === 'value') return false
    if (around === undefined || Array.isArray(around.value)) {
      if (!isBlank(before)) return false
    } else around.name = Object.keys(parse(`{${before}[]}`) as object)[0]!
    const value = text.charCodeAt(begin[level]!) === openBracket ? [] : emptyObject()
    open.push({ value, members: 0, name: '', behind: 'bracket' })
    return true
  }
  /** Closes the innermost one that was open when a piece ended. */
  const close = (end: number): Json | undefined => {
    const isArray = text.charCodeAt(end) === closeBracket
    if (isArray !== Array.isArray(open.at(-1)!.value) || !add(open.length, end, true)) return undefined
    const { value } = open.pop()!
    const around = open.at(-1)
    if (around === undefined) return value
    if (Array.isArray(around.value)) around.value.push(value)
    else setMember(around, around.name, value)
    around.behind = 'value'
    from[open.length] = end + 1
    comma[open.length] = -1
    return value
  }

  let pieceEnd = pieceLength
  for (let at = 0; at < text.length; at += 1) {
    if (at >= pieceEnd) {
      if (!settle()) return undefined
      yield
      pieceEnd = at + pieceLength
    }
    const code = text.charCodeAt(at)
    if (code <= blank && isBlankSign(code)) {
      if (blanksFrom < 0) blanksFrom = at
      continue
    }
    if (blanksFrom >= 0) endBlanks(at)
    if (code === quote) {
      at = endOfString(text, at)
      if (at < 0) return undefined
    } else if (code === commaSign) comma[depth] = at
    else if (code === openBracket || code === openBrace) {
      depth += 1
      if (depth > mostDepth) return undefined
      begin[depth] = at
      from[depth] = at + 1
      comma[depth] = -1
    } else if (code === closeBracket || code === closeBrace) {
      if (depth === 0) return undefined
      if (depth === open.length) {
        const value = close(at)
        if (value === undefined) return undefined
        if (depth === 1) {
          for (let rest = at + 1; rest < text.length; rest += pieceLength) {
            if (!isBlank(text.slice(rest, rest + pieceLength))) return undefined
            yield
          }
          return value
        }
      }
      depth -= 1
    }
  }
  if (open.length > 0) return undefined
  if (blanksFrom >= 0) endBlanks(text.length)
  return parse(between(0, text.length))
}

const blank = 0x20
const quote = 0x22
const backslash = 0x5c
const commaSign = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * The place of the closing quote of the string that begins here, -1 where it has none. By hand where quotes are escaped: to
 * look for each of millions takes five times as long.
 */
export const endOfString = (text: string, begin: number): number => {
  const first = text.indexOf('"', begin + 1)
  if (first < 0 || text.charCodeAt(first - 1) !== backslash) return first
  for (let at = begin + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === backslash) at += 1
    else if (code === quote) return at
  }
  return -1
}

const isBlankSign = (code: number) => code === blank || code === 0x0a || code === 0x0d || code === 0x09

/** Asks for one that is not: an expression of blanks up to the end would go back over each of them. */
const isBlank = (text: string) => !/[^ \t\r\n]/.test(text)

/**
 * A name that is a number is a place in an array to V8: made member by member, each {"1020":1} takes 7 KB, and a body of 60 MB (75 KB of gzip) with
 * 60 of them around the end of each piece ended a server with a heap of 1 GB. With the last place of all it is made sparse, and it stays so.
 */
const emptyObject = (): Record<string, Json> => {
  const object = JSON.parse('{"4294967294":0}') as Record<string, Json>
  delete object['4294967294']
  return object
}

const setMember = (object: Open, name: string, value: Json): void => {
  object.members += 1
  // By assignment, __proto__ would be no member.
  Object.defineProperty(object.value, name, { value, writable: true, enumerable: true, configurable: true })
}
