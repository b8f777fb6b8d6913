// The query string as devices write it (docs/replies.md): names ignore case, empty pairs are skipped, a plus is a
// blank, a flag has no value. Broken %-escapes are refused, not guessed; but the credential is judged first
// (docs/replies.md#order-of-judgement), so a broken one is only noted here.
//
//   '?&api_key=K&compID=C&temp=21.50&retUnit'  ->  get('compid') is 'C', get('retunit') is ''

export type Pair = {
  readonly name: string
  /** The name in lower case, for everything but stream IDs. */
  readonly key: string
  readonly value: string
}

export type Query = {
  readonly pairs: readonly Pair[]
  /** The first value of a parameter; '' for a flag, undefined when it is not there. The name is in lower case. */
  readonly get: (key: string) => string | undefined
  readonly all: (key: string) => readonly string[]
  /** The first piece whose %-escapes are broken. */
  readonly broken: string | undefined
}

/** Reads the text after the question mark of a URL, or a form body. */
export const parseQuery = (raw: string): Query => {
  const pairs: Pair[] = []
  let broken: string | undefined
  // Most queries have nothing to decode, and one look at all of it takes less than two at each piece.
  const isPlain = !raw.includes('%') && !raw.includes('+')
  const decode = (piece: string): string => {
    if (isPlain) return piece
    const text = piece.includes('+') ? piece.replaceAll('+', ' ') : piece
    const decoded = decodePercent(text)
    if (decoded === undefined) broken ??= piece
    return decoded ?? text
  }
  // Cutting one piece after the other is twice as fast as split, and needs no second look at each piece.
  for (let from = 0, end: number, mark = -1; from < raw.length; from = end + 1) {
    end = raw.indexOf('&', from)
    if (end < 0) end = raw.length
    // Looked for again only when it was passed: there may be none for a long way.
    if (mark < from) mark = indexOrEnd(raw, '=', from)
    const hasValue = mark < end
    const name = decode(raw.slice(from, hasValue ? mark : end))
    if (name !== '')
      pairs.push({ name, key: name.toLowerCase(), value: hasValue ? decode(raw.slice(mark + 1, end)) : '' })
  }
  return queryOf(pairs, broken)
}

const indexOrEnd = (text: string, part: string, from: number): number => {
  const found = text.indexOf(part, from)
  return found < 0 ? text.length : found
}

const queryOf = (pairs: readonly Pair[], broken: string | undefined): Query => ({
  pairs,
  get: (key) => {
    for (const pair of pairs) if (pair.key === key) return pair.value
    return undefined
  },
  all: (key) => pairs.filter((pair) => pair.key === key).map((pair) => pair.value),
  broken,
})

/** Whether it has a parameter of one of these names, in lower case. Most calls have few, and skip a lot by asking. */
export const hasAny = ({ pairs }: Query, keys: ReadonlySet<string>): boolean => pairs.some(({ key }) => keys.has(key))

/** The query without the parameter of this name, in lower case. */
export const withoutParameter = ({ pairs, broken }: Query, key: string): Query =>
  queryOf(
    pairs.filter((pair) => pair.key !== key),
    broken,
  )

/**
 * The parts of a request target: '//api//feed?a=1' -> ['/api/feed', 'a=1']. Doubled slashes count once, and of the
 * absolute form that proxies use, http://host/path, the path remains.
 */
export const splitTarget = (target: string): readonly [path: string, query: string] => {
  const mark = target.indexOf('?')
  const given = mark < 0 ? target : target.slice(0, mark)
  const path = given.startsWith('/') ? given : given.replace(/^https?:\/\/[^/]*/i, '') || '/'
  return [path.includes('//') ? path.replace(/\/{2,}/g, '/') : path, mark < 0 ? '' : target.slice(mark + 1)]
}

/** Undoes %-escapes; undefined when they are broken. */
export const decodePercent = (text: string): string | undefined => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
