// One dashboard: looked at, arranged, or on a wall.
import { useEffect, useState } from 'preact/hooks'
import { Arranging, arrangedOf } from '../dashboard/arranging.tsx'
import { Grid } from '../dashboard/grid.tsx'
import { TileContent } from '../dashboard/parts.tsx'
import type { FoundStream, Streams } from '../dashboard/streams.ts'
import { isFound, loadStreams, titleOf } from '../dashboard/streams.ts'
import type { Dashboard, Placed, Tile } from '../dashboard/tile.ts'
import { placedOf } from '../dashboard/tile.ts'
import { enterWall, isWall, leaveWall, useWall } from '../dashboard/wall.ts'
import { liveOf, useLive } from '../live.ts'
import type { Live } from '../live.ts'
import { problemOf, useLoad } from '../load.ts'
import { place, replaceQuery } from '../router.ts'
import { client, hasRole, organization } from '../session.ts'
import { texts } from '../texts.ts'
import { Notice, Page, ShownPage, Spinner } from '../ui/parts.tsx'

const words = texts.dashboards

/** A wall shows what somebody else has changed. */
const lookAgainMs = 30_000

const DashboardPage = () => {
  const uid = place.value.path[1] ?? ''
  const loaded = useLoad(`dashboard ${uid}`, (calls) => calls.entities('dashboard').show(uid), lookAgainMs)
  const [saved, setSaved] = useState<Dashboard>()
  const newest = (of: Dashboard) => (saved?.uid === of.uid && saved.version > of.version ? saved : of)
  return (
    <ShownPage title={words.title} of={loaded}>
      {(found) => <Board key={uid} dashboard={newest(found)} saved={setSaved} reload={loaded.reload} />}
    </ShownPage>
  )
}

export default DashboardPage

const Board = ({
  dashboard,
  saved,
  reload,
}: {
  readonly dashboard: Dashboard
  readonly saved: (dashboard: Dashboard) => void
  readonly reload: () => void
}) => {
  const draft = arrangedOf(dashboard.uid)
  const [isArranging, setArranging] = useState(
    (place.peek().query.has('edit') || draft !== undefined) && hasRole('admin'),
  )
  const [tiles, setTiles] = useState<readonly Placed[]>(() => draft?.tiles ?? placedOf(dashboard.tile))
  useEffect(() => {
    if (!isArranging) setTiles(placedOf(dashboard.tile))
  }, [dashboard.version, isArranging])
  const { streams, problem, look } = useStreams(tiles)
  const found = streams ? foundOf(tiles, streams) : []
  const live = useLive(liveOf(found), look)
  const wall = isWall()
  useWall(wall)
  const title = (tile: Tile) => (streams ? titleOf(tile, streams) : tile.title)
  const stop = () => {
    setArranging(false)
    if (place.peek().query.has('edit')) replaceQuery({})
  }
  const content = (tile: Placed) =>
    streams ? <TileContent tile={tile} streams={streams} live={live} title={title(tile)} /> : <Spinner />
  return (
    <Page
      title={dashboard.name}
      lead={<LiveState live={live} isUsed={found.length > 0} />}
      actions={
        wall ? (
          <button onClick={leaveWall}>{words.leave}</button>
        ) : (
          !isArranging && (
            <>
              {hasRole('admin') && <button onClick={() => setArranging(true)}>{words.arrange}</button>}
              {tiles.length > 0 && <button onClick={enterWall}>{words.wall}</button>}
            </>
          )
        )
      }
    >
      {dashboard.description !== '' && !isArranging && !wall && <p class="quiet lead">{dashboard.description}</p>}
      {problem !== '' && <Notice kind="bad">{problem}</Notice>}
      {isArranging ? (
        <Arranging
          dashboard={dashboard}
          tiles={tiles}
          change={setTiles}
          streams={streams}
          content={content}
          titleOf={title}
          stop={stop}
          saved={(changed) => {
            saved(changed)
            stop()
          }}
          reload={reload}
        />
      ) : tiles.length === 0 ? (
        <section class="card invitation">
          <h2>{words.empty}</h2>
          <p>{hasRole('admin') ? words.emptyLead : words.nobodyYet}</p>
          {hasRole('admin') && (
            <button class="first" onClick={() => setArranging(true)}>
              {words.arrange}
            </button>
          )}
        </section>
      ) : (
        <Grid tiles={tiles} change={undefined} content={content} actions={() => undefined} titleOf={title} />
      )}
    </Page>
  )
}

/** The streams of the tiles; those that are known stay while others are looked up. */
const useStreams = (tiles: readonly Tile[]) => {
  const [streams, setStreams] = useState<Streams>()
  const [problem, setProblem] = useState('')
  const [turn, setTurn] = useState(0)
  const named = [...new Set(tiles.flatMap(({ stream }) => stream.map(({ componentUid }) => componentUid)))]
  useEffect(() => {
    const control = new AbortController()
    loadStreams(client.peek(), tiles, control.signal).then(
      (found) => {
        if (control.signal.aborted) return
        setStreams(() => found)
        setProblem('')
      },
      (error: unknown) => control.signal.aborted || setProblem(problemOf(error)),
    )
    return () => control.abort()
  }, [named.toSorted().join(' '), turn, organization.value?.uid])
  return { streams, problem, look: () => setTurn((n) => n + 1) }
}

const foundOf = (tiles: readonly Tile[], streams: Streams): readonly FoundStream[] =>
  tiles.flatMap(({ stream }) => stream.map(streams).filter(isFound))

const LiveState = ({ live, isUsed }: { readonly live: Live; readonly isUsed: boolean }) => {
  const state = live.state.value
  if (!isUsed || state === 'starting') return null
  return (
    <span class={`tag live-${state}`} role="status">
      {words.live[state]}
    </span>
  )
}
