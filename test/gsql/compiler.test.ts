import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import type { Fault } from '../../src/base/errors.ts'
import { busy } from '../../src/base/errors.ts'
import type { Holders } from '../../src/base/shares.ts'
import { openShares } from '../../src/base/shares.ts'
import { openCompiler } from '../../src/gsql/compiler.ts'
import type { Compiled, Compiler } from '../../src/gsql/compiler.ts'
import { compileScript } from '../../src/gsql/script.ts'
import { openScriptCache } from '../../src/gsql/script-cache.ts'

const mine: Holders = ['organization 1', 'user 1']
const faultOf = (compiling: Promise<unknown>) =>
  compiling.then(
    () => assert.fail('it compiled'),
    (error: unknown) => error as Fault,
  )
const list = <T>(count: number, item: (index: number) => T) => Array.from({ length: count }, (_, index) => item(index))
const large = `SELECT 1 IN (${list(9990, String).join(',')})`

describe('gsql/compiler', () => {
  let compiler: Compiler
  before(() => (compiler = openCompiler({ maxBytes: 65_536 })))
  after(() => compiler.close())

  it('gives the same script as compiling here', async () => {
    const script = `
      SET @x = 12345678901234567 + 1;
      INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) WITH (FOLDER = '/Components/x')
      SELECT d, 's', TOEPOCHMILLIS(t, 'yyyy-MM-dd', @z), @x
      FROM JSON_TABLE(@HTTP_BODY) WITH (d String '$.list[?(@.k=="v")].d', t String '$.t') UNION ALL SELECT 'a', 'b', 1, 2.5;
      SELECT cid, sample(Range(sd=-1d, ed=now), cycleId='day', stat='max') FROM Stream WHERE cid LIKE 'a%'`
    const whole = `SET @z = 'Europe/Berlin'; ${script}`
    const { script: compiled, bytes } = await compiler.compile(whole, mine)
    // Parameters that only their maker can distinguish are numbered on.
    assert.deepEqual(compiled, compileScript(whole, 65_536))
    assert.ok(bytes > 1000 && bytes < 100_000, String(bytes))
  })

  it('reports errors with line and column', async () => {
    const fault = await faultOf(compiler.compile('SELECT 1;\nSELECT Lefft(1)', mine))
    assert.equal(fault.code, 'script_error')
    assert.deepEqual(fault.members, { line: 2, column: 8 })
    assert.match(fault.message, /unknown function 'Lefft', did you mean Left\?$/)
  })

  it('lets others be served meanwhile', async () => {
    let turns = 0
    const counting = setInterval(() => (turns += 1), 0)
    await compiler.compile(large, mine)
    clearInterval(counting)
    assert.ok(turns > 20, String(turns))
  })

  it('answers a script that takes too long with an error, and the next one as usual', async () => {
    const hurried = openCompiler({ maxBytes: 65_536, timeoutMs: 1 })
    try {
      const fault = await faultOf(hurried.compile(large, mine))
      assert.equal(fault.message, 'line 1, column 1: compiling it took longer than 1 ms')
    } finally {
      await hurried.close()
    }
    assert.equal((await compiler.compile('SELECT 1', mine)).script.statements.length, 1)
  })

  it('does not blame a script for a thread that takes too long to start', async () => {
    const starved = openCompiler({ maxBytes: 65_536, startMs: 0 })
    try {
      const fault = await faultOf(starved.compile('SELECT 1', mine))
      assert.deepEqual([fault.status, fault.message], [503, 'a script could not be compiled just now, try again'])
    } finally {
      await starved.close()
    }
  })

  it('answers a script that takes too much memory with an error, and the next one as usual', async () => {
    const small = openCompiler({ maxBytes: 65_536, memoryMb: 20, timeoutMs: 120_000 })
    try {
      const fault = await faultOf(small.compile(large, mine))
      assert.equal(fault.message, 'line 1, column 1: compiling it needs more memory than allowed')
      assert.equal((await small.compile('SELECT 1', mine)).script.statements.length, 1)
    } finally {
      await small.close()
    }
  })

  it('answers callers that wait when it is closed', async () => {
    const closing = openCompiler({ maxBytes: 65_536 })
    const fault = faultOf(closing.compile(large, mine))
    await turn()
    await closing.close()
    assert.equal((await fault).code, 'busy')
  })

  it('does not begin a script whose caller has left before its turn', async () => {
    const working = list(2, (index) => compiler.compile(`SELECT ${index}`, mine))
    const leaving = new AbortController()
    const left = assert.rejects(compiler.compile('SELECT 2', mine, leaving.signal), { name: 'AbortError' })
    const stayed = compiler.compile('SELECT 3', mine)
    leaving.abort()
    await Promise.all([...working, left, stayed])
  })

  it('compiles for another caller while one has many waiting', async () => {
    const theirs: Holders = ['organization 2', 'user 2']
    // Both threads are there now.
    await Promise.all([mine, theirs].map((holders) => compiler.compile('SELECT 1', holders)))
    const order: string[] = []
    const compile = (script: string, holders: Holders, name: string) =>
      compiler.compile(script, holders).then(() => void order.push(name))
    const longer = `SELECT 1 IN (${list(300, String).join(',')})`
    const many = list(12, () => compile(longer, mine, 'mine'))
    await Promise.all([...many, compile('SELECT 1', theirs, 'theirs')])
    // One behind the other it would be the last; it begins at once, and most of the others may still overtake it.
    assert.ok(order.indexOf('theirs') < 9, order.join(', '))
  })
})

