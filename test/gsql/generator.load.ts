// The reach of random scripts. Only scripts that the checker takes are counted: a refused script reaches nothing.
import assert from 'node:assert/strict'
import { ParserRuleContext, TerminalNode } from 'antlr4ng'
import type { ParseTree } from 'antlr4ng'
import { statistics } from '../../src/core/statistic/statistic.ts'
import { systemVariables } from '../../src/gsql/check/check.ts'
import { aggregates, choices, functions } from '../../src/gsql/check/functions.ts'
import * as parser from '../../src/gsql/syntax/generated/GsSqlParser.ts'
import { parseScript } from '../../src/gsql/syntax/parse.ts'
import { compileScript } from '../../src/gsql/script.ts'
import { streamColumnNames } from '../../src/gsql/check/stream-table.ts'
import { tableFunctionNames } from '../../src/gsql/check/tables.ts'
import { openRandom } from '../support/random.ts'
import { randomScript } from './generator.ts'

const mostBytes = 65_536
const mostScripts = 1500
const { GsSqlParser } = parser

/** Every rule and every alternative of the grammar that has a name, with what may stand in it: Insert.REPLACE. */
const contexts = new Map(
  Object.entries(parser).flatMap(([name, made]) =>
    name.endsWith('Context') && made.prototype instanceof ParserRuleContext
      ? [[made as unknown, name.slice(0, -'Context'.length)] as const]
      : [],
  ),
)
const grammar = [...contexts].flatMap(([made, name]) =>
  Object.getOwnPropertyNames((made as { readonly prototype: object }).prototype)
    .filter((member) => !['constructor', 'ruleIndex', 'copyFrom'].includes(member))
    .map((member) => `${name}.${member}`)
    // UPDATE sets one column only.
    .filter((part) => part !== 'Update.COMMA'),
)

const otherWords =
  'Stream SAMPLE system Ordinality STRING LONG DOUBLE BOOLEAN INTEGER FLOAT SHORT COMPTMPLID FOLDER DTID DSID ' +
  'Range sd ed last currentCycle cycleId stat now streamEd 1s 2m 3h 1d 1w 1M 1y'

type Reached = { readonly grammar: Set<string>; readonly calls: Set<string>; readonly words: Set<string> }

const look = (tree: ParseTree, reached: Reached): void => {
  if (tree instanceof TerminalNode) reached.words.add(tree.getText().toLowerCase())
  if (!(tree instanceof ParserRuleContext)) return
  const name = contexts.get(tree.constructor)
  for (const child of tree.children) {
    const member =
      child instanceof TerminalNode
        ? (GsSqlParser.symbolicNames[child.symbol.type] ?? 'EOF')
        : GsSqlParser.ruleNames[(child as ParserRuleContext).ruleIndex]
    reached.grammar.add(`${name}.${member}`)
    look(child, reached)
  }
  if (tree instanceof parser.CallContext)
    reached.calls.add(`${tree.functionName().getText()} of ${tree.expression().length}`.toLowerCase())
}

const upTo = (name: string, least: number, most: number) =>
  Array.from({ length: Math.min(most, 3) - Math.min(least, 3) + 1 }, (_, more) =>
    `${name} of ${least + more}`.toLowerCase(),
  )

/** Parts of the grammar that are there only to be refused by name, or for derived streams. */
const isRefused = /^Derivation\.|^NaturalJoin\.|^JoinCondition\.(?!ON$|expression$)|^FunctionName\.(ISNULL|NOTNULL)$/

const calls = [
  ...[...functions.values()].flatMap(({ name, takes, optional }) =>
    Array.from({ length: optional + 1 }, (_, less) => `${name} of ${takes.length - less}`.toLowerCase()),
  ),
  ...[...aggregates.values(), ...choices.values()].flatMap(({ name, least, most }) => upTo(name, least, most)),
  'count of 0',
]
const words = [
  ...tableFunctionNames,
  ...streamColumnNames,
  ...statistics.map((statistic) => `'${statistic}'`),
  ...[...systemVariables.keys()].map((name) => `@${name}`),
  ...otherWords.split(' '),
]

const missing = (reached: Reached) => ({
  grammar: grammar.filter((part) => !reached.grammar.has(part) && !isRefused.test(part)),
  calls: calls.filter((call) => !reached.calls.has(call)),
  words: words.filter((word) => !reached.words.has(word.toLowerCase())),
})

describe('the generator of random scripts', () => {
  const reached: Reached = { grammar: new Set(), calls: new Set(), words: new Set() }
  let [made, taken] = [0, 0]

  before(function () {
    this.timeout(600_000)
    while (made < mostScripts) {
      made += 1
      const script = randomScript(openRandom(made))
      try {
        compileScript(script, mostBytes)
      } catch {
        continue
      }
      taken += 1
      look(parseScript(script, mostBytes), reached)
      if (taken % 50 === 0 && Object.values(missing(reached)).every(({ length }) => length === 0)) break
    }
  })

  it('mostly makes scripts that the checker takes', () => {
    assert.ok(taken > made / 2, `${taken} of ${made}`)
  })

  it('reaches every part of the grammar', () => {
    assert.ok(grammar.length > 200 && grammar.includes('Insert.REPLACE'), `${grammar.length} parts`)
    assert.deepEqual(missing(reached).grammar, [])
  })

  it('calls every function, with and without what may be left out', () => {
    assert.deepEqual(missing(reached).calls, [])
  })

  it('names every table, column of Stream, statistic, system variable, type and option', () => {
    assert.deepEqual(missing(reached).words, [])
  })
})
