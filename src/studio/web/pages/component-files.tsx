// The files of a component: pictures, PDF and texts shown here, others to download, new ones dropped here.
import { useState } from 'preact/hooks'
import type { Client } from '../../../client/client.ts'
import type { Component } from '../catalogue.ts'
import { problemOf, useLoad } from '../load.ts'
import { client, hasRole } from '../session.ts'
import { firstStreams } from '../stream-search.ts'
import { texts } from '../texts.ts'
import { showTime } from '../time.ts'
import { Choice } from '../ui/fields.tsx'
import { Notice, Shown } from '../ui/parts.tsx'
import { FileView, addressOf, isPicture } from './component-file.tsx'
import type { StoredFile } from './component-file.tsx'

const words = texts.component

const pageSize = 50

/** The latest of a stream, and one more, which says that there are others. */
const loadFiles = async (
  calls: Client,
  compId: string,
  stream: string,
  most: number,
  signal: AbortSignal,
): Promise<readonly StoredFile[]> => {
  const found: StoredFile[] = []
  for await (const file of calls.samples(compId, { stream, limit: most + 1, signal })) {
    found.push(file as unknown as StoredFile)
    if (found.length > most) break
  }
  return found
}

export const Files = ({ component }: { readonly component: Component }) => {
  const streams = useLoad(`streams of files ${component.uid}`, (calls, signal) =>
    firstStreams(calls, component.uid, { valueType: 'FILE' }, signal),
  )
  return (
    <Shown of={streams}>
      {({ rows }) => <FilesOf component={component} names={rows.map(({ id }) => id ?? '')} changed={streams.reload} />}
    </Shown>
  )
}

const FilesOf = ({
  component,
  names,
  changed,
}: {
  readonly component: Component
  readonly names: readonly string[]
  /** Called when a stream was made. */
  readonly changed: () => void
}) => {
  const compId = component.id ?? ''
  const zone = component.timeZone ?? 'UTC'
  const [opened, setOpened] = useState<StoredFile>()
  const [shown, setShown] = useState(pageSize)
  const files = useLoad(
    `files ${component.uid} ${names.join(' ')}`,
    async (calls, signal) => {
      const lists = await Promise.all(names.map((stream) => loadFiles(calls, compId, stream, shown, signal)))
      const all = lists.flat().toSorted((a, b) => b.time - a.time)
      return { all: all.slice(0, shown), isCut: all.length > shown }
    },
    undefined,
    shown,
  )
  return (
    <>
      {hasRole('member') && (
        <Drop
          compId={compId}
          streams={names}
          stored={() => {
            // The first file of a component makes a stream.
            if (names.length === 0) changed()
            else files.reload()
          }}
        />
      )}
      <Shown of={files}>
        {({ all, isCut }) =>
          all.length === 0 ? (
            <p class="empty">{words.noFiles}</p>
          ) : (
            <>
              <div class="tiles">
                {all.map((file) => (
                  <a
                    key={file.data}
                    class="card tile"
                    href={addressOf(file)}
                    onClick={(event) => {
                      event.preventDefault()
                      setOpened(file)
                    }}
                  >
                    {isPicture(file) && <img src={addressOf(file)} alt={file.fileName} loading="lazy" />}
                    <strong>{file.fileName}</strong>
                    <span class="quiet numbers">{showTime(file.time, zone)}</span>
                    <span class="quiet">{words.bytes(file.size)}</span>
                  </a>
                ))}
              </div>
              {isCut && (
                <div>
                  <button onClick={() => setShown(shown + 4 * pageSize)}>{texts.more}</button>
                </div>
              )}
            </>
          )
        }
      </Shown>
      {opened && <FileView file={opened} close={() => setOpened(undefined)} />}
    </>
  )
}

const Drop = ({
  compId,
  streams,
  stored,
}: {
  readonly compId: string
  readonly streams: readonly string[]
  readonly stored: () => void
}) => {
  const [problem, setProblem] = useState('')
  const [isOver, setOver] = useState(false)
  const [storing, setStoring] = useState('')
  const [chosen, setChosen] = useState(streams[0] ?? 'files')
  const store = async (files: FileList | null | undefined) => {
    setProblem('')
    try {
      for (const file of files ?? []) {
        setStoring(file.name)
        await client.peek().call('PUT /api/comp/{compId}/stream/{streamId}/feed/file/{fileName}', {
          path: { compId, streamId: chosen, fileName: file.name },
          body: file,
        })
      }
    } catch (error) {
      setProblem(problemOf(error))
    }
    setStoring('')
    stored()
  }
  return (
    <>
      {streams.length > 1 && (
        <Choice
          label={words.into}
          value={chosen}
          options={Object.fromEntries(streams.map((name) => [name, name]))}
          change={setChosen}
        />
      )}
      <label
        class={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => (event.preventDefault(), setOver(true))}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void store(event.dataTransfer?.files)
        }}
      >
        {storing === '' ? words.drop(chosen) : words.storing(storing)}
        <input type="file" multiple class="only-heard" onChange={(event) => void store(event.currentTarget.files)} />
      </label>
      {problem !== '' && <Notice kind="bad">{problem}</Notice>}
    </>
  )
}
