// The catalogue of functions: each name a script may call, its arguments and its result. A function is a Postgres
// function of the schema gs (db/), called by the name in `sql`; nothing else can be called.

import { wordTable } from '../../base/own.ts'
import { scriptFault } from '../fault.ts'
import type { Call } from '../syntax/ast.ts'
import type { Type } from '../value.ts'

/**
 * The type that an argument is converted to. NUMBER stays LONG or DOUBLE. The rest are texts that TypeScript prepares:
 * a time zone, a calendar unit, a date pattern for reading or writing, a regular expression and its replacement, a JSON
 * path.
 */
export type Taken =
  | Exclude<Type, 'NULL'>
  | 'NUMBER'
  | 'ZONE'
  | 'UNIT'
  | 'READ PATTERN'
  | 'WRITE PATTERN'
  | 'EXPRESSION'
  | 'REPLACEMENT'
  | 'PATH'

export type FunctionEntry = {
  readonly name: string
  readonly takes: readonly Taken[]
  /** The number of `takes` that may be left out at the end. A ZONE that is left out is the connector's. */
  readonly optional: number
  /** NUMBER: a LONG when every NUMBER given is one, else a DOUBLE; where only the row decides, ANY. */
  readonly gives: Exclude<Type, 'NULL'> | 'NUMBER'
  readonly sql: string
  /** Whether it can fail and so must know where it stands: by itself, or with the argument of that number. */
  readonly fails: boolean | number
}

type More = { readonly optional?: number; readonly sql?: string; readonly fails?: boolean | number }

const entry = (
  name: string,
  takes: readonly Taken[],
  gives: FunctionEntry['gives'],
  more: More = {},
): FunctionEntry => ({
  name,
  takes,
  gives,
  optional: more.optional ?? 0,
  sql: more.sql ?? name.toLowerCase(),
  fails: more.fails ?? false,
})

const calendarPart = (name: string) =>
  entry(name, ['LONG', 'ZONE'], 'LONG', { optional: 1, sql: `${name.toLowerCase()}_of`, fails: 0 })

const ofDouble = (name: string, fails = false) =>
  entry(name, ['DOUBLE'], 'DOUBLE', { sql: `${name.toLowerCase()}_of`, fails })

const entries: readonly FunctionEntry[] = [
  // Text
  entry('Left', ['STRING', 'LONG'], 'STRING', { sql: 'left_of' }),
  entry('Right', ['STRING', 'LONG'], 'STRING', { sql: 'right_of' }),
  entry('Len', ['STRING'], 'LONG'),
  entry('Substr', ['STRING', 'LONG', 'LONG'], 'STRING', { optional: 1 }),
  entry('Mid', ['STRING', 'LONG', 'LONG'], 'STRING', { optional: 1, sql: 'substr' }),
  entry('Lower', ['STRING'], 'STRING', { sql: 'lower_of' }),
  entry('Upper', ['STRING'], 'STRING', { sql: 'upper_of' }),
  entry('Trim', ['STRING', 'STRING'], 'STRING', { optional: 1, sql: 'trim_both' }),
  entry('LTrim', ['STRING', 'STRING'], 'STRING', { optional: 1, sql: 'trim_left' }),
  entry('RTrim', ['STRING', 'STRING'], 'STRING', { optional: 1, sql: 'trim_right' }),
  entry('Replace', ['STRING', 'STRING', 'STRING'], 'STRING', { sql: 'replace_text', fails: true }),
  entry('ReplaceAll', ['STRING', 'EXPRESSION', 'REPLACEMENT'], 'STRING', { sql: 'replace_all', fails: true }),
  entry('ReplaceFirst', ['STRING', 'EXPRESSION', 'REPLACEMENT'], 'STRING', { sql: 'replace_first', fails: true }),
  entry('IndexOf', ['STRING', 'STRING'], 'LONG', { sql: 'index_of' }),
  entry('StartsWith', ['STRING', 'STRING'], 'BOOLEAN', { sql: 'starts_with_text' }),
  entry('EndsWith', ['STRING', 'STRING'], 'BOOLEAN', { sql: 'ends_with_text' }),
  entry('Contains', ['STRING', 'STRING'], 'BOOLEAN', { sql: 'contains_text' }),
  entry('LPad', ['STRING', 'LONG', 'STRING'], 'STRING', { optional: 1, sql: 'pad_left', fails: true }),
  entry('RPad', ['STRING', 'LONG', 'STRING'], 'STRING', { optional: 1, sql: 'pad_right', fails: true }),
  entry('Reverse', ['STRING'], 'STRING', { sql: 'reverse_text' }),
  entry('HexToLong', ['STRING'], 'LONG', { sql: 'hex_to_long', fails: 0 }),
  entry('QueryParam', ['STRING', 'STRING'], 'STRING', { sql: 'query_param' }),
  entry('parseCsv', ['STRING', 'LONG', 'STRING'], 'STRING', { optional: 1, sql: 'parse_csv' }),

  // Time
  entry('Now', [], 'LONG'),
  calendarPart('Year'),
  calendarPart('Month'),
  calendarPart('Day'),
  calendarPart('DayOfWeek'),
  calendarPart('Hour'),
  calendarPart('Minute'),
  calendarPart('Second'),
  entry('DateTrunc', ['UNIT', 'LONG', 'ZONE'], 'LONG', { optional: 1, sql: 'date_trunc_of', fails: 1 }),
  entry('DateAdd', ['LONG', 'LONG', 'UNIT', 'ZONE'], 'LONG', { optional: 1, sql: 'date_add_of', fails: true }),
  entry('TOEPOCHMILLIS', ['STRING', 'READ PATTERN', 'ZONE'], 'LONG', {
    optional: 1,
    sql: 'to_epoch_millis',
    fails: 0,
  }),
  entry('dtFormatter', ['LONG', 'WRITE PATTERN', 'ZONE'], 'STRING', { optional: 1, sql: 'format_millis', fails: 0 }),

  // JSON
  entry('JSON_Value', ['STRING', 'PATH'], 'ANY', { sql: 'json_value_at', fails: 0 }),
  entry('JSON_Query', ['STRING', 'PATH'], 'STRING', { sql: 'json_query_at', fails: 0 }),
  entry('JSON_Exists', ['STRING', 'PATH'], 'BOOLEAN', { sql: 'json_exists_at', fails: 0 }),
  entry('IsJSON', ['STRING'], 'BOOLEAN', { sql: 'is_json' }),

  // Numbers
  entry('Abs', ['NUMBER'], 'NUMBER', { sql: 'abs_of', fails: true }),
  entry('Round', ['NUMBER', 'LONG'], 'NUMBER', { optional: 1, sql: 'round_of' }),
  entry('Floor', ['NUMBER'], 'NUMBER', { sql: 'floor_of' }),
  entry('Ceil', ['NUMBER'], 'NUMBER', { sql: 'ceil_of' }),
  entry('Trunc', ['NUMBER'], 'NUMBER', { sql: 'trunc_of' }),
  entry('Mod', ['NUMBER', 'NUMBER'], 'NUMBER', { sql: 'mod_of' }),
  entry('Power', ['DOUBLE', 'DOUBLE'], 'DOUBLE', { sql: 'power_of', fails: true }),
  ofDouble('Sqrt'),
  ofDouble('Exp', true),
  ofDouble('Ln'),
  ofDouble('Log10'),
  entry('Sign', ['NUMBER'], 'LONG', { sql: 'sign_of' }),
  ofDouble('Sin'),
  ofDouble('Cos'),
  ofDouble('Tan'),
  ofDouble('Asin'),
  ofDouble('Acos'),
  ofDouble('Atan'),
  entry('Atan2', ['DOUBLE', 'DOUBLE'], 'DOUBLE', { sql: 'atan2_of' }),
  entry('Pi', [], 'DOUBLE', { sql: 'pi_of' }),
]

