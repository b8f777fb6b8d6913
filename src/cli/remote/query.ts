// GS SQL from the shell: the rows as a table, CSV or JSON.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { exit } from '../command.ts'
import { isGiven, textOf, UsageError } from '../given.ts'
import { textFrom } from '../lines.ts'
import { formOf, formOptions, printRows } from '../table.ts'

export const query: Command = {
  name: 'query',
  summary: 'run a GS SQL script',
  usage: 'SCRIPT | --file FILE | < script.sql',
  details: 'Scripts that write need --write, so that nothing is changed by a slip.',
  examples: [
    'coppice query "SELECT cid, id, lastValue FROM Stream"',
    'coppice query --file script.sql --csv',
    `coppice query --write "INSERT INTO SAMPLE(CID, ID, TIME, SAMPLE) VALUES ('Pump', 'rpm', 1772341200000, 100)"`,
  ],
  options: {
    file: { type: 'string', short: 'f', value: 'FILE', about: 'the script' },
    tz: {
      type: 'string',
      value: 'ZONE',
      about: "its time zone, such as Europe/Berlin; the organization's unless given",
    },
    write: { type: 'boolean', about: 'the script may write' },
    ...formOptions,
  },
  run: async (context, given) => {
    const file = textOf(given, 'file')
    const [typed] = given.positionals
    if (typed === undefined && file === undefined && context.isInputTerminal) throw new UsageError('which script?')
    const script =
      typed ??
      (file === undefined ? await textFrom(context.input()) : await readFile(resolve(context.directory, file), 'utf8'))
    const client = await context.client(given)
    const options = { timeZone: textOf(given, 'tz'), signal: context.signal }
    const result = await (isGiven(given, 'write') ? client.run(script, options) : client.query(script, options))
    const { cols, rows, inserted, updated, deleted } = result
    const names = uniqueNames(cols.map(({ name }) => name))
    const shown = rows.map((row) => Object.fromEntries(names.map((name, n) => [name, row[n]])))
    if (names.length > 0) await printRows(context, names, shown, formOf(given))
    const changes = { inserted, updated, deleted }
    const said = Object.entries(changes).flatMap(([word, count]) => (count ? [`${count} ${word}`] : []))
    if (isGiven(given, 'write')) await context.err(`${said.join(', ') || 'nothing changed'}\n`)
    return exit.done
  },
}

/** Two columns of one name are told apart. */
const uniqueNames = (names: readonly string[]): readonly string[] =>
  names.map((name, n) => {
    const earlier = names.slice(0, n).filter((one) => one === name).length
    return earlier === 0 ? name : `${name}_${earlier + 1}`
  })
