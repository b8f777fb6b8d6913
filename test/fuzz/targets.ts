// Parsers of strangers' bytes, each with inputs to begin with. An input is refused by an error of ours, or read; nothing else
// may happen. Where bytes come in pieces, the pieces must not matter.
import assert from 'node:assert/strict'
import { gunzipSync, gzipSync } from 'node:zlib'
import { generate } from 'mqtt-packet'
import { Fault } from '../../src/base/errors.ts'
import { csvText, textOfCell } from '../../src/base/http/csv.ts'
import { boundaryOf, readParts } from '../../src/base/http/multipart.ts'
import { parseQuery } from '../../src/base/http/query-string.ts'
import { parseJson } from '../../src/base/json.ts'
import { atOnce } from '../../src/base/slices.ts'
import type { Json } from '../../src/base/json.ts'
import { openEventParser } from '../../src/client/events.ts'
import { positionFromEventId } from '../../src/core/live/position.ts'
import { nextRunMs, schedule } from '../../src/core/import/schedule.ts'
import { samplesInSlices } from '../../src/feed/array-bytes.ts'
import { batchFromJson } from '../../src/feed/put-json.ts'
import { batchFromUrl } from '../../src/feed/put-url.ts'
import { openMemory, openScriptMemory } from '../../src/gsql/memory.ts'
import { compileScript } from '../../src/gsql/script.ts'
import { csvTable } from '../../src/gsql/text/csv-table.ts'
import { readPattern, writePattern } from '../../src/gsql/text/date-pattern.ts'
import { isIterating, iterate, parseJsonPath, valueAt } from '../../src/gsql/text/json-path.ts'
import { readJsonText, rowsOfJson } from '../../src/gsql/text/json-table.ts'
import { parseRegularExpression } from '../../src/gsql/text/regular-expression-parse.ts'
import { Framer } from '../../src/mqtt/frame.ts'
import { readPacket } from '../../src/mqtt/packet.ts'
import type { Publish, Version } from '../../src/mqtt/packet.ts'
import { uploadFrom } from '../../src/mqtt/topic.ts'
import { csvReader } from '../../src/transfer/csv-rows.ts'
import { ndjsonReader } from '../../src/transfer/ndjson-rows.ts'
import { demandUtf8, openRecords } from '../../src/transfer/records.ts'
import { headerTargets } from './header-targets.ts'
import { compareGzip, compareWays } from './http.ts'
import { orRefuses, textTarget } from './target.ts'
import type { FuzzTarget } from './target.ts'

const nowMs = 1_767_225_600_000
const at = { line: 1, column: 1 }
const noneFixed = { componentId: undefined, streamId: undefined }

/** Pieces of so many bytes; 0: whole. */
const cut = (bytes: Buffer, size: number): readonly Buffer[] => {
  if (size === 0) return [bytes]
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size))
}

/** The result must be the same whatever the size of the pieces. */
const inPieces = (bytes: Buffer, read: (pieces: readonly Buffer[]) => unknown): void => {
  const whole = read(cut(bytes, 0))
  for (const size of [1, 3, 7]) assert.deepEqual(read(cut(bytes, size)), whole, `in pieces of ${size}`)
}

const rowsOf = (isCsv: boolean) => (pieces: readonly Buffer[]) => {
  const rows: unknown[] = []
  const readRow = isCsv ? csvReader(['compId', 'streamId', 'time', 'data'], noneFixed) : ndjsonReader(noneFixed)
  const records = openRecords({ isCsv, mostBytes: 4096 }, { bytes: 0, lines: 0 }, (record) => {
    const { line, endByte, endLine } = record
    rows.push([
      { line, endByte, endLine },
      orRefuses(() => {
        demandUtf8(record)
        return readRow(record)
      }),
    ])
  })
  const end = orRefuses(() => {
    for (const piece of pieces) records.add(piece)
    records.end()
  })
  return [rows, end]
}

/** By another's hand. */
const writtenAgain = ({ topic, payload, qos, messageId }: Publish, protocolVersion: Version): Buffer =>
  generate({ cmd: 'publish', topic, payload, qos, messageId, dup: false, retain: false }, { protocolVersion })

