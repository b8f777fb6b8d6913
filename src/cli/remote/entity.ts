// The entities of the management API as commands: list, show, uid, make, change, remove. An entity is named by its uid or
// by the word that people know it by: its id, name, e-mail, path.
import type { Client, EntityName, Query } from '../../client/client.ts'
import { CoppiceError } from '../../client/client.ts'
import type { Command, Option } from '../command.ts'
import { exit } from '../command.ts'
import type { Context } from '../context.ts'
import type { Given } from '../given.ts'
import { memberOf, UsageError, wholeNumberOf } from '../given.ts'
import { dataOption, membersUsage, readMembers } from '../members.ts'
import { formOf, formOptions, printRows } from '../table.ts'
import type { Row } from '../table.ts'

export type EntityCommand = {
  readonly name: string
  readonly entity: EntityName
  /** Such as 'a unit', 'units'. */
  readonly one: string
  readonly many: string
  /** The columns of a list. */
  readonly columns: readonly string[]
  /** The members by which people name it. */
  readonly known: readonly string[]
  readonly examples: readonly string[]
  readonly options?: Readonly<Record<string, Option>>
  readonly details?: string
  /** Parameters of the list that options give. */
  readonly filters?: (client: Client, given: Given) => Promise<Query> | Query
  /** The members of a new one by its first word, such as its id, and by options. */
  readonly begin?: (word: string | undefined, context: Context, given: Given, client: Client) => Promise<Row> | Row
  /** Further members that a change needs. */
  readonly beforeChange?: (row: Row, members: Row, context: Context, client: Client) => Promise<Row>
  /** Further actions, with their arguments. */
  readonly actions?: Readonly<Record<string, Action>>
}

export type Action = {
  readonly usage: string
  readonly run: (at: At, words: readonly string[]) => Promise<number>
}
export type At = { readonly context: Context; readonly given: Given; readonly client: Client; readonly find: Finder }
type Finder = (word: string | undefined) => Promise<Row & { readonly uid: string }>

/** Lists show a part of what there is, and say so, unless all is asked for. */
const listedUnlessAsked = 100

export const entityCommand = (about: EntityCommand): Command => {
  const { name, entity, one, many, columns, examples, options = {}, actions = {} } = about
  const more = Object.entries(actions).map(([action, { usage }]) => `coppice ${name} ${action} ${usage}`)
  return {
    name,
    summary: `list, show, make, change and remove ${many}`,
    usage: `[list [TEXT] [NAME=TEXT…] | show WORD | uid WORD | make ${about.begin ? '[WORD] ' : ''}MEMBERS | change WORD MEMBERS | remove WORD${Object.keys(
      actions,
    )
      .map((action) => ` | ${action}`)
      .join('')}]`,
    details: [
      `WORD is the uid of ${one}, or its ${about.known.join(' or ')}. MEMBERS are ${membersUsage}, or --data.`,
      `A list has those with TEXT in a name; NAME=TEXT is a filter of the list, such as folder=/Components (docs/management.md).`,
      ...(about.details === undefined ? [] : [about.details]),
      ...(more.length === 0 ? [] : ['', ...more]),
    ].join('\n'),
    examples,
    options: {
      ...options,
      limit: {
        type: 'string',
        short: 'n',
        value: 'N',
        about: `list at most so many; ${listedUnlessAsked} unless given, 0: all`,
      },
      ...dataOption,
      ...formOptions,
    },
    run: async (context, given) => {
      const [action = 'list', ...words] = given.positionals
      const client = await context.client(given)
      const entities = client.entities(entity)
      const { signal } = context
      const filters = async () => ({ ...(await about.filters?.(client, given)) })
      const find: Finder = async (word) => {
        if (word === undefined) throw new UsageError(`which of the ${many}?`)
        return findEntity(client, about, word, await filters(), signal)
      }
      const show = (row: unknown) => printOne(context, given, row as Row)
      const own = memberOf(actions, action)
      if (own !== undefined) return own.run({ context, given, client, find }, words)
      if (['show', 'uid', 'remove'].includes(action) && words[1] !== undefined) throw tooMany(words[1])
      switch (action) {
        case 'list':
          return printList(
            context,
            given,
            columns,
            entities.list(await listQuery(given, words, { ...shownOf(entity, given), ...(await filters()) }), {
              signal,
            }),
          )
        case 'show':
          return show(await find(words[0]))
        case 'uid':
          await context.out(`${(await find(words[0])).uid}\n`)
          return exit.done
        case 'make': {
          const word = words[0] !== undefined && !words[0].includes('=') ? words[0] : undefined
          if (word !== undefined && about.begin === undefined) throw new UsageError(`'${word}' is not ${membersUsage}`)
          const begun = await about.begin?.(word, context, given, client)
          const members = {
            ...begun,
            ...(await readMembers(context, given, word === undefined ? words : words.slice(1))),
          }
          return show(await entities.make(members, { signal }))
        }
        case 'change': {
          const members = await readMembers(context, given, words.slice(1))
          if (Object.keys(members).length === 0) throw new UsageError('which members?')
          const row = await find(words[0])
          const needed = await about.beforeChange?.(row, members, context, client)
          return show(await entities.change(row.uid, { ...members, ...needed }, { signal }))
        }
        case 'remove': {
          const { uid } = await find(words[0])
          await entities.remove(uid, { signal })
          await context.err(`removed ${uid}\n`)
          return exit.done
        }
        default:
          throw new UsageError(`'${action}' is no action of ${name}`)
      }
    },
  }
}

