import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { examplesFor } from '../../src/studio/web/pages/first-examples.ts'
import { curlLine, quoteWord } from '../../src/studio/web/shell.ts'

/** The words that bash makes of a line whose command prints its arguments. */
const wordsOf = (line: string): readonly string[] => {
  const script = `words() { printf '%s\\0' "$@"; }; curl() { words "$@"; }; mosquitto_pub() { words "$@"; }; nc() { words "$@"; }\n${line}`
  const printed = execFileSync('bash', ['--norc', '-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
  })
  return printed.split('\0').slice(0, -1)
}

const hostile = [
  '$(echo ran)',
  '`echo ran`',
  "a'; echo ran; '",
  String.raw`\'; echo ran; \'`,
  '"; echo ran; "',
  'a\necho ran\n!!',
  "\u0003\necho 'ran'\n",
  '\u001B[201~\r\necho ran',
  '\u0085\\u0041\\x41',
  '${IFS}~*?;|&<>#!x',
]

describe('a line to copy into a shell', () => {
  it('has a word for any text, and leaves nothing of it to the shell', () => {
    for (const text of hostile) assert.deepEqual(wordsOf(`words ${quoteWord(text)}`), [text])
  })

  it('sends no control character to the terminal that it is pasted into', () => {
    assert.equal(quoteWord("\u0003it's\n\u0085!"), String.raw`$'\x03it\x27s\n\u0085\x21'`)
  })

  it('calls a connector again with the query and the body that a stranger sent', () => {
    const url = 'http://localhost/api/conn_sink/hook'
    for (const text of hostile)
      assert.deepEqual(wordsOf(curlLine(url, `ref=${text}`, 'PUT', text)), [
        '-g',
        '-X',
        'PUT',
        `${url}?ref=${text}&api_key=KEY`,
        '--data-raw',
        text,
      ])
    assert.equal(curlLine(url, '', 'GET', ''), `curl -g '${url}?api_key=KEY'`)
    assert.equal(curlLine(url, '', 'POST', '@file'), `curl -g '${url}?api_key=KEY' --data-raw '@file'`)
  })

  it('sends a first sample to the host of the page, whatever its name', () => {
    const url = 'http://$(ran).example.org'
    const lines = Object.fromEntries(examplesFor(url, 'a-Key_1', 1883).map(({ title, code }) => [title, code]))
    assert.deepEqual(wordsOf(lines['curl']!).at(-1), `${url}/api/feed?compId=Boiler&temp=20.1&api_key=a-Key_1`)
    assert.deepEqual(wordsOf(lines['MQTT']!).slice(0, 2), ['-h', '$(ran).example.org'])
    assert.deepEqual(wordsOf(lines['netcat']!), ['$(ran).example.org', '80'])
  })
})
