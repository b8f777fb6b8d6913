// A file's name: data, never a path (docs/files.md#upload), and safe in the header that repeats it.
import { badRequest } from '../../base/errors.ts'
import { text } from '../../base/http/members.ts'

/** Checks a name as it stands in the address, decoded. */
export const fileName = (name: string): string => {
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) throw badRequest('the file name has a control character')
  if (name === '.' || name === '..') throw badRequest(`'${name}' is not a file name`)
  return text(1, 255)('the file name', name)
}

export type Disposition = 'inline' | 'attachment'

/**
 * Content-Disposition of RFC 6266: a plain name for old clients, and where that is not the whole truth the true one,
 * escaped by RFC 8187. Slashes would be read as folders, and a character that turns the direction of writing shows
 * photo<RLO>gpj.exe as a picture.
 */
export const dispositionHeader = (disposition: Disposition, name: string): string => {
  const flat = name.replaceAll(/[/\\\p{Bidi_Control}]/gu, '_')
  const plain = flat.replaceAll(/[^\x20-\x7e]|["%]/g, '_')
  const escaped = encodeURIComponent(flat).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${disposition}; filename="${plain}"${plain === flat ? '' : `; filename*=UTF-8''${escaped}`}`
}
