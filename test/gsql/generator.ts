// Random scripts by the grammar: every construct, names that mostly exist, types that often do not fit, values at the
// edges. Every script must end in rows or in a script's error.
//
//   npm run fuzz -- 10000 1        10,000 scripts from the seed 1
import { fileURLToPath } from 'node:url'
import type { Fault } from '../../src/base/errors.ts'
import { statistics } from '../../src/core/statistic/statistic.ts'
import { aggregates, choices, functions } from '../../src/gsql/check/functions.ts'
import { streamColumn, streamColumnNames, streamColumns } from '../../src/gsql/check/stream-table.ts'
import { closeTestServer } from '../support/database.ts'
import { openRandom } from '../support/random.ts'
import type { Random } from '../support/random.ts'
import { fillDatabase } from './data.ts'
import { openScripts, testLimits } from './scripts.ts'
import type { Scripts } from './scripts.ts'

type Want = 'number' | 'text' | 'condition'
type Column = { readonly text: string; readonly type: Want }
type Names = { readonly columns: readonly Column[]; readonly commons: readonly string[]; readonly aggregates: boolean }

const nothing: Names = { columns: [], commons: [], aggregates: false }

const leaves: Readonly<Record<Want, readonly string[]>> = {
  number: [
    '0',
    '1',
    '-1',
    '2',
    '7',
    '1.5',
    '-0.0',
    '1e300',
    '1e-300',
    '9223372036854775807',
    '-9223372036854775808',
    '1772366400000',
    '4294967296',
    '100000',
    "'12'",
    'TRUE',
    'NULL',
    '@LAST_RUN_DATE',
    '@b',
  ],
  text: [
    "''",
    "'a'",
    "'12'",
    "'1.5'",
    "'abc'",
    "'2026-03-01'",
    "'12:00'",
    '\'{"a":[1,2,{"b":"x"}]}\'',
    "'[1,2,3]'",
    "'a,b;c'",
    "'%'",
    "'Ü😀'",
    "'1e400'",
    "'it''s'",
    '"quoted"',
    '12',
    'NULL',
    '@HTTP_BODY',
    '@HTTP_QUERY_STRING',
    '@HTTP_QUERY_RAW',
    '@HTTP_METHOD',
    '@JDBC_RESULT',
    '@CONNECTOR_ID',
    '@a',
  ],
  condition: ['TRUE', 'FALSE', 'NULL', '1', '0', "'true'"],
}
const types = ['STRING', 'LONG', 'DOUBLE', 'BOOLEAN', 'INTEGER', 'FLOAT', 'SHORT']
const wantOf = (type: string): Want =>
  type === 'STRING' || type === 'ANY' ? 'text' : type === 'BOOLEAN' ? 'condition' : 'number'
const paths = [
  '$',
  '$.a',
  '$.a[0]',
  '$.a[*]',
  '$..b',
  "$['a']",
  '$.a[?(@.b=="x")].b',
  '$[*]',
  '$.a[1:]',
  '$.a[-1]',
  '$.a[0,1]',
  '$.*',
  '$.x.y',
]
const patterns = [
  "'yyyy-MM-dd'",
  "'HH:mm'",
  "'yyyy-MM-dd HH:mm:ss'",
  "'d MMM yyyy'",
  "'yyyyMMdd'",
  "'qq'",
  "'yyyy-MM-dd z'",
]
const zones = ["'UTC'", "'Europe/Berlin'", "'America/New_York'", "'UTC'", "'Asia/Kathmandu'", "'+02:00'", "'Mars'"]
const units = ["'day'", "'hour'", "'month'", "'year'", "'week'", "'eon'"]
const expressions = ["'[0-9]+'", "'(a)(b)?'", "'.*?x'", "'a{1,3}'", "'('", "'(a+)+$'", "'\\d'"]
const ranges = [
  'Range(sd=-1d, ed=now)',
  'Range(ed=+1s, sd=-2m)',
  'Range(last=3)',
  "Range(currentCycle='day')",
  'Range(currentCycle="month")',
  "Range(currentCycle='eon')",
  'Range(sd=-3h, ed=streamEd)',
  'Range(sd=1772280000000)',
  'Range(ed=@LAST_RUN_DATE)',
  'Range(sd=-1M)',
  'Range(sd=-1w)',
  'Range(sd=-1y, ed=1772366400005)',
  "Range(sd='2026-02-28', ed='2026-03-01T06:00')",
  'Range(sd=2026-02-28)',
]
const cycles = ["'hour'", "'day'", "'month'", "'eon'"]

