// Samples in and out: put, get, stat.
import type { NewSample, Reading, Sample, Statistic } from '../../client/client.ts'
import type { Command, Option } from '../command.ts'
import { exit } from '../command.ts'
import type { Context } from '../context.ts'
import type { Given } from '../given.ts'
import { isGiven, textOf, UsageError, wholeNumberOf } from '../given.ts'
import { linesOf } from '../lines.ts'
import { openProgress } from '../progress.ts'
import { formOf, formOptions, printRows } from '../table.ts'
import { readTime, showTime, timeAbout } from '../time.ts'

const windowOptions: Readonly<Record<string, Option>> = {
  from: { type: 'string', value: 'TIME', about: `from here on: ${timeAbout}` },
  to: { type: 'string', value: 'TIME', about: 'before this; now unless given' },
  limit: {
    type: 'string',
    short: 'n',
    value: 'N',
    about: 'at most so many, the latest; 100 unless --from or --all is given',
  },
  all: { type: 'boolean', about: 'all of them' },
  unit: { type: 'boolean', short: 'u', about: 'values by the format of their unit' },
  ...formOptions,
}

export const put: Command = {
  name: 'put',
  summary: 'store samples',
  usage: 'COMPONENT STREAM=VALUE… | < samples.ndjson',
  details:
    'Missing components and streams are made. Without arguments it reads lines of JSON from the input, {"compId","streamId","time","data"} each,\n' +
    'however many, and sends them together. It is done when all are stored.',
  examples: [
    'coppice put Boiler temp=20.5 mode=heating',
    'coppice put Boiler temp=19.8 --time 2026-01-31T08:00Z',
    'coppice put Meter kWh=1204 --folder /Components/North',
    'coppice put < samples.ndjson',
  ],
  options: {
    time: { type: 'string', short: 't', value: 'TIME', about: `of the samples; now unless given: ${timeAbout}` },
    folder: { type: 'string', value: 'FOLDER', about: 'of a component that is made' },
    template: { type: 'string', value: 'ID', about: 'the template of a component that is made' },
  },
  run: async (context, given) => {
    const client = await context.client(given)
    const query = { folder: textOf(given, 'folder'), compTmplId: textOf(given, 'template') }
    const [compId, ...pairs] = given.positionals
    if (compId === undefined) {
      if (context.isInputTerminal) throw new UsageError('which component?')
      return putLines(context, client.upload({ query, signal: context.signal }))
    }
    if (pairs.length === 0) throw new UsageError('which values? STREAM=VALUE')
    const text = textOf(given, 'time')
    const time = text === undefined ? undefined : readTime(text, context.now())
    const samples = pairs.map((pair) => sampleOf(compId, pair, time))
    await client.put(samples, query, { signal: context.signal })
    return exit.done
  },
}

/** A value that is a number makes a new stream one of numbers, also as a text (docs/feeds.md#upload-as-json). */
const sampleOf = (compId: string, pair: string, time: number | undefined): NewSample => {
  const mark = pair.indexOf('=')
  if (mark < 1) throw new UsageError(`'${pair}' is not STREAM=VALUE`)
  return { compId, streamId: pair.slice(0, mark), data: pair.slice(mark + 1), ...(time === undefined ? {} : { time }) }
}

const putLines = async (context: Context, upload: ReturnType<Awaited<ReturnType<Context['client']>>['upload']>) => {
  const bar = openProgress(context, 'samples')
  let number = 0
  try {
    for await (const line of linesOf(context.input())) {
      number++
      if (line.trim() === '') continue
      await upload.add(readSample(line, number))
      bar.set(upload.stored())
    }
    await upload.close()
  } finally {
    bar.end()
    await context.err(`${upload.stored()} samples stored\n`)
  }
  return exit.done
}