/** Streams of components and templates are shown by JSON alone, and may be more than all the rest. */
const shownOf = (entity: EntityName, given: Given): Query =>
  ['component', 'template'].includes(entity) && formOf(given) !== 'json' ? { streams: 'false' } : {}

/** A word is searched for, and NAME=TEXT a filter of the list, of which the server knows the names. */
const listQuery = async (given: Given, words: readonly string[], filters: Query): Promise<Query> => {
  const limit = wholeNumberOf(given, 'limit') ?? listedUnlessAsked
  const named = words.filter((word) => /^[a-z]+=/i.test(word))
  const [text, extra] = words.filter((word) => !named.includes(word))
  if (extra !== undefined) throw tooMany(extra)
  return {
    ...filters,
    ...Object.fromEntries(named.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)])),
    ...(text === undefined ? {} : { text }),
    ...(limit === 0 ? {} : { limit }),
  }
}

const tooMany = (word: string) => new UsageError(`'${word}' is one word too many`)

export const printList = async (
  context: Context,
  given: Given,
  columns: readonly string[],
  rows: AsyncIterable<unknown>,
): Promise<number> => {
  await printRows(context, columns, rows as AsyncIterable<Row>, formOf(given))
  return exit.done
}

/** One entity: its members below each other, or as JSON where the next program reads it. */
export const printOne = async (context: Context, given: Given, row: Row): Promise<number> => {
  if (formOf(given) === 'json') {
    await context.out(`${JSON.stringify(row)}\n`)
    return exit.done
  }
  const rows = Object.entries(row).map(([member, value]) => ({ member, value }))
  await printRows(context, ['member', 'value'], rows, formOf(given))
  return exit.done
}

const isUid = (word: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(word)

/** By its uid, else by the one that is known by this very word. */
export const findEntity = async (
  client: Client,
  { entity, known, many }: Pick<EntityCommand, 'entity' | 'known' | 'many'>,
  word: string,
  filters: Query,
  signal?: AbortSignal,
): Promise<Row & { readonly uid: string }> => {
  const entities = client.entities(entity)
  if (isUid(word)) return entities.show(word, { signal })
  const search = { ...filters, ...(entity === 'component' && known[0] === 'id' ? { id: word } : { text: word }) }
  const all: (Row & { readonly uid: string })[] = []
  for await (const row of entities.list(search, { signal })) all.push(row)
  const found =
    known.map((member) => all.filter((row) => memberOf(row, member) === word)).find((some) => some.length > 0) ?? []
  const [first, ...others] = found
  if (first === undefined)
    throw new CoppiceError(`there is no '${word}' among the ${many}`, { status: 404, code: `${entity}_not_found` })
  if (others.length > 0)
    throw new UsageError(
      `'${word}' means several ${many}, name one by its uid: ${found.map(({ uid }) => uid).join(', ')}`,
    )
  return first
}
