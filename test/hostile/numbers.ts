// Numbers as strangers write them: thousands of digits, none of which anybody needs.
import { long } from './fill.ts'
import type { Hostile } from './target.ts'

const element = (data: string) => `[{"compId":"C","streamId":"long","data":${data},"time":5}]`
const oneAfter = (zeros: number) => `1${'0'.repeat(zeros)}1`

export const numbers: readonly Hostile[] = [
  { title: 'a LONG of 65,000 characters in JSON', send: (to) => to.put('', element(`"${oneAfter(65_000)}"`)) },
  {
    title: 'a LONG of 30,000 characters in the address',
    send: (to) => to.put(`compId=C&long=${oneAfter(30_000)}&time=5`),
  },
  {
    title: 'thousands of LONGs of 1,000 characters',
    send: (to) =>
      to.put('', `[${`${element(`"${oneAfter(1000)}"`).slice(1, -1)},`.repeat(9999)}${element('1').slice(1, -1)}]`),
  },
  { title: 'a DOUBLE of 30,000 digits and no end', send: (to) => to.put(`compId=C&double=${'1'.repeat(30_000)}x`) },
  { title: 'a new stream of 30,000 blanks', send: (to) => to.put(`compId=New&new=${'+'.repeat(30_000)}x`) },
  { title: 'an integer of 15 MB in JSON', send: (to) => to.put('', element(long('9'))) },
  { title: 'a fraction of 15 MB in JSON', send: (to) => to.put('', element(`0.${long('1')}`)) },
  { title: 'a million integers beyond 2^53', send: (to) => to.put('', `[${long('9007199254740993,')}1]`) },
  { title: 'a time of 50,000 digits', send: (to) => to.put(`compId=C&long=1&time=${'1'.repeat(50_000)}`) },
  {
    title: 'a time of megabytes in JSON',
    send: (to) => to.put('', `[{"compId":"C","streamId":"long","data":1,"time":"${long('1')}"}]`),
  },
  { title: 'a limit of 50,000 digits', send: (to) => to.get(`/api/comp/C/feed?limit=${'1'.repeat(50_000)}`) },
  { title: 'a number text of 15 MB in CSV', send: (to) => to.sink('csv', `${long('1')}x`) },
  {
    title: 'number texts of 1,000 characters in CSV',
    send: (to) => to.sink('csv', long(`${oneAfter(1000)},${'1'.repeat(1000)}\n`)),
  },
  { title: 'a number text of 15 MB in JSON of a sink', send: (to) => to.sink('json', `{"a":"${long('1')}x"}`) },
  { title: 'a whole number of 15 MB in JSON of a sink', send: (to) => to.sink('json', `{"a":${long('1')}}`) },
  {
    title: 'whole numbers of 300 digits in JSON of a sink',
    send: (to) => to.sink('rows', `{"list":[${long(`{"b":${'1'.repeat(300)}},`)}{}]}`),
  },
  { title: 'a number text of 15 MB that Postgres reads', send: (to) => to.sink('number', `${long('1')}x`) },
  { title: 'a whole number of 60,000 digits in a script', send: (to) => to.script(`SELECT ${'1'.repeat(60_000)}`) },
  { title: 'a decimal number of 60,000 digits in a script', send: (to) => to.script(`SELECT 0.${'1'.repeat(60_000)}`) },
]
