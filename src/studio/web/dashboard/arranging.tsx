// A dashboard while somebody arranges it: its name, its tiles, and the way to keep or drop the changes. A dashboard that
// somebody else has changed meanwhile is not overwritten unasked.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { CoppiceError } from '../../../client/client.ts'
import { problemOf } from '../load.ts'
import { go } from '../router.ts'
import { client } from '../session.ts'
import { texts } from '../texts.ts'
import { Remove } from '../ui/dialog.tsx'
import { Field, Notice } from '../ui/parts.tsx'
import { draftOf, keepDraft } from '../ui/unsaved.tsx'
import { Grid } from './grid.tsx'
import { compact, freePlace } from './layout.ts'
import { labelOf } from '../stream-search.ts'
import type { Streams } from './streams.ts'
import { isFound } from './streams.ts'
import type { TileContent } from './tile-form.tsx'
import { TileForm } from './tile-form.tsx'
import type { Dashboard, Placed, Tile } from './tile.ts'
import { mostTiles, nextKey, placedOf, sizes, tilesOf } from './tile.ts'

const words = texts.dashboards

type Arranged = { readonly name: string; readonly description: string; readonly tiles: readonly Placed[] }

const draftName = (uid: string) => `dashboard ${uid}`

export const arrangedOf = (uid: string): Arranged | undefined => draftOf<Dashboard, Arranged>(draftName(uid))?.value

export const Arranging = ({
  dashboard,
  tiles,
  change,
  streams,
  content,
  titleOf,
  stop,
  saved,
  reload,
}: {
  readonly dashboard: Dashboard
  readonly tiles: readonly Placed[]
  readonly change: (tiles: readonly Placed[]) => void
  readonly streams: Streams | undefined
  readonly content: (tile: Placed) => ComponentChildren
  readonly titleOf: (tile: Tile) => string
  readonly stop: () => void
  readonly saved: (dashboard: Dashboard) => void
  readonly reload: () => void
}) => {
  // The version that the person has begun with: others may change the dashboard meanwhile.
  const draftKey = draftName(dashboard.uid)
  const [{ first, value }] = useState(
    () => draftOf<Dashboard, Arranged>(draftKey) ?? { first: dashboard, value: dashboard },
  )
  const [name, setName] = useState(value.name)
  const [description, setDescription] = useState(value.description)
  const [edited, setEdited] = useState<Placed | 'new'>()
  const [problem, setProblem] = useState<'' | 'changed meanwhile' | { readonly message: string }>('')
  const [isBusy, setBusy] = useState(false)
  const [begun] = useState(() => JSON.stringify(tilesOf(placedOf(first.tile))))
  const isChanged = name !== first.name || description !== first.description || JSON.stringify(tilesOf(tiles)) !== begun
  useEffect(() => {
    keepDraft(draftKey, isChanged ? { first, value: { name, description, tiles } } : undefined)
  }, [isChanged, name, description, tiles])
  const leave = () => {
    keepDraft(draftKey, undefined)
    stop()
  }

  const save = async (version: number) => {
    setBusy(true)
    setProblem('')
    try {
      const members = { name, description, tile: [...tilesOf(tiles)], version }
      const changed = await client.peek().entities('dashboard').change(dashboard.uid, members)
      keepDraft(draftKey, undefined)
      return saved(changed)
    } catch (error) {
      const isStale = error instanceof CoppiceError && error.code === 'stale_version'
      setProblem(isStale ? 'changed meanwhile' : { message: problemOf(error) })
      if (isStale) reload()
    }
    return setBusy(false)
  }
  const add = (made: TileContent) => {
    const { width, height } = sizes[made.kind]
    change([...tiles, { ...made, ...freePlace(tiles, width, height), key: nextKey() }])
  }
  const done = (made: TileContent) => {
    if (edited === 'new') {
      add(made)
      // On with it by the keyboard: the new tile is the last one.
      setTimeout(() => [...document.querySelectorAll<HTMLElement>('.board-tile .handle')].at(-1)?.focus())
    }
    if (edited !== 'new') change(tiles.map((tile) => (tile.key === edited?.key ? { ...tile, ...made } : tile)))
    setEdited(undefined)
  }
  const chosenOf = ({ stream }: Tile) =>
    stream.map((of) => {
      const state = streams?.(of)
      const label = state && isFound(state) ? labelOf({ id: null, name: state.componentName }, state.name) : of.streamId
      return { ...of, label }
    })
  return (
    <>
      <div class="card arrange-bar">
        <div class="fields">
          <Field label={words.name}>
            <input value={name} required maxLength={512} onInput={(event) => setName(event.currentTarget.value)} />
          </Field>
          <Field label={words.description}>
            <input
              value={description}
              maxLength={10_000}
              onInput={(event) => setDescription(event.currentTarget.value)}
            />
          </Field>
        </div>
        <div class="row">
          <button
            class="first"
            aria-busy={isBusy}
            disabled={isBusy || name === ''}
            onClick={() => void save(first.version)}
          >
            {texts.save}
          </button>
          <button disabled={tiles.length >= mostTiles} onClick={() => setEdited('new')}>
            {words.addTile}
          </button>
          <button onClick={leave}>{texts.cancel}</button>
          <Remove
            name={dashboard.name}
            remove={async () => {
              await client.peek().entities('dashboard').remove(dashboard.uid)
              leave()
              go(['dashboards'])
            }}
          />
          <span class="quiet hint">{words.hint}</span>
        </div>
        {problem === 'changed meanwhile' ? (
          <div class="notice warn row" role="alert">
            <span>{words.changedMeanwhile}</span>
            <button onClick={leave}>{texts.unsaved.takeTheirs}</button>
            <button onClick={() => void save(dashboard.version)}>{texts.unsaved.keepMine}</button>
          </div>
        ) : (
          problem !== '' && <Notice kind="bad">{problem.message}</Notice>
        )}
      </div>
      {tiles.length === 0 ? (
        <section class="card invitation">
          <h2>{words.empty}</h2>
          <p>{words.emptyLead}</p>
          <button class="first" onClick={() => setEdited('new')}>
            {words.addFirst}
          </button>
        </section>
      ) : (
        <Grid
          tiles={tiles}
          change={change}
          content={content}
          titleOf={(tile) => titleOf(tile) || words.kinds[tile.kind]}
          actions={(tile) => (
            <span class="tile-actions">
              <button class="bare" aria-label={words.editOf(titleOf(tile))} onClick={() => setEdited(tile)}>
                {texts.edit}
              </button>
              <button
                class="bare danger"
                aria-label={words.removeOf(titleOf(tile))}
                onClick={() => change(compact(tiles.filter(({ key }) => key !== tile.key)))}
              >
                {words.removeTile}
              </button>
            </span>
          )}
        />
      )}
      {edited && (
        <TileForm
          of={edited === 'new' ? undefined : edited}
          chosen={edited === 'new' ? [] : chosenOf(edited)}
          close={() => setEdited(undefined)}
          done={done}
        />
      )}
    </>
  )
}
