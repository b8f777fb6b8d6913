// Messages of assistants (docs/assistants.md) of megabytes, and pages that take forms.
import { head } from './fill.ts'
import { jsonType } from './target.ts'
import type { Hostile, Target } from './target.ts'

const message = (body: string) => (to: Target) => to.ask('POST', `/api/mcp?${to.key}`, body, jsonType)
const call = (name: string, given: string) =>
  message(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`)
const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join()}}`
const most = 3_900_000

export const assistants: readonly Hostile[] = [
  { title: 'an id of megabytes', send: message(`{"jsonrpc":"2.0","id":"${'x'.repeat(most)}","method":"tools/list"}`) },
  { title: 'a method of megabytes', send: message(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(most)}"}`) },
  {
    title: 'a message of members',
    send: message(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${members(300_000)}}`),
  },
  { title: 'a batch of messages', send: message(`[${'{"jsonrpc":"2.0","id":1,"method":"ping"},'.repeat(90_000)}{}]`) },
  { title: 'arguments of members', send: call('find_components', members(300_000)) },
  {
    title: 'arguments of nesting',
    send: call('find_components', `{"text":${'['.repeat(900_000)}${']'.repeat(900_000)}}`),
  },
  { title: 'a tool of a long name', send: call('x'.repeat(most), '{}') },
  { title: 'a search of megabytes', send: call('find_streams', `{"text":"${'%_'.repeat(most / 2)}"}`) },
  {
    title: 'samples of nothing',
    send: call('put_samples', `{"samples":[${'{},'.repeat(1_200_000)}{}]}`),
  },
  {
    title: 'a statistic of a long name',
    send: call('read_statistics', `{"component":"C","cycle":"day","statistic":"${'x'.repeat(most)}"}`),
  },
  { title: 'a time of digits', send: call('read_samples', `{"component":"C","start":"-${'1'.repeat(most)}"}`) },
  {
    title: 'a version of the protocol of 60 KB',
    send: (to) =>
      to.ask('POST', `/api/mcp?${to.key}`, '{"jsonrpc":"2.0","id":1,"method":"ping"}', {
        ...jsonType,
        'MCP-Protocol-Version': head('2025-'),
      }),
  },
  { title: 'a form for a new password of &', send: (to) => to.ask('POST', '/alt/reset', '&a'.repeat(30_000)) },
  { title: 'a token of 60 KB for a new password', send: (to) => to.ask('POST', '/alt/reset', `token=${head('x')}`) },
]
