// Server-sent events (HTML Living Standard, 9.2.6), read off the pieces of a reply as they come: a line may be cut
// anywhere, in the middle of a character or between CR and LF.

export type ServerEvent = {
  readonly type: string
  readonly data: string
  /** The last id that the stream has named, with which it is resumed. */
  readonly id: string
}

export type EventParser = {
  readonly read: (piece: Uint8Array) => readonly ServerEvent[]
  readonly lastId: () => string
  /** How long the server asks to wait before the next connection. */
  readonly retryMs: () => number | undefined
}

export const openEventParser = (firstId = ''): EventParser => {
  const decoder = new TextDecoder('utf-8')
  let rest: string[] = []
  let wasCr = false
  let type = ''
  /** The id that is named, and that of the last event that came whole: only behind that one may it go on. */
  let [named, id] = [firstId, firstId]
  let data: string[] = []
  let retryMs: number | undefined

  const take = (line: string): ServerEvent | undefined => {
    if (line === '') {
      id = named
      const event = data.length === 0 ? undefined : { type: type || 'message', data: data.join('\n'), id }
      type = ''
      data = []
      return event
    }
    const colon = line.indexOf(':')
    if (colon === 0) return undefined
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))
    if (field === 'event') type = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) named = value
    else if (field === 'retry' && /^\d+$/.test(value)) retryMs = Number(value)
    return undefined
  }

  return {
    read: (piece) => {
      let text = decoder.decode(piece, { stream: true })
      if (wasCr && text !== '') {
        if (text.startsWith('\n')) text = text.slice(1)
        wasCr = false
      }
      const events: ServerEvent[] = []
      const lines = text.split(/\r\n|\r|\n/)
      wasCr = text.endsWith('\r')
      for (const line of lines.slice(0, -1)) {
        const event = take(rest.length === 0 ? line : [...rest, line].join(''))
        rest = []
        if (event) events.push(event)
      }
      if (lines.at(-1) !== '') rest.push(lines.at(-1)!)
      return events
    },
    lastId: () => id,
    retryMs: () => retryMs,
  }
}
