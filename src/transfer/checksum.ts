// The checksum of an import's body, by which a body that comes again is known to be the same: under an id that was used for
// another one, as many bytes of it as that had stored would be skipped, and lost. CRC-32, since it goes on from a number
// that is kept in the database; nobody deceives anyone but themselves with it.
import { crc32 } from 'node:zlib'
import type { ImportReach } from '../core/history-import.ts'

/** zlib takes no bytes for a new beginning, sometimes. */
const extend = (checksum: number, bytes: Buffer): number => (bytes.length === 0 ? checksum : crc32(bytes, checksum))

/** Of a body from where it is stored on. */
export const openChecksum = ({ bytes, checksum }: ImportReach) => {
  let end = bytes
  let upToEnd = checksum
  let upToRow = checksum
  return {
    /** Gives that up to the end of the last row, which may have come with this piece. */
    add: (piece: Buffer, rowEndByte: number): number | null => {
      if (upToEnd === null) return null
      const cut = rowEndByte - end
      if (cut >= 0) upToRow = extend(upToEnd, piece.subarray(0, cut))
      upToEnd = extend(upToEnd, piece)
      end += piece.length
      return upToRow
    },
  }
}

/** The bytes at the beginning of a body that are stored already. */
export const openKnownPart = (length: number) => {
  let left = length
  let checksum = 0
  return {
    /** Gives the part of the piece that is not known. */
    skip: (piece: Buffer): Buffer => {
      const known = piece.subarray(0, left)
      checksum = extend(checksum, known)
      left -= known.length
      return piece.subarray(known.length)
    },
    isWhole: () => left === 0,
    checksum: () => checksum,
  }
}
