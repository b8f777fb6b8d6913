// Readings of any length, page by page: feeds by the link to the rest (docs/feeds.md#more-than-1000-items), lists by
// their count.
import { CoppiceError } from './error.ts'
import type { AnyGiven, Transport } from './transport.ts'
import { readContent } from './transport.ts'

/** The items of each reply, until there is no link to another. */
export async function* linkedPages<Item>(
  transport: Transport,
  operation: string,
  given: AnyGiven,
): AsyncGenerator<readonly Item[], void, undefined> {
  let next: AnyGiven | undefined = given
  while (next !== undefined) {
    const asked: AnyGiven = next
    const { items, search } = await transport.send(operation, asked, async (reply) => ({
      items: (await readContent(reply)) as readonly Item[],
      search: nextSearch(reply.headers.get('Link')),
    }))
    yield items
    if (search !== undefined && search === asked.search)
      throw new CoppiceError('the reply links to itself', { status: 200, code: 'bad_reply' })
    next = search === undefined ? undefined : { ...given, search }
  }
}

/** The query of the link to the rest: only that, so that a reply cannot send the credential elsewhere. */
export const nextSearch = (link: string | null): string | undefined =>
  /^<\?([^<>]*)>; ?rel="next"/.exec(link ?? '')?.[1]

export async function* eachOf<Item>(pages: AsyncIterable<readonly Item[]>): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) yield* page
}

/** The entities of a list, of which a reply has 1,000 at most, and fewer where they are too large together, as by their streams. */
export async function* listPages<Item>(
  transport: Transport,
  name: string,
  given: AnyGiven,
): AsyncGenerator<readonly Item[], void, undefined> {
  const { limit, start: from } = given.query ?? {}
  let left = typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY
  let most = mostListed
  for (let start = typeof from === 'number' ? from : 0; left > 0;) {
    const asked = Math.min(left, most)
    const query = { ...given.query, start, limit: asked }
    const reply = await transport.send(`GET /api/${name}`, { ...given, query }, readContent).catch((error: unknown) => {
      if (!(error instanceof CoppiceError) || error.status !== 413 || asked === 1) throw error
      most = Math.ceil(asked / 2)
    })
    if (reply === undefined) continue
    const { [name]: items, totalCount } = reply as { readonly [name: string]: readonly Item[] } & {
      readonly totalCount: number
    }
    if (items === undefined || items.length === 0) return
    yield items
    start += items.length
    left -= items.length
    if (start >= totalCount) return
  }
}

const mostListed = 1000