const readSample = (line: string, number: number): NewSample => {
  let sample: unknown
  try {
    sample = JSON.parse(line)
  } catch {
    throw new UsageError(`line ${number} is no JSON`)
  }
  if (typeof sample !== 'object' || sample === null || !('streamId' in sample) || !('data' in sample))
    throw new UsageError(`line ${number} needs compId, streamId and data`)
  return sample as NewSample
}

export const get: Command = {
  name: 'get',
  summary: 'read samples, latest first, or last values',
  usage: 'COMPONENT [STREAM]',
  examples: [
    'coppice get Boiler',
    'coppice get Boiler temp --from 2026-01-01 --csv',
    'coppice get Boiler temp --limit 1 --unit --json',
    'coppice get Boiler --last',
  ],
  options: { ...windowOptions, last: { type: 'boolean', short: 'l', about: 'only the last value of each stream' } },
  run: async (context, given) => {
    const client = await context.client(given)
    const [compId, stream] = given.positionals
    if (compId === undefined) throw new UsageError('which component?')
    const reading = readingOf(context, given, stream)
    if (!isGiven(given, 'last')) return printSamples(context, given, client.samples(compId, reading))
    return printSamples(context, given, await client.lastValues(compId, { ...reading, limit: undefined }))
  },
}

export const stat: Command = {
  name: 'stat',
  summary: 'read a statistic by the intervals of a cycle, latest first',
  usage: 'COMPONENT [STREAM] [--cycle day] [--statistic avg]',
  details:
    'Statistics: first, last, min, max, avg, sum, minoccurrence, maxoccurrence, gapcount, nongapcount, intvlcount, milliseccount, nongapmilliseccount.\n' +
    'The time of an interval is its end.',
  examples: ['coppice stat Boiler temp --cycle hour --statistic max', 'coppice stat Boiler --cycle month --all --json'],
  options: {
    cycle: {
      type: 'string',
      short: 'c',
      value: 'CYCLE',
      about: 'hour, day, week, month … or one of your own; day unless given',
    },
    statistic: { type: 'string', short: 'S', value: 'STATISTIC', about: 'avg unless given' },
    ...windowOptions,
  },
  run: async (context, given) => {
    const client = await context.client(given)
    const [compId, stream] = given.positionals
    if (compId === undefined) throw new UsageError('which component?')
    const rows = client.statistics(compId, {
      ...readingOf(context, given, stream),
      retIntvlSd: true,
      cycle: textOf(given, 'cycle') ?? 'day',
      statistic: (textOf(given, 'statistic') ?? 'avg') as Statistic,
    })
    return printSamples(context, given, rows, true)
  },
}

const readingOf = ({ now, signal }: Context, given: Given, stream: string | undefined): Reading => {
  const [from, to] = [textOf(given, 'from'), textOf(given, 'to')].map((text) =>
    text === undefined ? undefined : readTime(text, now()),
  )
  const limit = wholeNumberOf(given, 'limit')
  return {
    stream,
    signal,
    retStreamId: true,
    ...(isGiven(given, 'unit') ? { retFData: true, retUnit: true } : {}),
    ...(from === undefined ? {} : { sd: from, ed: to ?? now() + 1 }),
    ...(from === undefined && to !== undefined ? { ed: to } : {}),
    limit: limit ?? (from === undefined && !isGiven(given, 'all') ? 100 : undefined),
  }
}

const printSamples = async (
  context: Context,
  given: Given,
  samples: Iterable<Sample> | AsyncIterable<Sample>,
  hasStart = false,
): Promise<number> => {
  const form = formOf(given)
  const isFormatted = isGiven(given, 'unit')
  const shown = async function* () {
    for await (const sample of samples) {
      if (form === 'json') yield sample
      else
        yield {
          stream: sample.streamId,
          ...(hasStart ? { start: showTime(sample.sdTime!) } : {}),
          time: showTime(sample.time),
          value: isFormatted ? sample.fData : sample.data,
        }
    }
  }
  await printRows(context, ['stream', ...(hasStart ? ['start'] : []), 'time', 'value'], shown(), form)
  return exit.done
}
