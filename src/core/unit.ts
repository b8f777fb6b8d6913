// Units of measure, and the text of a value in its unit, fData (docs/feeds.md#read).
//
// A number format is digits with an optional dot: a comma before the dot asks for groups of three, each 0 after the dot
// is a decimal always shown, each # after it one shown when it is not zero. The number of digits before the dot does
// not matter. An empty format is the number's plain, shortest text.
//
//   12345.678 by '0,000.00' is '12,345.68', by '0' '12346', by '0.0##' '12345.678', by '' '12345.678'
import { badRequest, shorten } from '../base/errors.ts'
import type { Reader } from '../base/http/members.ts'
import { further, text } from '../base/http/members.ts'
import type { Sql, Transaction } from '../base/database/sql.ts'
import { unlessTaken } from '../base/database/sql.ts'
import type { Listing, Page, Sorts } from './listing.ts'
import { holds, isEqual, openListing, orderOf } from './listing.ts'
import type { ValueType } from './stream.ts'

/** The first word of each stands for true. */
export const booleanStyles = [
  'TRUE_FALSE',
  'ONE_ZERO',
  'ON_OFF',
  'YES_NO',
  'CLOSE_OPEN',
  'OPEN_CLOSE',
  'HIGH_LOW',
  'LOW_HIGH',
] as const
export type BooleanStyle = (typeof booleanStyles)[number]

export type UnitDefinition = {
  readonly id: string | null
  readonly name: string
  readonly symbol: string
  readonly symbolLocation: 'before' | 'after'
  readonly numberFormat: string
  readonly booleanStyle: BooleanStyle
}

export type Unit = UnitDefinition & { readonly key: number; readonly uid: string; readonly version: number }

/** The columns of the table, by their names here. */
export const unitColumns: Readonly<Record<keyof Unit, string>> = {
  key: 'key',
  uid: 'uid',
  id: 'id',
  name: 'name',
  symbol: 'symbol',
  symbolLocation: 'symbol_location',
  numberFormat: 'number_format',
  booleanStyle: 'boolean_style',
  version: 'version',
}

const select = (sql: Sql) => sql`
  select unit.key, unit.uid, unit.id, unit.name, unit.symbol, unit.symbol_location as "symbolLocation",
    unit.number_format as "numberFormat", unit.boolean_style as "booleanStyle", unit.version`

export const unitSorts = {
  name: 'lower(name)',
  id: 'lower(id)',
  symbol: 'symbol',
  version: 'version',
} as const satisfies Sorts

export const listUnits = (
  sql: Transaction,
  organizationKey: number,
  page: Page,
  { id, symbol }: { readonly id?: string | undefined; readonly symbol?: string | undefined },
): Promise<Listing<Unit>> =>
  openListing<Unit>(sql, page, {
    select: select(sql),
    from: sql`
      from unit
      where organization_key = ${organizationKey} and ${holds(sql, page.text, 'id', 'name')}
        and ${isEqual(sql, 'id', id)} and ${isEqual(sql, 'symbol', symbol)}`,
    order: orderOf(sql, page, unitSorts, 'key'),
  })

export const findUnit = async (sql: Sql, organizationKey: number, uid: string): Promise<Unit | undefined> => {
  const [unit] = await sql<Unit[]>`
    ${select(sql)} from unit where organization_key = ${organizationKey} and uid = ${uid}`
  return unit
}

/** The units of streams, by the key of the stream; streams without a unit are not in it. */
export const unitsOf = async (sql: Sql, streamKeys: readonly number[]): Promise<ReadonlyMap<number, Unit>> => {
  const rows = await sql<(Unit & { readonly streamKey: number })[]>`
    ${select(sql)}, stream.key as "streamKey"
    from stream
    join unit on unit.key = stream.unit_key
    where stream.key = any(${streamKeys}::integer[])`
  return new Map(rows.map(({ streamKey, ...unit }) => [streamKey, unit]))
}

export const lockUnit = async (sql: Transaction, key: number): Promise<Unit | undefined> => {
  const [unit] = await sql<Unit[]>`${select(sql)} from unit where key = ${key} for update`
  return unit
}