/** Names that would be more than a name if they came out of their signs, in a script or in its SQL. */
export const hostileNames = [
  '"a""; select 1 --"',
  '"""; drop table sample; --"',
  "[a'b]",
  "[a'; select 1 --]",
  '`a"b`',
  '"$$ /* \\"',
]

/** Words of the language that may name columns, and names that need a sign around them. */
const oddNames = [
  ...(
    'ANTI ASC BY DELETE DESC END ESCAPE FIRST FULL INSERT INTO ISNULL LAST LEFT NATURAL NOTNULL NULLS OFFSET OUTER REPLACE ' +
    'RIGHT SET UPDATE USING VALUES ' +
    '[a] `c` "d" ä_1$'
  ).split(' '),
  ...hostileNames,
]

const specialArguments: Readonly<Record<string, readonly string[]>> = {
  ZONE: zones,
  UNIT: units,
  'READ PATTERN': patterns,
  'WRITE PATTERN': patterns,
  EXPRESSION: expressions,
  REPLACEMENT: ["'x'", "'$1'", "'$0$0'"],
  PATH: paths.map((path) => `'${path.replaceAll("'", "''")}'`),
}

export const randomScript = (random: Random): string => {
  let tables = 0
  const chance = (percent: number) => random.integer(100) < percent
  const oneOf = (...makers: readonly (() => string)[]) => random.pick(makers)()
  const several = (make: () => string, most = 3) => Array.from({ length: 1 + random.integer(most) }, make).join(', ')
  const maybe = (percent: number, text: string) => (chance(percent) ? text : '')
  /** The name of a table or column as it may stand behind it. */
  const given = (name: string) => {
    const isPlain = /^\w+$/.test(name)
    const written = isPlain && chance(30) ? random.pick([`"${name}"`, `[${name}]`, `'${name}'`, `\`${name}\``]) : name
    return `${maybe(50, 'AS ')}${written}`
  }

  const expression = (
    depth: number,
    names: Names,
    want: Want = random.pick(['number', 'text', 'condition']),
  ): string => {
    if (depth <= 0 || chance(15)) return leaf(names, want)
    // Now and then a type that may not fit.
    const inner = (type: Want = want) => expression(depth - 1, names, chance(4) ? 'text' : type)
    const any = random.pick(['number', 'text', 'condition'] as const)
    const general = [
      () => `(${query(depth - 1, names, [want])})`,
      () => `CASE WHEN ${inner('condition')} THEN ${inner()} ${chance(70) ? `ELSE ${inner()} ` : ''}END`,
      () => `CASE ${inner(any)} WHEN ${inner(any)} THEN ${inner()} WHEN ${inner(any)} THEN ${inner()} END`,
      () => call(depth - 1, names, want),
      () => call(depth - 1, names, want),
      () => call(depth - 1, names, want),
    ]
    switch (want) {
      case 'number':
        return oneOf(
          ...general,
          () => `${inner()} ${random.pick(['+', '-', '*', '/', '%'])} ${inner()}`,
          () => `(${random.pick(['-', '+', ''])}(${inner()}))`,
          () => `Try_Cast(${inner(any)} AS ${random.pick(types.slice(1))})`,
        )
      case 'text':
        return oneOf(
          ...general,
          () => `${inner()} + ${inner(any)}`,
          () => `Cast(${inner(any)} AS STRING)`,
        )
      case 'condition':
        return oneOf(
          ...general,
          () => `(${inner(any)} ${random.pick(['=', '==', '<>', '!=', '<', '<=', '>', '>='])} ${inner(any)})`,
          () => `(${inner()} ${random.pick(['AND', 'OR', '&&', '||'])} ${inner()})`,
          () => `(${random.pick(['NOT ', '!'])}(${inner()}))`,
          () => `((${inner(any)}) ${random.pick(['IS NULL', 'IS NOT NULL', 'ISNULL', 'NOTNULL', 'NOT NULL'])})`,
          () =>
            `((${inner('text')}) ${random.pick(['', 'NOT '])}LIKE (${inner('text')})${chance(20) ? " ESCAPE '!'" : ''})`,
          () => `((${inner(any)}) ${random.pick(['', 'NOT '])}BETWEEN (${inner(any)}) AND (${inner(any)}))`,
          () =>
            `((${inner(any)}) ${random.pick(['', 'NOT '])}IN (${maybe(
              95,
              several(() => inner(any)),
            )}))`,
          () => `((${inner(any)}) ${random.pick(['', 'NOT '])}IN (${query(depth - 1, names, [any])}))`,
          () => `EXISTS (${query(depth - 1, names, [any])})`,
        )
    }
  }

  const leaf = (names: Names, want: Want): string => {
    const fitting = names.columns.filter(({ type }) => type === want || (want === 'text' && chance(20)))
    if (fitting.length > 0 && chance(70)) return random.pick(fitting).text
    return chance(1) ? 'nosuch' : random.pick(leaves[want])
  }

  const call = (depth: number, names: Names, want: Want): string => {
    if (names.aggregates && chance(60)) return aggregate(depth, names, want)
    if (chance(20)) {
      const fitting = [...choices.values()].filter(({ name }) => want === 'text' || name !== 'Concat')
      const { name, least, most } = random.pick(fitting)
      const count = least + random.integer(Math.min(most, least + 2) - least + 1)
      const inner = (type: Want = want) => expression(depth, names, type)
      const list = Array.from({ length: count }, (_, index) =>
        inner(/^i?if$/i.test(name) && index === 0 ? 'condition' : want),
      )
      return `${name}(${list.join(', ')})`
    }
    const fitting = [...functions.values()].filter(({ gives }) => wantOf(gives) === want)
    const { name, takes, optional } = random.pick(fitting)
    const count = takes.length - random.integer(optional + 1) + (chance(1) ? 1 : 0)
    const list = Array.from({ length: count }, (_, index) => {
      const taken = takes[index] ?? 'STRING'
      const special = specialArguments[taken]
      return special && chance(97) ? random.pick(special) : expression(depth, names, wantOf(taken))
    })
    return `${name}(${list.join(', ')})`
  }

  const aggregate = (depth: number, names: Names, want: Want): string => {
    const inside = (type: Want) => expression(depth, { ...names, aggregates: false }, type)
    const distinct = chance(10) ? 'DISTINCT ' : ''
    if (want === 'number' && chance(60)) {
      const name = random.pick(['Sum', 'Avg', 'StdDev', 'Variance', 'Count'])
      return name === 'Count' && chance(50) ? 'Count(*)' : `${name}(${distinct}${inside('number')})`
    }
    if (want === 'text' && chance(40)) return `Group_Concat(${distinct}${inside('text')}${chance(50) ? `, '/'` : ''})`
    const { name } = random.pick([...aggregates.values()].filter(({ kind }) => kind === 'extreme' || kind === 'edge'))
    const by = (name === 'First' || name === 'Last') && chance(50) ? `, ${inside('number')}` : ''
    return `${name}(${distinct}${inside(want)}${by})`
  }

  const table = (depth: number, names: Names): { readonly text: string; readonly columns: readonly Column[] } => {
    const odd = chance(6) ? random.pick(['first', 'right', 'replace', ...hostileNames]) : undefined
    const alias = odd ?? `t${++tables}`
    const named = odd ? `AS ${odd}` : given(alias)
    const column = (name: string, type: Want): Column => ({ text: chance(95) ? `${alias}.${name}` : name, type })
    const body = () =>
      chance(75)
        ? random.pick(['\'[{"a":1,"b":"x"},{"a":2}]\'', '\'{"a":[1,2,3]}\'', "'[[1,2],[3]]'", '@HTTP_BODY'])
        : expression(1, names, 'text')
    switch (random.integer(depth > 0 ? 6 : 4)) {
      case 0: {
        const columns = ['a', chance(50) ? random.pick(oddNames) : 'b', 'c']
          .slice(0, 1 + random.integer(3))
          .map((name) => ({ name, type: chance(70) ? 'STRING' : random.pick(types) }))
        const path = () => {
          const text = random.pick(paths)
          return chance(10) ? `"${text.replaceAll('"', '""')}"` : `'${text.replaceAll("'", "''")}'`
        }
        const list = columns.map(({ name, type }) => (chance(8) ? `${name} Ordinality` : `${name} ${type} ${path()}`))
        return {
          text: `JSON_TABLE(${body()}) WITH (${list.join(', ')}) ${named}`,
          columns: columns.map(({ name, type }) => column(name, wantOf(type))),
        }
      }
      case 1: {
        const columns = [
          { name: 'a', type: 'STRING' },
          { name: 'b', type: random.pick(['LONG', 'DOUBLE', 'STRING']) },
        ]
        const list = columns.map(({ name, type }, index) => `${index + 1} ${name} ${type}`)
        const text = chance(85)
          ? random.pick(['\'a,1\nb,2\n"c,d",3\'', "'a;1'", '@JDBC_RESULT', '@HTTP_BODY'])
          : expression(1, names, 'text')
        const more = random.pick(['', '', '', ', TRUE', ', FALSE', ", TRUE, ';'", ', FALSE, @a'])
        return {
          text: `CSV_TABLE(${text}${more}) WITH (${list.join(', ')}) ${named}`,
          columns: columns.map(({ name, type }) => column(name, wantOf(type))),
        }
      }
      case 2: {
        const columns = Array.from({ length: 2 + random.integer(3) }, () => {
          const name = random.pick(streamColumnNames)
          const { type } = streamColumns[streamColumn(name)!]!
          return column(name, type === 'ANY' ? random.pick(['text', 'number', 'condition']) : wantOf(type))
        })
        // One range and one cycle for the SELECT; now and then another.
        const range = random.pick(ranges)
        const cycle = `cycleId=${random.pick(cycles)}`
        const samples = (['text', 'number', 'text', 'number', 'condition'] as const).map((type) => {
          const statistic = `stat='${random.pick(statistics)}'`
          const wanted = chance(25) ? [chance(97) ? range : random.pick(ranges)] : [range, cycle, statistic]
          return { text: `sample(${(chance(50) ? wanted : wanted.toReversed()).join(', ')})`, type }
        })
        return {
          text: `${maybe(20, 'system.')}Stream ${named}`,
          columns: chance(60) ? [...columns, ...samples] : columns,
        }
      }
      case 3:
        if (names.commons.length > 0)
          return { text: `${random.pick(names.commons)} ${named}`, columns: [column('x', 'number')] }
        return {
          text: chance(50)
            ? `(SELECT 1 x, 'y' y UNION ALL SELECT 2, NULL) ${named}`
            : `(WITH v(x, y) AS (${values(['number', 'text'])}) SELECT * FROM v) ${named}`,
          columns: [column('x', 'number'), column('y', 'text')],
        }
      default:
        return {
          text: `(${query(depth - 1, { ...nothing, commons: names.commons }, ['number', 'text'], ['x', 'y'])}) ${named}`,
          columns: [column('x', 'number'), column('y', 'text')],
        }
    }
  }

  const values = (wants: readonly Want[]): string => {
    const row = () => `(${wants.map((want) => expression(1, nothing, want)).join(', ')})`
    return `VALUES ${several(row)}`
  }

  /** The columns of all tables, or of one. */
  const everything = (depth: number, names: Names, wants: readonly Want[]): string => {
    const alias = `t${++tables}`
    const inner = query(depth - 1, { ...nothing, commons: names.commons }, wants)
    return `SELECT ${random.pick(['*', `${alias}.*`])} FROM (${inner}) ${alias}`
  }

  const select = (depth: number, names: Names, wants: readonly Want[], aliases: readonly string[]): string => {
    if (aliases.length === 0 && chance(4)) return values(wants)
    if (aliases.length === 0 && depth > 0 && chance(4)) return everything(depth, names, wants)
    let from = ''
    const columns: Column[] = []
    const count = random.integer(depth > 1 ? 3 : 2)
    for (let index = 0; index < count; index++) {
      const made = table(depth - 1, { ...nothing, columns: [...columns], commons: names.commons })
      columns.push(...made.columns)
      const on = () =>
        ` ON ${expression(1, { ...nothing, columns: columns.filter(({ text }) => !text.includes('(')) }, 'condition')}`
      from +=
        index === 0
          ? ` FROM ${made.text}`
          : oneOf(
              () => `, ${made.text}`,
              () => ` CROSS JOIN ${made.text}`,
              () => ` ${maybe(50, 'INNER ')}JOIN ${made.text}${maybe(80, on())}`,
              () => ` ${maybe(2, 'NATURAL ')}JOIN ${made.text}${maybe(2, ' USING (a)')}`,
              () =>
                ` ${random.pick(['LEFT', 'RIGHT', 'FULL'])} ${maybe(50, 'OUTER ')}JOIN ${made.text}${maybe(98, on())}`,
            )
    }
    const outer = chance(30) ? names.columns.filter(({ text }) => text.includes('.')) : []
    const inside: Names = { columns: [...columns, ...outer], commons: names.commons, aggregates: false }
    const isGrouped = chance(25)
    const keyType = random.pick(['number', 'text'] as const)
    const key = `${expression(1, inside, keyType)}${keyType === 'number' ? ' + 0' : " + ''"}`
    // Beside a group stand its key and aggregates, and now and then what may not stand there.
    const grouped: Names = {
      columns: chance(95) ? [{ text: `(${key})`, type: keyType }] : columns,
      commons: names.commons,
      aggregates: true,
    }
    const item = (want: Want) => {
      if (!isGrouped) return expression(depth, inside, want)
      return chance(60)
        ? aggregate(depth - 1, { ...inside, aggregates: true }, want)
        : expression(1, { ...grouped, aggregates: false }, want)
    }
    const items = wants.map((want, index) => {
      const alias = aliases[index] ?? (chance(15) ? random.pick(['n', 'm', 'o', ...hostileNames]) : undefined)
      return alias === undefined ? item(want) : `${item(want)} ${given(alias)}`
    })
    const where = chance(30) ? ` WHERE ${expression(depth - 1, inside, 'condition')}` : ''
    const group = isGrouped
      ? ` GROUP BY ${key}${maybe(10, `, ${expression(1, inside)}`)}${chance(30) ? ` HAVING Count(*) > ${expression(1, { ...grouped, columns: [] }, 'number')}` : ''}`
      : ''
    return `SELECT ${random.pick(['DISTINCT ', 'ALL ', ...Array<string>(18).fill('')])}${items.join(', ')}${from}${where}${group}`
  }

  const common = (depth: number): { readonly text: string; readonly names: readonly string[] } => {
    const one = (name: string) =>
      chance(70)
        ? `${name} AS (${query(depth - 1, nothing, ['number'], ['x'])})`
        : `${name}(x, y) AS (${query(depth - 1, nothing, ['number', 'text'])})`
    return chance(70)
      ? { text: `WITH ${one('w')} `, names: ['w'] }
      : { text: `WITH ${one('w')}, ${one('u')} `, names: ['w', 'u'] }
  }

  const query = (depth: number, names: Names, wants: readonly Want[], aliases: readonly string[] = []): string => {
    let { commons } = names
    let text = ''
    if (chance(10)) {
      const made = common(depth)
      text = made.text
      commons = [...commons, ...made.names]
    }
    text += select(depth, { ...names, commons }, wants, aliases)
    for (let more = random.integer(10) - 7; more > 0; more--)
      text += ` ${random.pick(['UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT'])} ${select(depth - 1, { ...names, commons }, wants, [])}`
    if (chance(20))
      text += ` ORDER BY ${several(() => `${1 + random.integer(wants.length)}${random.pick(['', ' ASC', ' DESC'])}${random.pick(['', '', '', ' NULLS FIRST', ' NULLS LAST'])}`, 2)}`
    if (chance(15))
      text += ` LIMIT ${random.pick(['0', '1', '5', '-1', '@LAST_RUN_DATE'])}${chance(30) ? ' OFFSET 1' : ''}`
    return text
  }

  const depth = 1 + random.integer(4)
  const wants = (): readonly Want[] =>
    Array.from({ length: 1 + random.integer(3) }, () => random.pick(['number', 'text', 'condition']))
  const stored: readonly Column[] = [
    { text: 'TIME', type: 'number' },
    { text: 'SAMPLE', type: 'text' },
  ]
  const sampleTable = () => `${maybe(20, 'system.')}SAMPLE`
  const option = (name: string) => {
    const texts = name === 'FOLDER' ? ["'/Components/x'"] : ["'x'", '"y"']
    return `${quoted(name)} = ${random.pick([...texts, '@a', '@CONNECTOR_ID'])}`
  }
  const quoted = (name: string) => (chance(10) ? `"${name}"` : name)
  const insert = (): string => {
    const names: readonly (readonly [string, Want])[] = random.pick([
      [
        ['CID', 'text'],
        ['ID', 'text'],
        ['TIME', 'number'],
        ['SAMPLE', 'number'],
      ],
      [
        ['SAMPLE', random.pick(['text', 'condition'])],
        ['ID', 'text'],
        ['CID', 'text'],
      ],
    ])
    const list = names.length === 4 && chance(20) ? '' : `(${names.map(([name]) => quoted(name)).join(', ')})`
    // DTID and DSID go together.
    const options = [['COMPTMPLID'], ['FOLDER'], ['DTID', 'DSID']]
      .filter(() => chance(50))
      .flat()
      .map(option)
    const before = chance(10) ? common(depth).text : ''
    const wanted = names.map(([, want]) => want)
    const rows = before
      ? select(depth, nothing, wanted, [])
      : chance(20)
        ? values(wanted)
        : query(depth, nothing, wanted)
    return `${before}INSERT ${maybe(80, 'OR REPLACE ')}INTO ${sampleTable()}${list} ${options.length > 0 ? `WITH (${options.join(', ')}) ` : ''}${rows}`
  }
  const statement = (): string =>
    oneOf(
      () => query(depth, nothing, wants()),
      () => query(depth, nothing, wants()),
      () => query(depth, nothing, wants()),
      () => `SELECT ${random.pick(['*', '*, 1', 't0.*, *'])} FROM ${table(depth, nothing).text}, Stream t0 LIMIT 5`,
      () => `SET @${random.pick(['a', 'b', 'HTTP_BODY'])} ${random.pick(['=', '=='])} ${expression(depth, nothing)}`,
      insert,
      insert,
      () =>
        `DELETE FROM ${sampleTable()} WHERE CID = 'boiler' AND ID = 'temp' AND ${expression(2, { ...nothing, columns: stored }, 'condition')}`,
      () =>
        `UPDATE ${sampleTable()} SET SAMPLE = ${expression(2, { ...nothing, columns: stored })} WHERE CID = 'boiler' AND ID IN ('temp', 'state')`,
    )
  const script = `SET @a = ${random.pick(leaves.text.slice(0, 12))};SET @b = 5;\n${Array.from({ length: 1 + random.integer(2) }, statement).join(`;${maybe(10, ' ;')}${maybe(10, " -- ; ' x")}\n${maybe(5, '/* ; */')}`)}`
  // Now and then something is missing, doubled or out of place.
  if (!chance(8)) return script
  const at = random.integer(script.length)
  return (
    script.slice(0, at) +
    random.pick(['', '(', ')', "'", ',', ' SELECT ', ';', '\u0001', '@']) +
    script.slice(at + random.integer(3))
  )
}

