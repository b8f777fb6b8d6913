// Files as feeds list them (docs/feeds.md#read): the address of the file, its name, size and type.
//
//   "data":"/api/comp/Gate/stream/photo/feed/file/1700000000000/night%201.jpg","fileName":"night 1.jpg","size":...
import type { Feed, FeedStream } from '../core/reading/feed-read.ts'
import type { Sample } from '../core/sample/sample.ts'

export type ShownFile = {
  /** Null in a stream that has no ID and thus no address. */
  readonly path: string | null
  readonly more: {
    readonly fileName: string
    readonly size: number | undefined
    readonly contentType: string | undefined
  }
}

/** The samples that are files; gaps are none. */
export const filesAmong = (
  componentId: string,
  { streams, samples, files }: Pick<Feed, 'samples' | 'files'> & { readonly streams: ReadonlyMap<number, FileStream> },
): ReadonlyMap<Sample, ShownFile> => {
  const shown = new Map<Sample, ShownFile>()
  for (const sample of samples) {
    const { id, valueType } = streams.get(sample.streamKey)!
    if (valueType !== 'FILE' || sample.text === null) continue
    const detail = files.get(sample.long!)
    const path = filePath(componentId, id, sample.timeMs, sample.text)
    shown.set(sample, {
      path,
      more: { fileName: sample.text, size: detail?.size, contentType: detail?.contentType },
    })
  }
  return shown
}

type FileStream = Pick<FeedStream, 'id' | 'valueType'>

const filePath = (componentId: string, streamId: string | null, timeMs: number, name: string) =>
  streamId === null
    ? null
    : `/api/comp/${encodeURIComponent(componentId)}/stream/${encodeURIComponent(streamId)}` +
      `/feed/file/${timeMs}/${encodeURIComponent(name)}`
