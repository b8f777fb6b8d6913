// The query string as devices write it (decisions 2.3): names ignore case, empty pairs are skipped,
// a plus is a blank, a flag has no value. Broken %-escapes are refused, not guessed; but the credential is
// judged first (decisions 1), so what is broken is only noted here.
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

/** Takes what stands after the question mark of a URL, or a form body. */
export const parseQuery = (raw: string): Query => {
  const pairs: Pair[] = []
  let broken: string | undefined
  const decode = (piece: string): string => {
    const text = piece.includes('+') ? piece.replaceAll('+', ' ') : piece
    const decoded = decodePercent(text)
    if (decoded === undefined) broken ??= piece
    return decoded ?? text
  }
  for (const piece of raw.split('&')) {
    if (piece === '') continue
    const mark = piece.indexOf('=')
    const name = decode(mark < 0 ? piece : piece.slice(0, mark))
    if (name === '') continue
    pairs.push({ name, key: name.toLowerCase(), value: mark < 0 ? '' : decode(piece.slice(mark + 1)) })
  }
  return queryOf(pairs, broken)
}

const queryOf = (pairs: readonly Pair[], broken: string | undefined): Query => ({
  pairs,
  get: (key) => pairs.find((pair) => pair.key === key)?.value,
  all: (key) => pairs.filter((pair) => pair.key === key).map((pair) => pair.value),
  broken,
})

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
