// Live samples: the client comes back behind the last event that came whole, and knows which ends are final.
import assert from 'node:assert/strict'
import type { LiveEvent, LiveOptions, Sample } from '../../src/client/client.ts'
import { createClient } from '../../src/client/client.ts'
import type { Answer, ScriptedServer } from './server.ts'
import { answer, openScriptedServer } from './server.ts'

const events =
  (text: string, isCut = false): Answer =>
  (response, request) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(`retry: 1\n\n${text}`, () => (isCut ? request.socket.destroy() : response.end()))
  }
const sampleText = (data: number, id?: string) =>
  `data: {"compId":"a","streamId":"x","time":1,"data":${data}}\n${id === undefined ? '' : `id: ${id}\n`}\n`
const over = 'event: end\ndata: {"code":"time_is_up","message":"over"}\n\n'

describe('live samples of the client', () => {
  let server: ScriptedServer
  before(async () => void (server = await openScriptedServer()))
  after(() => server.close())

  const listen = async (options: LiveOptions = {}): Promise<readonly LiveEvent<Sample>[]> => {
    const client = createClient({ url: server.url, apiKey: 'k', org: 'o' })
    const all: LiveEvent<Sample>[] = []
    const of = [{ compId: 'a', streams: ['x', 'y'] }, { compId: 'b' }, { folder: '/Components/N' }]
    for await (const event of client.live(of, options)) all.push(event)
    return all
  }
  const values = (all: readonly LiveEvent<Sample>[]) =>
    all.map((event) => (event.kind === 'sample' ? event.sample.data : event.kind))
  const addresses = () => server.calls.map(({ url }) => url)

  it('names streams behind their component, and gives the events until time is up', async () => {
    const more = 'event: deleted\ndata: {"compId":"a","streamId":"x","sd":1,"ed":2}\n\nevent: newer\ndata: {}\n\n'
    server.script(events(`${sampleText(1)}event: live\ndata: {}\nid: 7\n\n${more}${over}`))
    const all = await listen({ query: { retUnit: true } })
    assert.deepEqual(values(all), [1, 'live', 'deleted'])
    assert.deepEqual(all[2], { kind: 'deleted', compId: 'a', streamId: 'x', sd: 1, ed: 2, id: '7' })
    assert.deepEqual(addresses(), [
      '/api/live?compId=a&streamId=x&streamId=y&compId=b&folder=%2FComponents%2FN&retUnit=&org=o&api_key=k',
    ])
  })

  it('comes back behind the last event that came whole, not behind one that was cut', async () => {
    const lost: string[] = []
    server.script(
      events(`${sampleText(1, '7')}id: 8\ndata: {"comp`, true),
      answer(503, { code: 'busy', message: 'full' }, { 'Retry-After': '0' }),
      events('id: 9\n\n'),
      events(`event: end\ndata: {"code":"stopping","message":"the server stops"}\n\n`),
      events(`${sampleText(2, '10')}${over}`),
    )
    assert.deepEqual(values(await listen({ onLost: (reason) => lost.push(reason) })), [1, 2])
    assert.deepEqual(
      addresses().map((url) => /lastEventId=(\d+)/.exec(url)?.[1]),
      [undefined, '7', '7', '9', '9'],
    )
    assert.equal(lost.length, 4)
    assert.equal(lost[3], 'the server stops')
  })

  it('ends with the error of a refusal, at the beginning and later', async () => {
    server.script(answer(404, { code: 'component_not_found', message: 'no' }))
    await assert.rejects(listen(), { status: 404, code: 'component_not_found' })
    server.script(events('event: end\ndata: {"code":"unauthorized","message":"revoked"}\n\n'))
    await assert.rejects(listen(), { status: 401, code: 'unauthorized' })
    assert.equal(server.calls.length, 1)
  })

  it('ends the connection when the loop is left, and when it is aborted', async () => {
    const closed: Promise<unknown>[] = []
    const forever: Answer = (response) => {
      closed.push(new Promise((resolve) => response.once('close', resolve)))
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(sampleText(1, '1'))
    }
    server.script(forever)
    const client = createClient({ url: server.url })
    for await (const { kind } of client.live([{ compId: 'a' }])) if (kind === 'sample') break
    await closed[0]
    const controller = new AbortController()
    const listening = (async () => {
      for await (const { kind } of client.live([{ compId: 'a' }], { signal: controller.signal }))
        if (kind === 'sample') controller.abort(new Error('enough'))
    })()
    await assert.rejects(listening, /enough/)
    await closed[1]
  })

  it('comes back when the server is silent, before its reply and within it, and takes a comment for life', async () => {
    const lost: string[] = []
    const silent: Answer = () => {}
    const stopped: Answer = (response) => void response.writeHead(200).write(`retry: 1\n\n${sampleText(1, '7')}`)
    const quiet: Answer = (response) => {
      let comments = 0
      response.writeHead(200)
      const timer = setInterval(() => {
        response.write(':\n\n')
        if (++comments < 15) return
        clearInterval(timer)
        response.end(`${sampleText(2, '8')}${over}`)
      }, 100)
    }
    server.script(stopped, silent, quiet)
    const all = await listen({ silentMs: 1000, onLost: (reason) => lost.push(reason) })
    assert.deepEqual(values(all), [1, 2])
    assert.deepEqual(lost, ['the server was silent for 1 seconds', 'the server was silent for 1 seconds'])
    assert.deepEqual(
      addresses().map((url) => /lastEventId=(\d+)/.exec(url)?.[1]),
      [undefined, '7', '7'],
    )
  })
})
