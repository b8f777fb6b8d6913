// The calls of files, described (base/http/description.ts).
import type { Described, Description } from '../../base/http/description.ts'
import { optionParameters } from '../descriptions.ts'

const path: NonNullable<Description['path']> = {
  compId: { type: 'string', example: 'Gate' },
  streamId: { type: 'string', example: 'notes' },
  fileName: { type: 'string', maxLength: 255, example: 'hello.txt' },
}

const bytes = { type: 'application/octet-stream', schema: {} } as const

export const uploadParameters: Readonly<Record<string, Described>> = {
  time: { type: 'integer', description: 'epoch milliseconds; now, if not given', example: '1767225600000' },
  compTmplId: optionParameters['compTmplId']!,
  compName: optionParameters['compName']!,
  folder: optionParameters['folder']!,
  dtId: optionParameters['dtId']!,
  dsId: optionParameters['dsId']!,
}

const read: Readonly<Record<string, Described>> = {
  disposition: { type: 'string', enum: ['inline', 'attachment'] },
  start: { type: 'integer', description: 'base64 text from this byte on' },
  limit: { type: 'integer', description: 'of so many raw bytes' },
}

export const fileDescriptions = {
  put: {
    part: 'files',
    summary: 'Store a file',
    details: 'The file is the body, or the field file of a form.',
    path,
    query: uploadParameters,
    body: { ...bytes, example: 'hello' },
    reply: { type: 'text/plain', schema: {} },
  },
  newest: { part: 'files', summary: 'Read the newest file of a name', path, query: read, reply: bytes },
  ofTime: {
    part: 'files',
    summary: 'Read the file of a time',
    path: { ...path, time: { type: 'integer', example: '1767225600000' } },
    query: read,
    reply: bytes,
  },
} satisfies Record<string, Description>
