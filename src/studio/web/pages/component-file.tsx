// One file, shown over the page as far as the browser can: a picture, a PDF, a text. A file is a stranger's: it comes as a
// picture or as bytes that are given a type here, never as a page of this server.
import { useEffect, useState } from 'preact/hooks'
import { useLoad } from '../load.ts'
import { organization, url } from '../session.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Shown } from '../ui/parts.tsx'
import type { Client } from '../../../client/client.ts'

const words = texts.component

export type StoredFile = {
  readonly compId: string
  readonly streamId: string
  readonly time: number
  /** The path of the file. */
  readonly data: string
  readonly fileName: string
  readonly size: number
  readonly contentType: string
}

/** The cookie of the session opens it, in the organization that is shown. */
export const addressOf = ({ data }: StoredFile) => `${url}${data}?org=${organization.value?.uid ?? ''}`

export const isPicture = ({ contentType }: StoredFile) => /^image\/(png|jpeg|gif|webp|avif)$/.test(contentType)

const isText = ({ contentType }: StoredFile) =>
  /^(text\/|application\/(json|xml|x-ndjson|x-yaml|sql)|image\/svg)/.test(contentType)

const isPdf = ({ contentType }: StoredFile) => contentType === 'application/pdf'

/** Of a text so much is shown. */
const mostTextBytes = 256 * 1024

export const FileView = ({ file, close }: { readonly file: StoredFile; readonly close: () => void }) => (
  <Dialog title={file.fileName} close={close} isWide>
    <Content file={file} />
    <div class="row">
      <a class="button" href={`${addressOf(file)}&disposition=attachment`} download={file.fileName}>
        {words.download}
      </a>
      <span class="quiet">
        {file.contentType} · {words.bytes(file.size)}
      </span>
    </div>
  </Dialog>
)

const Content = ({ file }: { readonly file: StoredFile }) => {
  if (isPicture(file)) return <img class="whole" src={addressOf(file)} alt={file.fileName} />
  if (isPdf(file)) return <Pdf file={file} />
  if (isText(file)) return <Text file={file} />
  return null
}

const partsOf = ({ data }: StoredFile) => {
  const [, , , compId = '', , streamId = '', , , time = '', fileName = ''] = data.split('/').map(decodeURIComponent)
  return { compId, streamId, time, fileName }
}

const fetchFile = (calls: Client, file: StoredFile, signal: AbortSignal, headers: Record<string, string> = {}) =>
  calls.fetch('GET /api/comp/{compId}/stream/{streamId}/feed/file/{time}/{fileName}', {
    path: partsOf(file),
    headers,
    signal,
  } as never)

const Text = ({ file }: { readonly file: StoredFile }) => {
  const text = useLoad(`text ${file.data}`, async (calls, signal) => {
    const isLong = file.size > mostTextBytes
    const range = isLong ? { Range: `bytes=0-${mostTextBytes - 1}` } : {}
    return (await fetchFile(calls, file, signal, range)).text()
  })
  return (
    <Shown of={text}>
      {(content) => (
        <>
          {file.size > mostTextBytes && <p class="quiet">{words.beginning}</p>}
          <pre class="code tall" tabIndex={0}>
            {content}
          </pre>
        </>
      )}
    </Shown>
  )
}

const Pdf = ({ file }: { readonly file: StoredFile }) => {
  const [address, setAddress] = useState('')
  const bytes = useLoad(`pdf ${file.data}`, async (calls, signal) => (await fetchFile(calls, file, signal)).blob())
  useEffect(() => {
    if (bytes.value === undefined) return
    const made = URL.createObjectURL(new Blob([bytes.value], { type: 'application/pdf' }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes.value])
  return <Shown of={bytes}>{() => address && <iframe class="whole" src={address} title={file.fileName} />}</Shown>
}