export type Outcome = 'rows' | 'error'

/** Seconds in which this process ran: one that was stopped from outside and goes on has not hung. */
const openStopwatch = () => {
  let seconds = 0
  const timer = setInterval(() => (seconds += 1), 1000)
  return { seconds: () => seconds, stop: () => clearInterval(timer) }
}

/** Throws when the script ends in anything but rows or a script's error, or takes much longer than it may. */
const tryScript = async (scripts: Scripts, script: string, seed: number): Promise<Outcome> => {
  const watch = openStopwatch()
  try {
    const outcome = await outcomeOf(scripts, script, seed)
    if (watch.seconds() > (fuzzLimits.timeoutMs / 1000) * 10)
      throw new Error(`seed ${seed}: took ${watch.seconds()} s\n${script}`)
    return outcome
  } finally {
    watch.stop()
  }
}

const filled = {
  HTTP_BODY: '{"a":1}',
  HTTP_QUERY_STRING: 'a=1&b=ü',
  HTTP_QUERY_RAW: 'a=1&b=%C3%BC',
  HTTP_METHOD: 'PUT',
  JDBC_RESULT: 'a,b\nx,1\n"y z",',
  LAST_RUN_DATE: 5,
  CONNECTOR_ID: 'c0ffee',
}

const outcomeOf = async (scripts: Scripts, script: string, seed: number): Promise<Outcome> => {
  // Where this process was stopped for a while, the database has ended the transaction that it left open.
  const run = (): Promise<unknown> => ask().catch((error: unknown) => (isLost(error) ? ask() : Promise.reject(error)))
  const ask = () => scripts.run(script, { variables: filled })
  try {
    await run()
    return 'rows'
  } catch (error) {
    const { code, detail } = error as Fault
    // An error of Postgres itself has no place in the script; only sums of DOUBLEs are known to cause one.
    const isForeseen = detail === undefined || /value out of range: overflow/.test((detail as Error).message)
    if (code === 'script_error' && isForeseen) return 'error'
    throw new Error(`seed ${seed}: ${String((error as Error).stack)}\n${String(detail)}\n${script}`, { cause: error })
  }
}

