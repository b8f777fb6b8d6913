// The type and the encoding that a client prefers, by its Accept headers. The library that reads them takes time by the
// square of their length: 60 KB of commas behind an open quote held the event loop for 0.4 s, of pairs of quotes for 13 s.
// A header that is longer than any browser's, or has a quote, is taken for none: no type that is served has one.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import accepts from 'accepts'

/** Browsers send 150; clients that list all they know, some hundreds. */
const mostCharacters = 1024

/** The first of them where the client takes any; undefined where it takes none of them. */
export const acceptedType = (headers: IncomingHttpHeaders, types: readonly string[]): string | undefined => {
  const type = acceptedBy('accept', headers).type([...types])
  return typeof type === 'string' ? type : undefined
}

export const acceptsGzip = (headers: IncomingHttpHeaders): boolean =>
  acceptedBy('accept-encoding', headers).encodings(['gzip', 'identity']) === 'gzip'

const acceptedBy = (name: 'accept' | 'accept-encoding', { [name]: text = '' }: IncomingHttpHeaders) =>
  accepts({ headers: isPlain(text) ? { [name]: text } : {} } as IncomingMessage)

const isPlain = (text: string) => text.length <= mostCharacters && !text.includes('"')