const packetsOf = (version: Version) => (pieces: readonly Buffer[]) => {
  const framer = new Framer()
  const packets: unknown[] = []
  const end = orRefuses(() => {
    for (const piece of pieces) {
      framer.push(piece)
      for (let bytes = framer.next(4096); bytes !== undefined; bytes = framer.next(4096)) {
        const packet = readPacket(bytes, version)
        packets.push(packet)
        if (packet.kind !== 'publish') continue
        assert.deepEqual(readPacket(writtenAgain(packet, version), version), packet)
        packets.push(orRefuses(() => uploadFrom(packet.topic, packet.payload)))
      }
    }
  })
  return [packets, end]
}

/**
 * The same samples in a form that the short reading of arrays gives up, so that they are read by all the rules: its first
 * object has a nested member more, which is ignored. Undefined where the short one does not read the bytes anyway.
 */
const asUnusual = (bytes: Buffer): Buffer | undefined => {
  const brace = bytes.indexOf('{') + 1
  if (brace === 0 || atOnce(samplesInSlices(bytes, nowMs, 100_000)) === undefined) return undefined
  const unusual = Buffer.concat([bytes.subarray(0, brace), Buffer.from('"":[],'), bytes.subarray(brace)])
  assert.equal(atOnce(samplesInSlices(unusual, nowMs, 100_000)), undefined)
  return unusual
}

