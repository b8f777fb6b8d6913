// Old firmware, and printf into netcat, end lines with a bare line feed. node:http's parser takes that everywhere but in
// one place: where a head has no header line, it skips the empty line behind the request line and waits for ever.
//
//   PUT /api/feed?compId=A&t=1 HTTP/1.0\n\n    is handed to it as    PUT /api/feed?compId=A&t=1 HTTP/1.0\n\r\n
//
// To know that place from the same bytes in a body, heads and bodies are followed from the connection's first byte.
// Anything uncertain (chunks, lone carriage returns, lengths that are no number) ends that: the rest is passed as it came.
import type { Socket } from 'node:net'

type State = 'between' | 'request line' | 'first header' | 'headers' | 'body' | 'unknown'

const mostHeadBytes = 64 * 1024
const carriageReturn = Buffer.from('\r')
const lineFeedCode = 10

/** To be called with all that comes over one connection, in its order. */
export const openLineEnds = (): ((chunk: Buffer) => Buffer) => {
  let state: State = 'between'
  /** The line so far. */
  let line = ''
  let headBytes = 0
  let bodyBytes = 0
  let hasBareEnd = false

  const beginHead = () => {
    state = 'request line'
    line = ''
    headBytes = 0
    bodyBytes = 0
  }
  const endHead = () => {
    state = bodyBytes > 0 ? 'body' : 'between'
  }
  /** Whether the parser needs a carriage return before the end of this line, an empty one. */
  const endLine = (): boolean => {
    const text = line
    line = ''
    if (state === 'request line') {
      hasBareEnd = !text.endsWith('\r\n')
      state = requestLine.test(text) ? 'first header' : 'unknown'
      return false
    }
    if (text === '\n' || text === '\r\n') {
      const isSkipped = state === 'first header' && hasBareEnd && text === '\n'
      endHead()
      return isSkipped
    }
    state = 'headers'
    if (!headerLine.test(text) || /^transfer-encoding\s*:/i.test(text)) state = 'unknown'
    else if (/^content-length\s*:/i.test(text)) {
      const length = /^content-length:[\t ]*(\d{1,15})[\t ]*\r?\n$/i.exec(text)?.[1]
      if (length === undefined) state = 'unknown'
      else bodyBytes = Number(length)
    }
    return false
  }

  return (chunk) => {
    const pieces: Buffer[] = []
    let passed = 0
    let at = 0
    while (at < chunk.length && state !== 'unknown') {
      if (state === 'body') {
        const bytes = Math.min(bodyBytes, chunk.length - at)
        at += bytes
        bodyBytes -= bytes
        if (bodyBytes === 0) state = 'between'
      } else if (state === 'between' && isLineEnd(chunk[at]!)) at += 1
      else {
        if (state === 'between') beginHead()
        const end = chunk.indexOf(lineFeedCode, at)
        const until = end < 0 ? chunk.length : end + 1
        line += chunk.toString('latin1', at, until)
        headBytes += until - at
        at = until
        if (headBytes > mostHeadBytes) state = 'unknown'
        else if (end >= 0 && endLine()) {
          pieces.push(chunk.subarray(passed, end), carriageReturn)
          passed = end
        }
      }
    }
    return pieces.length === 0 ? chunk : Buffer.concat([...pieces, chunk.subarray(passed)])
  }
}

const requestLine = /^[^\r\n]+ HTTP\/1\.[01]\r?\n$/
const headerLine = /^[^\t \r\n][^\r\n]*\r?\n$/

const isLineEnd = (code: number): boolean => code === lineFeedCode || code === 13

/**
 * Whether a connection that begins like this needs no look at each of its bytes, which would cost as much as a tenth of
 * a small upload: its first line ends as it should, and a header follows. A client that sends headers does so each
 * time.
 */
export const hasWholeLineEnds = (chunk: Buffer): boolean => {
  const end = chunk.indexOf(lineFeedCode)
  return chunk[end - 1] === 13 && !isLineEnd(chunk[end + 1] ?? lineFeedCode) && !chunk.includes('\n\n', end, 'latin1')
}

/** To be called when node:http has its listener on the socket, and before anything of it is read. */
export const mendLineEnds = (socket: Socket): void => {
  const [listener] = socket.listeners('data') as ((chunk: Buffer) => void)[]
  const mend = openLineEnds()
  // A listener of ours also keeps the parser from reading the socket by itself.
  socket.off('data', listener!).on('data', (chunk: Buffer) => listener!.call(socket, mend(chunk)))
}
