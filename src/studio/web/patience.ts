// Readings that nobody answers. A server that stands still, or is cut off, keeps its connections open for hours: a reading
// that takes longer than the server works on any looks whether it is there, and ends where it is not.

/** Above READ_TIMEOUT_MS; where that is higher, the server says that it is there, and the reading goes on. */
const patienceMs = 40_000

export const fetchPatiently =
  (isReachable: () => Promise<boolean>, waitMs = patienceMs): typeof fetch =>
  async (input, init) => {
    const isReading = (init?.method ?? 'GET') === 'GET'
    // Live samples come for hours, and their reader notices silence by itself.
    const isLive = new Headers(init?.headers).get('Accept') === 'text/event-stream'
    if (!isReading || isLive) return fetch(input, init)
    const control = new AbortController()
    const given = init?.signal
    const leave = () => control.abort(given!.reason)
    if (given?.aborted) leave()
    // Its content may still be on its way when the reading is no longer wanted.
    given?.addEventListener('abort', leave)
    const look = async () => {
      if (!(await isReachable())) control.abort(new TypeError('no answer'))
    }
    const timer = setInterval(() => void look(), waitMs)
    try {
      return await fetch(input, { ...init, signal: control.signal })
    } finally {
      clearInterval(timer)
    }
  }