const partsOf = async (pieces: readonly Buffer[], boundary: string) => {
  const parts: unknown[] = []
  let content: Buffer[] | undefined
  const chunks = async function* () {
    for (const piece of pieces) yield piece
  }
  try {
    for await (const part of readParts(chunks(), boundary)) {
      if (Buffer.isBuffer(part)) content!.push(Buffer.from(part))
      else parts.push(part, (content = []))
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    // Of a part that is refused, more or less may have come.
    return 'refused'
  }
  return parts.map((part) => (Array.isArray(part) ? Buffer.concat(part as Buffer[]).toString('latin1') : part))
}

const scriptMemory = () => openMemory(openScriptMemory(), ['fuzz'])

/** Undefined where it is none; of no bytes, nothing: a client that has no body may name an encoding. */
const inflated = (bytes: Buffer): string | undefined => {
  if (bytes.length === 0) return ''
  try {
    return gunzipSync(bytes, { maxOutputLength: 1024 * 1024 }).toString('latin1')
  } catch {
    return undefined
  }
}

export const fuzzTargets: readonly FuzzTarget[] = [
  {
    name: 'http',
    seeds: [
      'PUT /api/feed?compId=A&t=1 HTTP/1.1\r\nHost: x\r\nX-Forwarded-For:  a b \r\nContent-Length: 0\r\n\r\n',
      'PUT /api/feed?compId=A HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\nContent-Type: a\r\n\r\n[{"data":1}]',
      'POST /api/conn_sink/o/hook?api_key=k HTTP/1.1\r\nAuthorization: Basic eDp5\r\nContent-Length: 2\r\n\r\n{}PUT /api/feed?a HTTP/1.0\n\n',
      'PUT /api/feed?a=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\nPUT /api/feed?b HTTP/1.1\r\nContent-Length: 12\r\n\r\n[{"data":1}]POST /api/conn_sink/o/h? HTTP/1.1\r\nHost: x\r\n\r\n',
      'PUT /api/feed?x=1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nT: 1\r\n\r\nGET /api/feed?asPut HTTP/1.1\r\nConnection: close\r\n\r\n',
      'PUT /api/feed?compId=A HTTP/1.0\r\nConnection: keep-alive\r\n\r\n[{"data":1}]',
      'PUT /api/feed?compId=A HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\nContent-Length: 1\r\nSet-Cookie: a\r\n\r\n[',
    ],
    run: compareWays,
  },
  {
    name: 'gzip',
    seeds: [
      gzipSync('[{"compId":"C","streamId":"s","data":1}]'),
      Buffer.concat([gzipSync('[1,'), gzipSync('2]'), Buffer.from('\0\0')]),
      gzipSync(Buffer.alloc(100_000)),
    ],
    run: (bytes) => compareGzip(bytes, inflated(bytes)),
  },
  textTarget(
    'feed-url',
    [
      'compId=Boiler&temp=20.1,20.4&freq=60000&time=1767225600000',
      'compId=C&a=1;2&delim=%3B&time=5&rsid=a&retUnit&folder=/Components/x&asPut',
      'compId=C&t=null,,-1e5,0x1&sd=1&ed=2&derMaxS=4',
    ],
    (text) => batchFromUrl(parseQuery(text), nowMs),
  ),
  {
    name: 'feed-json',
    seeds: [
      '[{"compId":"C","streamId":"s","data":1.5e3,"time":5},{"compId":"C","streamId":"t","data":"a\\u0041\\n","time":"6"}]',
      '\ufeff[{"streamId":"s","time":null,"data":-0,"x":true,"compId":null},{"streamId":"t","streamId":"s","data":"5","time":7}]\n\0',
      '{"feed":{"component":[{"componentId":"C","time":[1,2],"stream":[{"streamId":"s","data":[9007199254740993,null]}]}]}}',
    ],
    run: (bytes) => {
      orRefuses(() => parseJson(bytes))
      const generally = asUnusual(bytes)
      for (const query of ['', 'compId=Q'].map(parseQuery)) {
        const read = orRefuses(() => batchFromJson(bytes, query, nowMs))
        if (generally)
          assert.deepEqual(
            read,
            orRefuses(() => batchFromJson(generally, query, nowMs)),
          )
      }
    },
  },
  {
    name: 'mqtt',
    seeds: [
      Buffer.from('101a00044d5154540582003c05110000000a000000086b65796b65796b65', 'hex'),
      Buffer.from('320f0005432f6c6f6e67000100312e3565', 'hex'),
      // 3.1.1: a CONNECT with a will, a user and a password, and uploads without properties.
      Buffer.from('102100044d51545404c6003c0004636964320004432f6c7700013100017500036b6579', 'hex'),
      Buffer.from('320d0005432f6c6f6e000131322e35300c0003432f787b2261223a317d', 'hex'),
      Buffer.from('c000620200013209000143000100613d318203000161a20300016100e000', 'hex'),
      Buffer.concat([Buffer.from('321d0003432f780001007b2264617461223a', 'hex'), Buffer.from('[1,"x"],"time":5}')]),
    ],
    run: (bytes) => {
      for (const version of [5, 4, 3] as const) inPieces(bytes, packetsOf(version))
    },
  },
  textTarget('mqtt-topic', ['Boiler/temp', 'C/s/t|[{"data":1}]', 'C%2Fx/s|{"data":[1,null],"time":[1,2]}'], (text) => {
    const [topic = '', ...payload] = text.split('|')
    uploadFrom(topic, Buffer.from(payload.join('|')))
  }),
  {
    name: 'multipart',
    seeds: [
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a\\"b.txt"\r\nContent-Type: text/plain\r\n\r\ncontent\r\n-\r\n--b  \r\nContent-Disposition: form-data; name=x\r\n\r\n\r\n--b--\r\n',
    ],
    run: async (bytes) => {
      orRefuses(() => boundaryOf(`multipart/form-data; ${bytes.toString('latin1')}`))
      const whole = await partsOf(cut(bytes, 0), 'b')
      for (const size of [1, 3, 7]) assert.deepEqual(await partsOf(cut(bytes, size), 'b'), whole)
    },
  },
  {
    name: 'csv',
    seeds: [
      'C,s,1767225600000,20.1\r\n"C ""x""",s,2026-01-01T00:00:00+01:00,"a\r\nb"\n\n,,,\n',
      'C,s,5,\'=1+1\r\nC,s,5,"\'"\n"',
    ],
    run: (bytes) => {
      inPieces(bytes, rowsOf(true))
      const text = bytes.toString()
      const cell = csvText(text)
      const inner = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
      assert.equal(textOfCell(inner), text)
    },
  },
  {
    name: 'ndjson',
    seeds: ['{"compId":"C","streamId":"s","time":1767225600000,"data":9007199254740993}\n{"COMPID":"C"}\r\n\n[]\n{'],
    run: (bytes) => inPieces(bytes, rowsOf(false)),
  },
  textTarget(
    'gs-sql',
    [
      "WITH t AS (SELECT cid, time, sample(Range(sd=-7d, ed=now), cycleId='day', stat='avg') AS m FROM Stream WHERE id LIKE 'te%') SELECT t.cid, Round(Avg(m), 1) FROM t GROUP BY cid HAVING Count(*) > 1 ORDER BY 2 DESC LIMIT 5",
      "SET @a = 1; INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) SELECT 'C', 's', TOEPOCHMILLIS(t, 'yyyy-MM-dd'), v FROM JSON_TABLE(@HTTP_BODY) WITH (t STRING '$.list[*].t', v DOUBLE '$.list[*].v')",
      "SELECT CASE WHEN a IS NULL THEN -1 ELSE a % 2 END, Cast('1' AS LONG) FROM CSV_TABLE('1,2', FALSE, ',') WITH (1 a LONG) UNION ALL SELECT 1, 2 -- x",
    ],
    (text) => compileScript(text, 65_536),
  ),
  textTarget('date-pattern', ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "EEE, d MMM yyyy [h:mm a] ''z''"], (text) => {
    writePattern(text, at)
    readPattern(text, at)
  }),
  textTarget('json-path', ['$.list[*].a', "$..a['b c'][0,2][-1:]", '$.a[?(@.b > 1 && @.c == "x")].d'], (text) => {
    let values: readonly Json[] = [{ list: [{ a: 1 }, { a: [2, { b: 'x' }] }], a: null }]
    for (const step of parseJsonPath(text, at))
      values = values
        .flatMap((value) => (isIterating(step) ? Array.from(iterate(value, step)) : [valueAt(value, [step])]))
        .filter((value) => value !== undefined)
        .slice(0, 100)
  }),
  textTarget('csv-table', ['a;b\r\n1;"x ""y"""\n\n;2026-01-01\n', '"a\r\nb";1e5;\n'], (text) => {
    const columns = (['STRING', 'DOUBLE', 'ANY'] as const).map((type, n) => ({ at, name: type, type, position: n + 1 }))
    for (const header of [true, false])
      atOnce(csvTable(text, columns.slice(header ? 0 : 2), { header, delimiter: ';' }, at, scriptMemory()))
  }),
  textTarget(
    'json-table',
    ['{"list":[{"a":1,"b":["x",null]},{"a":9007199254740993}]}', '[[1],[],{"a":{}}]'],
    (text) => {
      const columns = ['$.list[*].a', '$.list[*].b[*]', '$[*]', '$..a'].map((path, n) => ({
        at,
        name: `c${n}`,
        type: 'STRING' as const,
        path: parseJsonPath(path, at),
      }))
      const memory = scriptMemory()
      atOnce(rowsOfJson(atOnce(readJsonText(text, at, memory)), columns, at, memory))
    },
  ),
  textTarget('regular-expression', ['^(a|b)*c{2,3}[^x-z\\d]+?$', '(?<n>\\w+)\\s\\u0041(?:x|)'], (text) =>
    parseRegularExpression(text, at),
  ),
  textTarget('cron', ['*/5 0-6 1,15 * MON-FRI', '0 3 29 2 *', '@hourly'], (text) =>
    nextRunMs(schedule('schedule', text), 'Europe/Berlin', nowMs),
  ),
  {
    name: 'events',
    seeds: ['retry: 1000\n\ndata: {"compId":"C"}\nid: 1:1:\n\n', ': x\r\nevent:end\r\ndata: a\rdata\r\r\n'],
    run: (bytes) =>
      inPieces(bytes, (pieces) => {
        const parser = openEventParser()
        return pieces.flatMap((piece) => parser.read(piece)).concat({ type: '', data: '', id: parser.lastId() })
      }),
  },
  textTarget('position', ['812:815:812,813:pRgk2Vn0', '1:1::'], positionFromEventId),
  ...headerTargets,
]
