// Tiles that are tables, which are filled stream by stream: all of the Apache edition, and in both those that not all streams have.
import { planForTimes, remake } from './tile-mend.ts'
import type { TableOf } from './tile-mend.ts'
import { mainPhase } from './tile.ts'
import { inTurn, setReady, timed } from './tile-state.ts'
import type { TileEdition } from './tile-state.ts'

const tableOf: TableOf = (_, name) => Promise.resolve(name)

const fillTables: TileEdition['fill'] = async (pool, state, pace) => {
  const { phase, readyUntilMs, nextStream, pieceUntilMs: untilMs } = state
  await timed(
    () =>
      inTurn(pool, async (sql) => {
        const isAsRead = await sql`
          select from rollup_phase
          where minutes = ${phase.minutes} and ready_until = ${readyUntilMs} and next_stream = ${nextStream}
            and coalesce(piece_until, ${untilMs}) = ${untilMs}`
        if (isAsRead.length === 0) return
        await planForTimes(sql)
        const streams =
          phase === mainPhase
            ? await sql<{ key: number }[]>`
                select key from stream where key >= ${nextStream} and kind <> 'point' order by key limit ${pace.streams}`
            : await sql<{ key: number }[]>`
                select stream_key as key
                from tile_stream
                where stream_key >= ${nextStream} and kind <> 'point' and ${phase.minutes} = any(minutes)
                order by key
                limit ${pace.streams}`
        const keys = streams.map(({ key }) => key)
        await remake(sql, tableOf, phase, keys, [readyUntilMs, untilMs], untilMs)
        if (keys.length < pace.streams) await setReady(sql, state, untilMs)
        else
          await sql`
            update rollup_phase
            set piece_until = ${untilMs}, next_stream = ${keys.at(-1)! + 1}
            where minutes = ${phase.minutes}`
      }),
    (factor) => (pace.streams = Math.min(5_000, Math.max(1, Math.floor(pace.streams * factor)))),
  )
}

export const tileTables: TileEdition = {
  // Rows of an hour are a sixtieth of the samples of minutes.
  chunks: { hour: '364 days', day: '3640 days' },
  make: async (sql, name, select, chunk) => {
    await sql.unsafe(`create table ${name} as ${select} with no data`)
    await sql.unsafe(`alter table ${name} add primary key (stream_key, bucket)`)
    await sql.unsafe(
      `select create_hypertable('${name}', by_range('bucket', interval '${chunk}'), create_default_indexes => false)`,
    )
  },
  drop: (sql, name) => sql.unsafe(`drop table ${name}`),
  tableOf,
  fill: fillTables,
}
