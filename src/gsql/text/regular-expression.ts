// Regular expressions of ReplaceAll and ReplaceFirst, in the syntax that RE2 and Java share, as Postgres takes them.
//
// Linear time is kept by leaving out what needs a search: no backreferences, no lookaround. Postgres then matches
// by automaton; only groups are looked for afterwards, so groups that the replacement does not use are not groups
// any more, and one that it uses must not lie inside a repetition. The longest match from the left wins.
// The time of a match then grows with the text and with the expression, whose size is bounded here: by measurement, twice
// the text took twice as long for every hostile expression tried, from (a+)+$ to ((a{0,9}){0,9}){0,9}b. As in RE2, that
// holds for each match: one that looks to the end before every short match, as a*b|a does over as alone, takes the
// square (10,000 characters 1.5 s, 20,000 5 s), until the time limit of scripts ends it.
import { scriptFault } from '../fault.ts'
import type { Position } from '../fault.ts'
import { parseRegularExpression } from './regular-expression-parse.ts'
import type { Node } from './regular-expression-parse.ts'

/** Repetitions inside repetitions are copied out by Postgres. */
const maxCopies = 1000
const maxReplacementLength = 10_000
/** The most characters of an expression with its repetitions copied out. */
const maxSize = 2000

export type Replacing = { readonly expression: string; readonly replacement: string }

export const replacing = (
  expression: string,
  replacement: string,
  at: Position,
  replacementAt: Position,
): Replacing => {
  const parsed = parseRegularExpression(expression, at)
  if (replacement.length > maxReplacementLength)
    throw scriptFault(replacementAt, `the replacement is longer than ${maxReplacementLength} characters`)
  const used = new Set<number>()
  const parts = replacementParts(replacement)
  for (const part of parts) {
    if (typeof part === 'string' || part === 0) continue
    if (part > parsed.groups)
      throw scriptFault(replacementAt, `$${part} names no group, the regular expression has ${parsed.groups}`)
    used.add(part)
  }
  refuseRepeated(parsed.node, used, false, replacementAt)
  refuseCopies(parsed.node, at)
  if (sizeOf(parsed.node) > maxSize)
    throw scriptFault(at, `the regular expression stands for more than ${maxSize} characters`)
  const numbers = [...used].toSorted((a, b) => a - b)
  const body = print(parsed.node, used)
  const sql = parts
    .map((part) => {
      if (typeof part === 'string') return part.replaceAll('\\', '\\\\')
      return part === 0 ? '\\&' : `\\${numbers.indexOf(part) + 1}`
    })
    .join('')
  if (numbers.length > 9) throw scriptFault(replacementAt, 'a replacement can use at most 9 groups')
  // As it stands the first quantifier would decide for the whole; wrapped so, the whole is greedy.
  const whole = isMixed(parsed.node) ? `(?:${body}){1,1}` : body
  return { expression: `${parsed.ignoreCase ? '(?i)' : ''}${whole}`, replacement: sql }
}

/** $1 and ${1} are groups, $0 the whole match; a backslash takes the next character as it is. */
const replacementParts = (text: string): readonly (string | number)[] =>
  [...text.matchAll(/\\(.)|\$(\d)|\$\{(\d{1,2})\}|[^]/gsu)].map(([all, escaped, short, long]) =>
    escaped !== undefined ? escaped : short !== undefined ? Number(short) : long !== undefined ? Number(long) : all,
  )

const refuseRepeated = (node: Node, used: ReadonlySet<number>, repeated: boolean, at: Position): void => {
  switch (node.kind) {
    case 'text':
      return
    case 'sequence':
    case 'either':
      for (const one of node.nodes) refuseRepeated(one, used, repeated, at)
      return
    case 'repeat':
      return refuseRepeated(node.node, used, repeated || node.most > 1, at)
    case 'group':
      if (repeated && node.number !== undefined && used.has(node.number))
        throw scriptFault(at, `$${node.number} is a group inside a repetition, which has no one text`)
      return refuseRepeated(node.node, used, repeated, at)
  }
}

const refuseCopies = (node: Node, at: Position, copies = 1): void => {
  if (node.kind === 'text') return
  if (node.kind === 'group') return refuseCopies(node.node, at, copies)
  if (node.kind !== 'repeat') {
    for (const one of node.nodes) refuseCopies(one, at, copies)
    return
  }
  const more = copies * Math.max(1, Number.isFinite(node.most) ? node.most : node.least)
  if (more > maxCopies) throw scriptFault(at, `the regular expression repeats more than ${maxCopies} times`)
  return refuseCopies(node.node, at, more)
}

const sizeOf = (node: Node): number => {
  switch (node.kind) {
    case 'text':
      return 1
    case 'sequence':
    case 'either':
      return node.nodes.reduce((sum, one) => sum + sizeOf(one), 0)
    case 'group':
      return sizeOf(node.node)
    case 'repeat':
      return sizeOf(node.node) * Math.max(1, Number.isFinite(node.most) ? node.most : node.least)
  }
}

const isMixed = (node: Node): boolean => {
  const kinds = new Set<boolean>()
  const look = (one: Node): void => {
    if (one.kind === 'text') return
    if (one.kind === 'sequence' || one.kind === 'either') return one.nodes.forEach(look)
    if (one.kind === 'repeat' && one.least !== one.most) kinds.add(one.lazy)
    look(one.node)
  }
  look(node)
  return kinds.size === 2
}

const print = (node: Node, used: ReadonlySet<number>): string => {
  switch (node.kind) {
    case 'text':
      return node.sql
    case 'sequence':
      return node.nodes.map((one) => print(one, used)).join('')
    case 'either':
      return node.nodes.map((one) => print(one, used)).join('|')
    case 'group':
      return `(${node.number !== undefined && used.has(node.number) ? '' : '?:'}${print(node.node, used)})`
    case 'repeat':
      return `${print(node.node, used)}${quantifier(node.least, node.most)}${node.lazy ? '?' : ''}`
  }
}

const quantifier = (least: number, most: number) => {
  if (most === Infinity) return least === 0 ? '*' : least === 1 ? '+' : `{${least},}`
  return least === 0 && most === 1 ? '?' : `{${least},${most}}`
}
