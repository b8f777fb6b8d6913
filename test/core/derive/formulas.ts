// Formulas of the game: the same in GS SQL and in TypeScript, over whatever variables there are.
import type { Random } from '../../support/random.ts'
import { FormulaError } from './oracle.ts'
import type { Formula, Known } from './oracle.ts'

export type KnownType = 'number' | 'text' | 'boolean'
export type TypedName = { readonly name: string; readonly type: KnownType }
export type TypedFormula = Formula & { readonly gives: KnownType }

type Vars = Readonly<Record<string, Known>>
type Numeric = { readonly text: string; readonly of: (vars: Vars) => number | null }

const binary = (symbol: string, a: Numeric, b: Numeric, work: (x: number, y: number) => number | null): Numeric => ({
  text: `(${a.text} ${symbol} ${b.text})`,
  of: (vars) => {
    const [x, y] = [a.of(vars), b.of(vars)]
    return x === null || y === null ? null : work(x, y)
  },
})

/** A text that is no number fails. */
const cast = (text: Known): number | null => {
  if (text === null) return null
  if (!/^-?\d+(\.\d+)?$/.test(String(text))) throw new FormulaError(`'${String(text)}' is no number`)
  return Number(text)
}

export const randomFormula = ({ pick, integer: below }: Random, variables: readonly TypedName[]): TypedFormula => {
  const leaves: Numeric[] = variables.map(({ name, type }) => {
    if (type === 'number') return { text: name, of: (vars) => vars[name] as number | null }
    if (type === 'boolean') return { text: `If(${name}, 1, 2)`, of: (vars) => (vars[name] === true ? 1 : 2) }
    return pick<Numeric>([
      { text: `Len(${name})`, of: (vars) => (vars[name] === null ? null : String(vars[name]).length) },
      { text: `If(${name} = 'on', 1, 0)`, of: (vars) => (vars[name] === 'on' ? 1 : 0) },
      { text: `Cast(${name} AS DOUBLE)`, of: (vars) => cast(vars[name]!) },
    ])
  })
  /** All variables are in it, one after the other. */
  const all = leaves.reduce((a, b) =>
    pick([
      () => binary('+', a, b, (x, y) => x + y),
      () => binary('-', a, b, (x, y) => x - y),
      () => binary('*', a, b, (x, y) => x * y),
      () => binary('/', a, b, (x, y) => (y === 0 ? null : x / y)),
      (): Numeric => ({
        text: `Coalesce(${a.text}, ${b.text})`,
        of: (vars) => a.of(vars) ?? b.of(vars),
      }),
      (): Numeric => ({
        text: `If(${a.text} > 3, ${a.text}, ${b.text})`,
        of: (vars) => {
          const x = a.of(vars)
          return x !== null && x > 3 ? x : b.of(vars)
        },
      }),
    ])(),
  )
  const number = (text: string, of: Numeric['of']): TypedFormula => ({ text, work: of, gives: 'number' })
  switch (below(7)) {
    case 0:
      return number(`Coalesce(${all.text}, -1)`, (vars) => all.of(vars) ?? -1)
    case 1:
      return number(`If(${all.text} > 0, ${all.text}, NULL)`, (vars) => {
        const x = all.of(vars)
        return x !== null && x > 0 ? x : null
      })
    case 2:
      return {
        text: `${all.text} > 2`,
        work: (vars) => {
          const x = all.of(vars)
          return x === null ? null : x > 2
        },
        gives: 'boolean',
      }
    case 3: {
      const text = variables.find(({ type }) => type === 'text')
      if (text)
        return {
          text: `${text.name} + '!'`,
          work: (vars) => (vars[text.name] === null ? null : `${String(vars[text.name])}!`),
          gives: 'text',
        }
      return number(all.text, all.of)
    }
    default:
      return number(all.text, all.of)
  }
}