const isLost = (error: unknown) => error instanceof Error && error.message === 'the database closed the connection'

export const fuzzLimits = { ...testLimits, timeoutMs: 3000 }

export type Fuzzed = Readonly<Record<Outcome, number>> & { readonly failures: readonly Error[] }

export const fuzz = async (
  count: number,
  firstSeed: number,
  progress: (line: string) => void = () => {},
): Promise<Fuzzed> => {
  const scripts = await openScripts(fuzzLimits)
  const outcomes = { rows: 0, error: 0 }
  const failures: Error[] = []
  try {
    await fillDatabase(scripts.sql)
    for (let seed = firstSeed; seed < firstSeed + count; seed++) {
      try {
        outcomes[await tryScript(scripts, randomScript(openRandom(seed)), seed)]++
      } catch (error) {
        failures.push(error as Error)
        progress(String(error))
      }
      if ((seed - firstSeed + 1) % 500 === 0) progress(`${seed - firstSeed + 1}: ${JSON.stringify(outcomes)}`)
    }
  } finally {
    await scripts.close()
  }
  return { ...outcomes, failures }
}

const main = async ([count = '10000', seed = process.env['SEED'] ?? '1']: readonly string[]) => {
  try {
    const { failures, ...outcomes } = await fuzz(Number(count), Number(seed), (line) =>
      process.stdout.write(`${line}\n`),
    )
    process.stdout.write(`${JSON.stringify(outcomes)}, ${failures.length} failures\n`)
    if (failures.length > 0) process.exitCode = 1
  } finally {
    await closeTestServer()
  }
}

// Without await: a file that awaits by itself is loaded by mocha in another way, and with it a second test server.
if (process.argv[1] === fileURLToPath(import.meta.url)) void main(process.argv.slice(2))
