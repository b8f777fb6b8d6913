// Bodies in the charsets that senders use. The bytes are those of Python's codecs.
import assert from 'node:assert/strict'
import { charsetText } from '../../src/connector/charset.ts'

const textOf = async (hex: string, charset: string) =>
  charsetText(Buffer.from(hex.replaceAll(' ', ''), 'hex'), `text/plain; charset=${charset}`)

describe('connector/charset', () => {
  const known: readonly [charset: string, hex: string, text: string][] = [
    ['utf-8', 'e282ac 32 31 2c35 20 c2b0 43', '€21,5 °C'],
    ['windows-1252', '80 32312c35 20 b0 43', '€21,5 °C'],
    ['windows-1252', '82 83 84 85 86 87 88 89 8a 8b 8c 8e', '‚ƒ„…†‡ˆ‰Š‹ŒŽ'],
    ['windows-1252', '91 92 93 94 95 96 97 98 99 9a 9b 9c 9e 9f', '‘’“”•–—˜™š›œžŸ'],
    ['Windows-1252', 'fc e4 f6 df ff a4', 'üäößÿ¤'],
    ['cp1252', '80', '€'],
    ['iso-8859-1', 'b5 6d b2 80', 'µm²€'],
    ['latin1', 'e9', 'é'],
    ['us-ascii', '41', 'A'],
    ['iso-8859-15', 'a4 a6 bd', '€Šœ'],
    ['iso-8859-2', 'b1 e8 f8', 'ąčř'],
    ['iso-8859-5', 'e2 d5 dc', 'тем'],
    ['iso-8859-7', 'e8 e5 f1', 'θερ'],
    ['windows-1250', '80 9d ec', '€ťě'],
    ['windows-1251', '88 f2 e5 ec', '€тем'],
    ['windows-1253', '80 e8', '€θ'],
    ['windows-1254', '80 f0 fe', '€ğş'],
    ['koi8-r', 'd4 c5 cd d0', 'темп'],
    ['koi8-u', 'a4 a6', 'єі'],
    ['macintosh', '8e db', 'é€'],
    ['ibm866', 'e2 a5 ac', 'тем'],
    ['utf-16le', 'ac20 e900 3dd8 00de', '€é😀'],
    ['utf-16be', '20ac 00e9 d83d de00', '€é😀'],
    ['shift_jis', '93fa967b8cea8365835883678142b6c5', '日本語テスト。ｶﾅ'],
    ['euc-jp', 'c6fccbdcb8eca5c6a5b9a5c8', '日本語テスト'],
    ['iso-2022-jp', '1b244232394559244f467c4b5c386c1b2842', '温度は日本語'],
    ['euc-kr', 'bfc2b5b520bcb7bebe', '온도 섭씨'],
    ['gbk', 'cec2b6c8c9e3cacf', '温度摄氏'],
    ['gb18030', 'cec2b6c8a2e395328236', '温度€𠀀'],
    ['big5', 'b7c5abd7c4e1a4f3', '溫度攝氏'],
  ]
  for (const [charset, hex, text] of known)
    it(`reads ${hex} in ${charset} as ${text}`, async () => assert.equal(await textOf(hex, charset), text))

  it('reads UTF-8 without a charset, in any spelling and in quotes', async () => {
    for (const type of [undefined, 'text/plain', 'text/plain; charset=UTF-8', 'text/plain;charset="utf-8"'])
      assert.equal(await charsetText(Buffer.from('21 °C'), type), '21 °C')
  })

  it('refuses a charset that nobody knows, before any byte is looked at', async () => {
    for (const charset of ['klingon', 'utf-7', 'replacement', '\u00ff', 'x'.repeat(1000)])
      await assert.rejects(textOf('ff', charset), { code: 'unsupported_media_type', status: 415 })
  })

  it('refuses bytes that are not of the charset, and a NUL in any', async () => {
    for (const [charset, hex] of [
      ['utf-8', 'ff'],
      ['utf-8', 'e282'],
      ['shift_jis', '93'],
      ['gb18030', 'ff'],
      ['utf-16le', '3dd8'],
      ['utf-16be', '00'],
    ] as const)
      await assert.rejects(textOf(hex, charset), { code: 'bad_request', message: `the body is not ${charset}` }, hex)
    for (const [charset, hex] of [
      ['utf-8', '00'],
      ['windows-1252', '8000'],
      ['utf-16le', '0000'],
    ] as const)
      await assert.rejects(textOf(hex, charset), { message: 'the body has a NUL character' }, charset)
  })

  const large: readonly [charset: string, unit: string, text: string][] = [
    ['utf-8', 'e282ac', '€'],
    ['windows-1252', '802c41', '€,A'],
    ['utf-16be', 'd83dde00', '😀'],
    ['gb18030', '95328236cec2 41', '𠀀温A'],
    ['shift_jis', '93fa41', '日A'],
  ]
  for (const [charset, unit, text] of large)
    it(`reads megabytes of ${charset} whole, a piece at a time, while others have their turn`, async () => {
      let turns = 0
      const count = setInterval(() => (turns += 1), 0)
      const bytes = Buffer.from(unit.replaceAll(' ', ''), 'hex')
      const times = Math.floor((4 * 1024 * 1024) / bytes.length)
      const read = await charsetText(Buffer.alloc(times * bytes.length, bytes), `text/plain; charset=${charset}`)
      clearInterval(count)
      assert.ok(read === text.repeat(times))
      assert.ok(turns > 1, `${turns} turns`)
    })
})