export type AggregateEntry = {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly kind: 'count' | 'sum' | 'average' | 'extreme' | 'edge' | 'spread' | 'list'
}

const aggregateEntries: readonly AggregateEntry[] = [
  { name: 'Count', least: 1, most: 1, kind: 'count' },
  { name: 'Sum', least: 1, most: 1, kind: 'sum' },
  { name: 'Avg', least: 1, most: 1, kind: 'average' },
  { name: 'Min', least: 1, most: 1, kind: 'extreme' },
  { name: 'Max', least: 1, most: 1, kind: 'extreme' },
  { name: 'First', least: 1, most: 2, kind: 'edge' },
  { name: 'Last', least: 1, most: 2, kind: 'edge' },
  { name: 'StdDev', least: 1, most: 1, kind: 'spread' },
  { name: 'Variance', least: 1, most: 1, kind: 'spread' },
  { name: 'Group_Concat', least: 1, most: 2, kind: 'list' },
]

/** Functions whose arguments decide the type of the result, or whether the others are looked at. */
export type ChoiceEntry = { readonly name: string; readonly least: number; readonly most: number }

const choiceEntries: readonly ChoiceEntry[] = [
  { name: 'Coalesce', least: 1, most: 100 },
  { name: 'IfNull', least: 2, most: 2 },
  { name: 'NullIf', least: 2, most: 2 },
  { name: 'If', least: 2, most: 3 },
  { name: 'Iif', least: 2, most: 3 },
  { name: 'Greatest', least: 1, most: 100 },
  { name: 'Least', least: 1, most: 100 },
  { name: 'Concat', least: 1, most: 100 },
]

const byName = <T extends { readonly name: string }>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((one) => [one.name.toLowerCase(), one]))

export const functions = byName(entries)
export const aggregates = byName(aggregateEntries)
export const choices = byName(choiceEntries)

export const functionNames: readonly string[] = [...entries, ...aggregateEntries, ...choiceEntries].map(
  ({ name }) => name,
)

/** Names that other languages have for these. */
export const foreignNames = wordTable({
  ceiling: 'Ceil',
  char_length: 'Len',
  charindex: 'IndexOf',
  convert: 'Cast',
  current_timestamp: 'Now',
  date_add: 'DateAdd',
  date_format: 'dtFormatter',
  date_trunc: 'DateTrunc',
  format: 'dtFormatter',
  getdate: 'Now',
  instr: 'IndexOf',
  isnull: 'IfNull',
  lcase: 'Lower',
  length: 'Len',
  listagg: 'Group_Concat',
  locate: 'IndexOf',
  log: 'Ln or Log10',
  nvl: 'IfNull',
  pow: 'Power',
  position: 'IndexOf',
  regexp_replace: 'ReplaceAll',
  split_part: 'parseCsv',
  str_to_date: 'TOEPOCHMILLIS',
  strftime: 'dtFormatter',
  string_agg: 'Group_Concat',
  substring: 'Substr',
  sysdate: 'Now',
  to_char: 'dtFormatter',
  to_date: 'TOEPOCHMILLIS',
  to_number: 'Cast',
  to_timestamp: 'TOEPOCHMILLIS',
  truncate: 'Trunc',
  ucase: 'Upper',
  unix_timestamp: 'TOEPOCHMILLIS or Now',
})

export const refuseCount = (call: Call, name: string, least: number, most: number) => {
  const given = call.arguments.length
  if (given >= least && given <= most) return
  const count = least === most ? `${least}` : `${least} to ${most}`
  throw scriptFault(call.at, `${name} takes ${count} argument${most === 1 ? '' : 's'}, not ${given}`)
}
