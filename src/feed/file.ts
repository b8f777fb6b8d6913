// Files as feeds list them (decisions 3.6): the address where the file is, and what it is.
//
//   "data":"/api/comp/Gate/stream/photo/feed/file/1700000000000/night%201.jpg","fileName":"night 1.jpg","size":...
import type { Sql } from '../base/sql.ts'
import { fileDetails } from '../core/blob.ts'
import type { RegisteredComponent, RegisteredStream } from '../core/registry.ts'
import type { Sample } from '../core/sample.ts'

export type ShownFile = {
  /** Null in a stream that has no ID and thus no address. */
  readonly path: string | null
  readonly more: {
    readonly fileName: string
    readonly size: number | undefined
    readonly contentType: string | undefined
  }
}

/** Those of the samples that are files; gaps are not. */
export const filesAmong = async (
  sql: Sql,
  component: RegisteredComponent,
  streams: readonly RegisteredStream[],
  samples: readonly Sample[],
): Promise<ReadonlyMap<Sample, ShownFile>> => {
  const fileStreams = new Map(streams.filter(({ valueType }) => valueType === 'FILE').map((each) => [each.key, each]))
  const files = samples.filter(({ streamKey, text }) => text !== null && fileStreams.has(streamKey))
  const details = await fileDetails(
    sql,
    files.map(({ long }) => long!),
  )
  return new Map(
    files.map((sample) => {
      const detail = details.get(sample.long!)
      const fileName = sample.text!
      const path = filePath(component.id, fileStreams.get(sample.streamKey)!.id, sample.timeMs, fileName)
      return [sample, { path, more: { fileName, size: detail?.size, contentType: detail?.contentType } }]
    }),
  )
}

const filePath = (componentId: string | null, streamId: string | null, timeMs: number, name: string) =>
  componentId === null || streamId === null
    ? null
    : `/api/comp/${encodeURIComponent(componentId)}/stream/${encodeURIComponent(streamId)}` +
      `/feed/file/${timeMs}/${encodeURIComponent(name)}`
