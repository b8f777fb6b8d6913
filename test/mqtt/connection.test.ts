// A connection by itself, at both ends of a pipe without buffers of a kernel, with a clock and uploads that the test owns.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import type { Duplex } from 'node:stream'
import { generate } from 'mqtt-packet'
import type { IConnectPacket, Packet } from 'mqtt-packet'
import { openShares } from '../../src/base/shares.ts'
import type { Holders, Shares } from '../../src/base/shares.ts'
import { Connection } from '../../src/mqtt/connection.ts'
import { openPlaces } from '../../src/mqtt/places.ts'
import type { Places } from '../../src/mqtt/places.ts'
import { openSessions } from '../../src/mqtt/sessions.ts'
import type { Sessions } from '../../src/mqtt/sessions.ts'
import type { Upload } from '../../src/mqtt/topic.ts'
import { eventually } from '../support/within.ts'

const key = 'good'
const write = (packet: Packet) => generate(packet, { protocolVersion: 5 })
const hello = (more: Partial<IConnectPacket> = {}): Buffer =>
  write({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 5,
    clientId: 'c',
    clean: true,
    keepalive: 3000,
    username: key,
    ...more,
  })
const message = (topic: string, payload: string, messageId = 1): Buffer =>
  write({ cmd: 'publish', topic, payload, qos: 1, messageId, dup: false, retain: false })
const ping = Buffer.from([0xc0, 0])
/** An object: a value is shorter. */
const longObject = `{"data":1,"note":"${'x'.repeat(100_000)}"}`