describe('gsql/script-cache', () => {
  const made: string[] = []
  const compile = async (text: string, [organization]: Holders): Promise<Compiled> => {
    made.push(`${organization} ${text}`)
    if (text === 'wrong') throw new Error('wrong')
    const script = {
      statements: [],
      readsStreams: false,
      writes: false,
      writesWhatItReads: false,
      workMemKb: undefined,
    }
    return { script, bytes: 9000 }
  }
  const open = () => {
    made.length = 0
    return openScriptCache(compile, 105_000)
  }

  it('compiles a text once, however many ask for it at the same time', async () => {
    const cache = open()
    const [first, ...others] = await Promise.all(list(5, async () => cache.compile('a', mine)))
    assert.deepEqual(made, ['organization 1 a'])
    for (const other of others) assert.equal(other, first)
    assert.equal(cache.compile('a', ['organization 1', 'another']), first)
  })

  it('compiles a text for the calls that still wait for it when the first of their caller has left', async () => {
    let begun = 0
    const cache = openScriptCache(async (text, holders, signal) => {
      begun += 1
      if (begun === 1) await new Promise((resolve) => signal!.addEventListener('abort', resolve))
      signal?.throwIfAborted()
      return compile(text, holders)
    })
    const leaving = new AbortController()
    const compileFor = async (signal?: AbortSignal) => cache.compile('a', ['organization 1', 'user 1'], signal)
    const first = assert.rejects(compileFor(leaving.signal), { name: 'AbortError' })
    const others = [compileFor(), compileFor()]
    leaving.abort()
    await first
    const [second, third] = await Promise.all(others)
    assert.ok(second)
    assert.equal(third, second)
    assert.equal(begun, 2)
  })

  it('refuses alone a caller that has no turn, and gives the script of another to all that wait', async () => {
    const turns = openShares(1)
    const other = turns.open(['organization 2', 'x'])
    other.take(1)
    made.length = 0
    const cache = openScriptCache(async (text, holders, signal) => {
      const own = turns.open(holders)
      if (!(await own.wait(1, holders[1] === 'hurried' ? 20 : 5000, signal))) throw busy('no turn')
      setImmediate(() => own.give())
      return compile(text, holders)
    })
    const wanted = ['hurried', 'user 2', 'user 3'].map(async (caller) => cache.compile('a', ['organization 1', caller]))
    assert.equal((await faultOf(wanted[0]!)).code, 'busy')
    other.give()
    const [second, third] = await Promise.all(wanted.slice(1))
    assert.equal(second, third)
    assert.deepEqual([turns.waiting(), made], [0, ['organization 1 a']])
  })

  it('keeps no more than its bytes, and the scripts used last', async () => {
    const cache = open()
    for (let index = 0; index < 50; index += 1) {
      await cache.compile(`s${index}`, mine)
      await cache.compile('s0', mine)
      assert.ok(cache.bytes() <= 105_000)
    }
    assert.equal(made.length, 50)
    assert.equal(made.filter((one) => one === 'organization 1 s0').length, 1)
  })

  it('takes room from the organization that holds most, and from nobody else', async () => {
    const cache = open()
    await cache.compile('theirs', ['organization 2', 'user 2'])
    for (let index = 0; index < 50; index += 1) await cache.compile(`s${index}`, mine)
    await cache.compile('theirs', ['organization 2', 'user 2'])
    assert.equal(made.filter((one) => one === 'organization 2 theirs').length, 1)
  })

  it('keeps nothing of a text that is wrong', async () => {
    const cache = open()
    for (let time = 0; time < 2; time += 1) await assert.rejects(async () => cache.compile('wrong', mine), /wrong/)
    assert.equal(made.length, 2)
    assert.equal(cache.bytes(), 0)
  })
})
