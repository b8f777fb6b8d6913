// Files over HTTP as tests send and fetch them, byte for byte.
//
//   const files = openFiles(service)
//   await files.put('/api/comp/Gate/stream/photo/feed/file/a.png', bytes)
//   assert.deepEqual((await files.get('/api/comp/Gate/stream/photo/feed/file/a.png')).bytes, bytes)
import type { TestReply, TestService } from './service.ts'

export type FileReply = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer }

export type Files = {
  /** The body is the file itself. */
  readonly put: (path: string, body: string | Buffer, headers?: Record<string, string>) => Promise<TestReply>
  /** The file as a form of browsers and curl: in the field `file`, unless another is named. */
  readonly putForm: (path: string, body: string | Buffer, field?: string) => Promise<TestReply>
  readonly get: (path: string, headers?: Record<string, string>) => Promise<FileReply>
  readonly head: (path: string, headers?: Record<string, string>) => Promise<FileReply>
}

export const openFiles = ({ url, apiKey, request }: TestService): Files => {
  const withKey = (path: string) => `${path}${path.includes('?') ? '&' : '?'}api_key=${apiKey}`
  const fetchFile = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${url}${withKey(path)}`, { method, headers })
    return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
  }
  return {
    put: (path, body, headers = {}) => request('PUT', withKey(path), { body: plain(body), headers }),
    putForm: (path, body, field = 'file') => {
      const form = new FormData()
      form.append(field, new Blob([plain(body)]), 'of-the-form.bin')
      return request('PUT', withKey(path), { body: form })
    },
    get: (path, headers) => fetchFile('GET', path, headers),
    head: (path, headers) => fetchFile('HEAD', path, headers),
  }
}

const plain = (body: string | Buffer): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? body : Uint8Array.from(body)