export const insertUnit = async (sql: Transaction, organizationKey: number, unit: UnitDefinition): Promise<Unit> => {
  const [made] = await unlessTaken(
    sql<[{ uid: string }]>`
      insert into unit ${sql({ organization_key: organizationKey, ...columns(unit) })} returning uid`,
    taken(unit),
  )
  return (await findUnit(sql, organizationKey, made.uid))!
}

/** The caller holds the unit's lock. */
export const updateUnit = async (sql: Transaction, key: number, unit: UnitDefinition): Promise<Unit> => {
  await unlessTaken(sql`update unit set ${sql(columns(unit))}, version = version + 1 where key = ${key}`, taken(unit))
  return (await lockUnit(sql, key))!
}

const columns = (unit: UnitDefinition) => ({
  id: unit.id,
  name: unit.name,
  symbol: unit.symbol,
  symbol_location: unit.symbolLocation,
  number_format: unit.numberFormat,
  boolean_style: unit.booleanStyle,
})

const taken = (unit: UnitDefinition) => `there is a unit with the id '${unit.id}'`

export const deleteUnit = async (sql: Transaction, key: number): Promise<void> => {
  await sql`delete from unit where key = ${key}`
}

export const isUnitUsed = async (sql: Sql, key: number): Promise<boolean> => {
  const [row] = await sql<[{ used: boolean }]>`select exists (select from stream where unit_key = ${key}) as used`
  return row.used
}

type UnitText = Pick<Unit, 'symbol' | 'symbolLocation' | 'numberFormat' | 'booleanStyle'>

/**
 * The value as people read it. A value that is no number has no symbol; without a unit it is the value's plain text.
 */
export const formatValue = (
  value: number | bigint | boolean | string | null,
  valueType: ValueType,
  unit: UnitText | undefined,
): string => {
  if (value === null) return ''
  if (unit === undefined) return plain(value)
  switch (valueType) {
    case 'DOUBLE':
    case 'LONG': {
      const digits = typeof value === 'number' || typeof value === 'bigint' ? formatNumber(value, unit) : plain(value)
      return unit.symbolLocation === 'before' ? `${unit.symbol}${digits}` : `${digits}${unit.symbol}`
    }
    case 'BOOLEAN':
      return booleanWord(unit.booleanStyle, value === true || value === 1)
    case 'STRING':
    case 'FILE':
      return plain(value)
  }
}

// String(-0) is '0' already.
const plain = (value: number | bigint | boolean | string) => String(value)

const formatNumber = (value: number | bigint, unit: UnitText): string =>
  unit.numberFormat === '' ? plain(value) : formatter(unit.numberFormat).format(value)

const booleanWord = (style: BooleanStyle, value: boolean): string => {
  const word = style.split('_')[value ? 0 : 1]!
  return `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`
}

/** Making a formatter costs some 30 µs, using it less than one, and an organization has few formats. */
const formatters = new Map<string, Intl.NumberFormat>()
const mostFormatters = 1000

const formatter = (format: string): Intl.NumberFormat => {
  const known = formatters.get(format)
  if (known) return known
  const [whole = '', decimals = ''] = format.split('.')
  const made = new Intl.NumberFormat('en-US', {
    useGrouping: whole.includes(','),
    minimumFractionDigits: decimals.replaceAll('#', '').length,
    maximumFractionDigits: decimals.length,
    // So that -0.001 by '0.00' is 0.00.
    signDisplay: 'negative',
  })
  if (formatters.size >= mostFormatters) formatters.clear()
  formatters.set(format, made)
  return made
}

export const numberFormat: Reader<string> = further(text(0, 40), { examples: ['0,000.00'] }, (name, format) => {
  if (!/^(?:[#0]+(?:,[#0]+)*(?:\.0*#*)?)?$/.test(format) || (format.split('.')[1] ?? '').length > 20)
    throw badRequest(`${name} must be like 0,000.00, not '${shorten(format)}'`)
  return format
})
