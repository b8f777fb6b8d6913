import assert from 'node:assert/strict'
import { parseQuery } from '../../src/base/http/query-string.ts'
import { batchFromUrl } from '../../src/feed/put-url.ts'

const uploadMs = 1_700_000_000_000
const batch = (raw: string) => batchFromUrl(parseQuery(raw), uploadMs)

/** [stream or #position, value, time from the upload on] of each sample. */
const samplesOf = (raw: string) => {
  const { streamRefs, values, timesMs } = batch(raw).samples
  return streamRefs.map((ref, n) => [
    typeof ref === 'object' && 'position' in ref ? `#${ref.position}` : ref,
    values[n],
    timesMs[n]! - uploadMs,
  ])
}

describe('feed/put-url', () => {
  const refused: readonly [raw: string, message: string][] = [
    [
      '',
      'compId is missing; no data: give data, a parameter named by a stream ID, or a JSON body with its Content-Length',
    ],
    ['a=1', 'compId is missing'],
    ['compId=&a=1', 'compId must not be empty'],
    ['compId=C', 'no data: give data, a parameter named by a stream ID, or a JSON body with its Content-Length'],
    ['compId=C&rsid=a', 'no data: give data, a parameter named by a stream ID, or a JSON body with its Content-Length'],
    [
      'compId=C&api_key=K&org=O&session=S&access_token=T&asPut',
      'no data: give data, a parameter named by a stream ID, or a JSON body with its Content-Length',
    ],
    ['compId=C&compid=D&a=1', 'compId is given more than once'],
    ['compId=C&time=1&time=2&a=1', 'time is given more than once'],
    ['compId=C&timeel=1&timeEl=2&a=1', 'timeEl is given more than once'],
    ['compId=C&freq=1&freq=2&a=1', 'freq is given more than once'],
    ['compId=C&delim=;&delim=,&a=1', 'delim is given more than once'],
    ['compId=C%00&a=1', 'compId has a character that cannot be stored'],
    ['compId=C%0A&a=1', 'compId has a control character'],
    [`compId=${'x'.repeat(513)}&a=1`, 'compId must have at most 512 characters'],
    ['compId=C&a%00=1', 'stream ID has a character that cannot be stored'],
    ['compId=C&a%1F=1', 'stream ID has a control character'],
    [`compId=C&${'x'.repeat(513)}=1`, 'stream ID must have at most 512 characters'],
    ['compId=C&a=1&a=2', "stream 'a' is given twice"],
    ['compId=C&a=1,2', "2 values for 'a' need time, timeEl or freq"],
    ['compId=C&data=1,2', "2 values for 'data 1' need time, timeEl or freq"],
    ['compId=C&a=1,2&b=1&time=1,2', "1 values for 'b' but 2 in time"],
    ['compId=C&time=1&freq=1&a=1', 'time and freq exclude each other'],
    ['compId=C&delim=&a=1', 'delim must have 1 to 8 characters'],
    ['compId=C&delim=123456789&a=1', 'delim must have 1 to 8 characters'],
    ['compId=C&a=1&rsid=', 'rsid must not be empty'],
    ['compId=C&a=1&rsid=%00', 'rsid has a character that cannot be stored'],
    ['compId=C&a=1&dtId=T', 'dtId and dsId go together'],
    ['compId=C&a=1&dsId=S', 'dtId and dsId go together'],
    ['compId=C&a=1&dtId=T&dsId=', 'dtId and dsId go together'],
    ['compId=C&a=1&dtId=%00&dsId=S', 'dtId has a character that cannot be stored'],
    ['compId=C&a=1&compTmplId=%00', 'compTmplId has a character that cannot be stored'],
    ['compId=C&a=1&compName=%07', 'compName has a control character'],
    ['compId=C&a=1&folder=', 'folder must not be empty'],
    ['compId=C&a=1&folder=/Elsewhere', "folder must be /Components or below it, not '/Elsewhere'"],
    ['compId=C&a=1&folder=Components', "folder must be /Components or below it, not 'Components'"],
    ['compId=C&a=1&folder=/ComponentsX', "folder must be /Components or below it, not '/ComponentsX'"],
    ['compId=C&a=1&folder=/Components//x', "folder '/Components//x' has an empty part or a control character"],
    ['compId=C&a=1&derMaxS=-1', 'derMaxS must be at least 0, not -1'],
    ['compId=C&a=1&derMaxS=x', "derMaxS must be an integer, not 'x'"],
    ['compId=C&a=1&derTout=1.5', "derTout must be an integer, not '1.5'"],
  ]
  for (const [raw, message] of refused)
    it(`refuses ${raw.slice(0, 70)}: ${message}`, () => assert.throws(() => batch(raw), { status: 400, message }))

  const samples: readonly [raw: string, samples: unknown[]][] = [
    ['compId=C&temp=21.50', [['temp', '21.50', 0]]],
    [
      '&compID=C&a=1&b=2&',
      [
        ['a', '1', 0],
        ['b', '2', 0],
      ],
    ],
    [
      'compId=C&Temp=1&temp=2',
      [
        ['Temp', '1', 0],
        ['temp', '2', 0],
      ],
    ],
    [
      'compId=C&data=1&data=2',
      [
        ['#1', '1', 0],
        ['#2', '2', 0],
      ],
    ],
    [
      'compId=C&data=1&a=5&DATA=2',
      [
        ['#1', '1', 0],
        ['a', '5', 0],
        ['#2', '2', 0],
      ],
    ],
    [
      'compId=C&a=1,,3&freq=10',
      [
        ['a', '1', -20],
        ['a', null, -10],
        ['a', '3', 0],
      ],
    ],
    ['compId=C&a=', [['a', null, 0]]],
    ['compId=C&a', [['a', null, 0]]],
    [
      'compId=C&a=1%2C2&timeEl=5,0',
      [
        ['a', '1', -5],
        ['a', '2', 0],
      ],
    ],
    [
      'compId=C&a=1;2&delim=;&timeEl=5;0',
      [
        ['a', '1', -5],
        ['a', '2', 0],
      ],
    ],
    [
      'compId=C&a=1,5%7C%7C2&delim=%7C%7C&freq=1',
      [
        ['a', '1,5', -1],
        ['a', '2', 0],
      ],
    ],
    [
      'compId=C&a=1+2&delim=+&freq=1',
      [
        ['a', '1', -1],
        ['a', '2', 0],
      ],
    ],
    [
      'compId=C&a=1%F0%9F%98%802&delim=%F0%9F%98%80&freq=1',
      [
        ['a', '1', -1],
        ['a', '2', 0],
      ],
    ],
    [
      'compId=C&__proto__=1&constructor=2',
      [
        ['__proto__', '1', 0],
        ['constructor', '2', 0],
      ],
    ],
    ['compId=C&a=%01', [['a', '\u0001', 0]]],
  ]
  for (const [raw, expected] of samples) it(`reads ${raw}`, () => assert.deepEqual(samplesOf(raw), expected))

  it('takes every parameter of the URL form, in any case, for none of a stream', () => {
    const raw =
      'compId=C&compTmplId=T&compName=N&timeEl=0&data=1&rsid=r&delim=,&folder=/Components&dtId=d&dsId=s&asPut&' +
      'autofillGapsWithNulls&derMaxS&derTout&api_key=K&org=O&session=S&access_token=A'
    for (const spelled of [
      raw,
      raw.toUpperCase().replace('/COMPONENTS', '/Components'),
      raw.toLowerCase().replace('/components', '/Components'),
    ])
      assert.deepEqual(samplesOf(spelled), [['#1', '1', 0]])
  })

  it('gives the parts of a new component', () => {
    const { components, creation } = batch('compId=C&compTmplId=T&compName=N&folder=/Components/x/&dtId=d&dsId=s&a=1')
    assert.deepEqual(components, [{ ref: 'C', name: 'N', templateId: 'T' }])
    assert.deepEqual(creation, { folderPath: '/Components/x', streamTemplate: { templateId: 'd', streamId: 's' } })
  })

  it('takes empty compTmplId, compName, dtId and dsId for none', () => {
    const { components, creation } = batch('compId=C&compTmplId=&compName=&dtId=&dsId=&a=1')
    assert.deepEqual(components, [{ ref: 'C', name: undefined, templateId: undefined }])
    assert.deepEqual(creation, { folderPath: '/Components', streamTemplate: undefined })
  })

  it('lists each requested stream once', () => {
    assert.deepEqual(batch('compId=C&a=1&rsid=x&rsid=y&RSID=x').wantedStreamIds, ['x', 'y'])
  })

  it('fills gaps unless autofillGapsWithNulls is false', () => {
    const fills = ['', '&autofillGapsWithNulls', '&autofillGapsWithNulls=true', '&autofillGapsWithNulls=FALSE']
    assert.deepEqual(
      fills.map((more) => batch(`compId=C&a=1${more}`).fillsGaps),
      [true, true, true, false],
    )
  })

  const derivations: readonly [more: string, mostStreams: number, timeoutMs: number][] = [
    ['', 0, 0],
    ['&derMaxS&derTout', 20, 15_000],
    ['&derMaxS=&derTout=', 20, 15_000],
    ['&derMaxS=0&derTout=0', 0, 0],
    ['&derMaxS=5&derTout=250', 5, 250],
    ['&derMaxS=21&derTout=15001', 20, 15_000],
  ]
  for (const [more, mostStreams, timeoutMs] of derivations)
    it(`derives ${mostStreams} streams in ${timeoutMs} ms with '${more}'`, () =>
      assert.deepEqual(batch(`compId=C&a=1${more}`).derivation, { mostStreams, timeoutMs }))
})