describe('mqtt/connection', () => {
  let nowMs: number
  let room: Shares
  let further: Shares
  let places: Places
  let sessions: Sessions
  let puts: Upload[]
  let finish: (() => void)[]
  let isHeld: boolean
  let isConnectHeld: boolean
  /** Works that wait for their turn, where the test gives the turns. */
  let waiting: { readonly weight: number; readonly holders: Holders; readonly work: () => void }[] | undefined
  const ends: Duplex[] = []
  const failures: unknown[] = []
  beforeEach(() => {
    nowMs = 0
    room = openShares(4 * 1024 * 1024)
    further = openShares(100)
    places = openPlaces({ mostConnections: 100, mostStrangers: 100 }, [])
    sessions = openSessions()
    puts = []
    finish = []
    isHeld = false
    isConnectHeld = false
    waiting = undefined
  })
  afterEach(() => {
    for (const end of ends.splice(0)) end.destroy()
    assert.deepEqual(failures.splice(0), [])
  })

  const open = () => {
    const [ours, theirs] = duplexPair({ highWaterMark: 16 * 1024, allowHalfOpen: true })
    ends.push(ours, theirs)
    theirs.on('error', () => {})
    const place = places.enter('address', {
      giveWay: () => connection.giveWay(),
      strangerBytes: () => connection.strangerBytes(),
    })
    const connection: Connection = new Connection(
      ours as Socket,
      place!,
      ['address'],
      room.open,
      {
        connect: async (given) => {
          if (isConnectHeld) await new Promise<void>((resolve) => finish.push(resolve))
          return given === key ? { holders: ['organization', 'key'] } : { refusal: { status: 401, message: 'unknown' } }
        },
        openFurther: further.open,
        begin: (weight, holders, work) => {
          if (waiting === undefined) work()
          else waiting.push({ weight, holders: holders(), work })
        },
        sessions,
        put: async (_, upload) => {
          puts.push(upload)
          if (isHeld) await new Promise<void>((resolve) => finish.push(resolve))
          return undefined
        },
        onFailure: (error) => failures.push(error),
      },
      () => nowMs,
    )
    let read = 0
    return {
      connection,
      ours,
      theirs,
      /** Reads what comes from here on. */
      listen: () => theirs.on('data', (piece: Buffer) => (read += piece.length)),
      read: () => read,
      isClosed: () => ours.destroyed,
    }
  }
  type Opened = ReturnType<typeof open>
  const openKnown = async (more: Partial<IConnectPacket> = {}): Promise<Opened> => {
    const opened = open()
    opened.listen()
    opened.theirs.write(hello(more))
    await eventually(async () => opened.read() > 0)
    return opened
  }
  const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 5))
  const lookAt = async (connection: Connection, atMs: number) => {
    nowMs = atMs
    connection.look()
    await settle()
  }

  it('waits ten seconds for CONNECT, however its bytes trickle in', async () => {
    const { connection, theirs, isClosed } = open()
    for (const [n, byte] of [...hello().subarray(0, 9)].entries()) {
      theirs.write(Buffer.from([byte]))
      await settle()
      await lookAt(connection, n * 1000)
      assert.ok(!isClosed())
    }
    await lookAt(connection, 10_000)
    assert.ok(isClosed())
  })

  it('waits thirty seconds for a kibibyte of a packet, however its bytes trickle in', async () => {
    const { connection, theirs, isClosed } = await openKnown()
    const long = message('a/b', 'x'.repeat(5000))
    theirs.write(long.subarray(0, 10))
    await settle()
    await lookAt(connection, 29_000)
    theirs.write(long.subarray(10, 1200))
    await settle()
    // A kibibyte more, and so another thirty seconds.
    await lookAt(connection, 58_000)
    assert.ok(!isClosed())
    theirs.write(long.subarray(1200, 1300))
    await settle()
    await lookAt(connection, 60_000)
    await eventually(async () => theirs.readableEnded)
    assert.equal(puts.length, 0)
  })

  it('waits one and a half times the keep-alive for the next packet, and for ever for its own storing', async () => {
    const { connection, theirs } = await openKnown({ keepalive: 10 })
    isHeld = true
    for (let n = 1; n <= 33; n += 1) theirs.write(message(`a/${n}`, '1', n))
    await eventually(async () => puts.length === 32)
    await lookAt(connection, 1_000_000)
    assert.ok(!theirs.readableEnded)
    isHeld = false
    for (const each of finish) each()
    await eventually(async () => puts.length === 33)
    theirs.write(ping)
    await settle()
    await lookAt(connection, 1_014_000)
    assert.ok(!theirs.readableEnded)
    await lookAt(connection, 1_016_000)
    await eventually(async () => theirs.readableEnded)
  })

  it('hears nothing more behind a CONNECT that it refuses', async () => {
    const { connection, theirs, listen, read, isClosed } = open()
    listen()
    theirs.write(Buffer.concat([hello({ username: 'wrong' }), hello(), message('a/b', '1')]))
    await eventually(async () => theirs.readableEnded)
    theirs.write(Buffer.concat([hello(), message('a/b', '1')]))
    await settle()
    assert.deepEqual(puts, [])
    assert.ok(read() > 0)
    await lookAt(connection, 4000)
    assert.ok(!isClosed())
    // A client that does not close its side.
    await lookAt(connection, 5000)
    assert.ok(isClosed())
  })

  it('reads nothing more from a client that reads none of its answers, and ends it after thirty seconds', async () => {
    const { connection, ours, theirs, isClosed } = open()
    theirs.write(hello())
    const many = Buffer.concat(Array.from({ length: 8192 }, () => ping))
    for (let n = 0; n < 20; n += 1) theirs.write(many)
    await eventually(async () => ours.writableNeedDrain && ours.isPaused())
    await settle()
    assert.ok(ours.writableLength < 64 * 1024, String(ours.writableLength))
    assert.ok(theirs.writableLength > 0)
    await lookAt(connection, 29_000)
    assert.ok(!isClosed())
    await lookAt(connection, 30_000)
    await lookAt(connection, 36_000)
    assert.ok(isClosed())
  })

  it('goes on when its answers are read', async () => {
    const { theirs, listen, read } = open()
    theirs.write(hello())
    const many = Buffer.concat(Array.from({ length: 50_000 }, () => ping))
    theirs.write(many)
    await settle()
    listen()
    await eventually(async () => read() >= many.length)
  })

  it('lets others have their turn between many small packets', async () => {
    const { theirs, read } = await openKnown()
    const before = read()
    let turns = 0
    const count = () => {
      turns += 1
      if (read() - before < 8000) setImmediate(count)
    }
    setImmediate(count)
    theirs.write(Buffer.concat(Array.from({ length: 4000 }, () => ping)))
    await eventually(async () => read() - before >= 8000)
    assert.ok(turns >= 20, String(turns))
  })

  it('has 256 KiB of messages under way and reads no further, and charges them to the caller', async () => {
    isHeld = true
    const { ours, theirs } = await openKnown()
    for (let n = 1; n <= 20; n += 1) theirs.write(message(`a/${n}`, longObject, n))
    await eventually(async () => puts.length === 3 && ours.isPaused())
    assert.ok(4 * 1024 * 1024 - room.free() >= 300_000)
    isHeld = false
    for (const each of finish) each()
    await eventually(async () => puts.length === 20)
    await eventually(async () => room.free() === 4 * 1024 * 1024)
  })

  it('has one message under way in each of many connections, and further ones as its caller has places', async () => {
    isHeld = true
    const opened = await Promise.all(Array.from({ length: 10 }, (_, n) => openKnown({ clientId: `c${n}` })))
    for (const { theirs } of opened)
      theirs.write(Buffer.concat(Array.from({ length: 30 }, (_, n) => message(`a/${n}`, '1', n + 1))))
    await eventually(async () => puts.length >= 50)
    await settle()
    // Half of the places are one caller's.
    assert.ok(puts.length <= 10 + 50, String(puts.length))
    assert.equal(further.free(), 50)
    isHeld = false
    while (puts.length < 300) {
      for (const each of finish.splice(0)) each()
      await settle()
    }
    await eventually(async () => further.free() === 100)
    assert.ok(opened.every(({ isClosed }) => !isClosed()))
  })

  it('charges the numbers of messages that are not released to the caller', async () => {
    const { theirs } = await openKnown()
    const before = room.free()
    for (let n = 1; n <= 500; n += 1)
      theirs.write(
        write({ cmd: 'publish', topic: 'a', payload: '[]', qos: 2, messageId: n, dup: false, retain: false }),
      )
    await eventually(async () => puts.length === 500)
    await settle()
    assert.ok(before - room.free() >= 500 * 32, String(before - room.free()))
    for (let n = 1; n <= 500; n += 1) theirs.write(write({ cmd: 'pubrel', messageId: n }))
    await eventually(async () => room.free() === before)
  })

  it('charges a will to the caller as long as the connection lasts', async () => {
    const will = { topic: 'W/x', payload: Buffer.alloc(50_000, 'x'), qos: 0 as const, retain: false }
    const { ours, theirs } = await openKnown({ will })
    theirs.write(ping)
    await eventually(async () => 4 * 1024 * 1024 - room.free() >= 50_000)
    ours.destroy()
    await eventually(async () => room.free() === 4 * 1024 * 1024)
  })

  it('refuses a connection whose will has no room in the share of its caller, and never stores that will', async () => {
    const other = room.open(['organization', 'key'])
    assert.ok(other.take(2 * 1024 * 1024 - 10_000))
    const will = { topic: 'W/x', payload: Buffer.alloc(50_000, 'x'), qos: 0 as const, retain: false }
    const { connection, ours, theirs } = open()
    theirs.write(hello({ will }))
    const [answer] = (await once(theirs, 'data')) as [Buffer]
    // CONNACK with quota exceeded.
    assert.deepEqual([answer[0], answer[3]], [0x20, 0x97])
    assert.equal(4 * 1024 * 1024 - room.free(), other.amount)
    ours.destroy()
    await connection.ended
    assert.deepEqual(puts, [])
  })

  it('weighs nothing as a stranger once its key is known, and hides no heavy one behind it while it ends', async () => {
    room.open(['organization', 'key']).take(2 * 1024 * 1024 - 10_000)
    const will = { topic: 'W/x', payload: Buffer.alloc(50_000, 'x'), qos: 0 as const, retain: false }
    for (let n = 0; n < 64; n += 1) {
      const { theirs } = open()
      theirs.write(hello({ will }))
      // Refused, and its client does not close its side.
      await once(theirs, 'data')
    }
    const heavy = open()
    heavy.theirs.write(hello({ will }).subarray(0, 45_000))
    await eventually(async () => heavy.connection.strangerBytes() > 40_000)
    const late = places.enter('address', { giveWay: () => {}, strangerBytes: () => 0 })!
    assert.ok(late.makeRoom(100))
    assert.ok(heavy.isClosed())
  })

  it('keeps messages and the will of a connection that was reset charged to its caller until they are stored', async () => {
    isHeld = true
    const will = { topic: 'W/x', payload: Buffer.alloc(50_000, 'x'), qos: 0 as const, retain: false }
    const { connection, ours, theirs } = await openKnown({ will })
    theirs.write(message('a/1', longObject))
    await eventually(async () => puts.length === 1)
    ours.destroy()
    await once(ours, 'close')
    await settle()
    assert.ok(4 * 1024 * 1024 - room.free() >= 150_000, String(room.free()))
    finish.pop()!()
    await eventually(async () => puts.length === 2)
    assert.ok(4 * 1024 * 1024 - room.free() >= 150_000, String(room.free()))
    finish.pop()!()
    await connection.ended
    assert.equal(room.free(), 4 * 1024 * 1024)
  })

  const state = (said: string) => `compId=W&x=${said}`
  const offline = { topic: 'W', payload: Buffer.from('x=Offline'), qos: 1 as const, retain: false }
  const queries = () => puts.map(({ query }) => query)

  it('takes the place of a connection of the same client, whose will is stored before CONNACK', async () => {
    const first = await openKnown({ will: offline })
    const last: Buffer[] = []
    first.theirs.on('data', (piece: Buffer) => last.push(piece))
    isHeld = true
    const second = open()
    second.listen()
    second.theirs.write(Buffer.concat([hello({ will: offline }), message('W', 'x=Online')]))
    await eventually(async () => puts.length === 1)
    await settle()
    assert.deepEqual([second.read(), queries()], [0, [state('Offline')]])
    isHeld = false
    finish.pop()!()
    await eventually(async () => puts.length === 2)
    assert.deepEqual(queries(), [state('Offline'), state('Online')])
    // DISCONNECT, session taken over.
    assert.deepEqual([last[0]![0], last[0]![2]], [0xe0, 0x8e])
    // The first says nothing more when it is closed; the will of the second is kept for its end.
    first.ours.destroy()
    await first.connection.ended
    assert.equal(puts.length, 2)
    second.ours.destroy()
    await second.connection.ended
    assert.deepEqual(queries(), [state('Offline'), state('Online'), state('Offline')])
    assert.equal(sessions.size(), 0)
  })

  it('waits for the will of a connection of the same client that is closed already', async () => {
    const first = await openKnown({ will: offline })
    isHeld = true
    first.ours.destroy()
    await eventually(async () => puts.length === 1)
    const second = open()
    second.listen()
    second.theirs.write(hello())
    await settle()
    assert.equal(second.read(), 0)
    isHeld = false
    finish.pop()!()
    await eventually(async () => second.read() > 0)
  })

  it('gives its place to the next of the same client while it waits for it, and leaves no will of its own', async () => {
    const first = await openKnown({ will: offline })
    isHeld = true
    const second = open()
    second.theirs.write(hello({ will: { ...offline, payload: Buffer.from('x=Never') } }))
    await eventually(async () => puts.length === 1)
    const third = open()
    third.listen()
    third.theirs.write(hello())
    await eventually(async () => second.ours.writableEnded)
    assert.equal(third.read(), 0)
    isHeld = false
    finish.pop()!()
    await eventually(async () => third.read() > 0)
    for (const { ours } of [first, second, third]) ours.destroy()
    await Promise.all([first, second, third].map(({ connection }) => connection.ended))
    assert.deepEqual(queries(), [state('Offline')])
    assert.equal(sessions.size(), 0)
  })

  it('disturbs no connection of another client, nor one without an ID', async () => {
    const clients = await Promise.all(['c', 'd', '', ''].map((clientId) => openKnown({ clientId })))
    for (const { theirs } of clients) theirs.write(ping)
    await settle()
    assert.deepEqual(
      clients.map(({ ours }) => ours.writableEnded),
      clients.map(() => false),
    )
  })

  it('is not disturbed by a client of the same ID that is refused', async () => {
    const first = await openKnown({ will: offline })
    const other = open()
    other.listen()
    other.theirs.write(hello({ username: 'wrong' }))
    await eventually(async () => other.theirs.readableEnded)
    assert.deepEqual([first.ours.writableEnded, puts], [false, []])
  })

  it('keeps a CONNECT charged to its address until it is known whether its key is good', async () => {
    isConnectHeld = true
    const { connection, ours, theirs } = open()
    theirs.write(hello({ clientId: 'c'.repeat(60_000) }))
    await eventually(async () => finish.length === 1)
    ours.destroy()
    await once(ours, 'close')
    await settle()
    assert.ok(4 * 1024 * 1024 - room.free() >= 60_000, String(room.free()))
    finish.pop()!()
    await connection.ended
    assert.equal(room.free(), 4 * 1024 * 1024)
  })

  it('ends a connection whose packet has no room in the share of its caller', async () => {
    const other = room.open(['organization', 'key'])
    const { theirs } = await openKnown()
    assert.ok(other.take(2 * 1024 * 1024 - 1000))
    const last: Buffer[] = []
    theirs.on('data', (piece: Buffer) => last.push(piece))
    theirs.write(message('a/b', 'x'.repeat(500_000)).subarray(0, 400_000))
    await eventually(async () => theirs.readableEnded)
    // DISCONNECT, quota exceeded.
    assert.deepEqual([last[0]![0], last[0]![2]], [0xe0, 0x97])
    other.give()
    await eventually(async () => room.free() === 4 * 1024 * 1024)
  })

  it('waits for its turn with what has come, charged to its caller, and reads nothing further', async () => {
    const { ours, theirs } = await openKnown()
    waiting = []
    theirs.write(message('a/b', 'x'.repeat(1000)))
    await eventually(async () => waiting!.length === 1)
    await settle()
    assert.deepEqual(puts, [])
    assert.ok(ours.isPaused())
    assert.deepEqual(waiting[0]!.holders, ['organization', 'key'])
    assert.ok(room.free() <= 4 * 1024 * 1024 - 1000)
    waiting.shift()!.work()
    await eventually(async () => puts.length === 1)
  })

  it('reads nothing before its first turn, which it has as a stranger', async () => {
    waiting = []
    const { ours, theirs } = open()
    theirs.write(hello())
    await settle()
    assert.deepEqual(
      waiting.map(({ holders }) => holders),
      [['address']],
    )
    assert.ok(ours.isPaused())
    waiting.shift()!.work()
    await eventually(async () => waiting!.length === 1)
    assert.deepEqual(waiting[0]!.holders, ['address'])
  })

  it('answers a message that is refused for its topic, and one that is sent again, when it is their turn', async () => {
    const { theirs, read } = await openKnown()
    const twice = write({ cmd: 'publish', topic: 'a/b', payload: '1', qos: 2, messageId: 7, dup: false, retain: false })
    theirs.write(twice)
    await eventually(async () => puts.length === 1)
    await settle()
    for (const packet of [(n: number) => message(`a/b/${n}`, '1'), () => twice]) {
      const before = read()
      waiting = []
      theirs.write(Buffer.concat(Array.from({ length: 100 }, (_, n) => packet(n))))
      await eventually(async () => waiting!.length === 1)
      // The turn to read: as many as may be under way.
      waiting.shift()!.work()
      await settle()
      assert.deepEqual([waiting.length, read()], [32, before])
      assert.deepEqual(waiting[0]!.holders, ['organization', 'key'])
      for (; waiting.length > 0; await settle()) for (const { work } of waiting.splice(0)) work()
      assert.ok(read() > before)
    }
    assert.equal(puts.length, 1)
  })

  it('knows a message that has the number of one that was refused twice', async () => {
    const { theirs } = await openKnown()
    const numbered = (topic: string) =>
      write({ cmd: 'publish', topic, payload: '1', qos: 2, messageId: 7, dup: false, retain: false })
    const comes = async (packet: Buffer) => {
      const before = waiting!.length
      theirs.write(packet)
      await eventually(async () => waiting!.length > before)
      waiting!.pop()!.work()
      await settle()
    }
    waiting = []
    await comes(Buffer.concat([numbered('a/b/c'), numbered('a/b/c')]))
    assert.equal(waiting.length, 2)
    waiting.shift()!.work()
    await settle()
    isHeld = true
    await comes(numbered('a/b'))
    waiting.shift()!.work()
    await settle()
    await comes(numbered('a/b'))
    assert.deepEqual([puts.length, waiting.length], [1, 1])
  })

  it('reads a long message when it has a turn for that, by its length', async () => {
    const { theirs } = await openKnown()
    waiting = []
    theirs.write(message('a/b', 'x'.repeat(9000)))
    await eventually(async () => waiting!.length === 1)
    waiting.shift()!.work()
    await settle()
    assert.deepEqual([waiting.map(({ weight }) => weight), puts], [[36], []])
    waiting.shift()!.work()
    await eventually(async () => puts.length === 1)
    theirs.write(message('a/b', `{"data":"${'x'.repeat(1_000_000)}"}`))
    const weights: number[] = []
    await eventually(async () => {
      const next = waiting!.shift()
      if (next) weights.push(next.weight)
      next?.work()
      return puts.length === 2
    })
    // All that has come counts to read it, and a whole turn is its own to make an upload of it.
    assert.deepEqual([weights.at(-2), weights.at(-1)], [20, 128])
  })

  it('asks for another turn after a hundred packets, and after 64 KiB', async () => {
    const { theirs } = await openKnown()
    waiting = []
    theirs.write(Buffer.concat(Array.from({ length: 250 }, () => ping)))
    let given = 0
    const giveAll = async () => {
      await settle()
      for (; waiting!.length > 0; given += 1) {
        waiting!.shift()!.work()
        await settle()
      }
    }
    await eventually(async () => waiting!.length > 0)
    await giveAll()
    assert.equal(given, 3)
    const topics = Array.from({ length: 1000 }, (_, n) => ({ topic: `t/${n}/${'x'.repeat(80)}`, qos: 0 as const }))
    const subscribe = write({ cmd: 'subscribe', messageId: 1, subscriptions: topics })
    assert.ok(subscribe.length > 64 * 1024)
    given = 0
    theirs.write(Buffer.concat([subscribe, subscribe, subscribe]))
    await eventually(async () => waiting!.length > 0)
    await giveAll()
    assert.ok(given >= 3)
  })

  it('stores all messages that came before its client closed its side', async () => {
    const { theirs } = await openKnown()
    isHeld = true
    for (let n = 1; n <= 40; n += 1) theirs.write(message(`a/${n}`, '1', n))
    theirs.end()
    await eventually(async () => puts.length === 32)
    await settle()
    isHeld = false
    for (const each of finish) each()
    await eventually(async () => puts.length === 40)
    await eventually(async () => theirs.readableEnded)
  })

  it('answers each of a flood of pings', async () => {
    const { theirs, read } = await openKnown()
    const before = read()
    theirs.write(Buffer.concat(Array.from({ length: 1234 }, () => ping)))
    await eventually(async () => read() - before >= 2468)
    await settle()
    assert.equal(read() - before, 2468)
  })
})
