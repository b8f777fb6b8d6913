// Where the rows of a result begin and end among the bytes that a server sends, without reading any of them: both protocols
// put a length before each message. A result is its head, its rows, and its tail.
export type Rows = {
  /** The rows of these bytes are from here on. */
  readonly from: number
  /** Up to here; the bytes after that are the tail, or of a message that is not known yet. */
  readonly to: number
  /** So many of them begin here. */
  readonly count: number
  /** Whether the tail has begun, and whether it says that there are no more rows, and not an error. */
  readonly isOver: boolean
  readonly isWhole: boolean
  /** So many bytes at the end are to be given again, with those that follow. */
  readonly left: number
}

/** Goes through the bytes as they come, until the tail. */
export type Frames = (bytes: Buffer) => Rows

type Frame = {
  /** With its head. */
  readonly length: number
  readonly is: 'head' | 'lastOfHead' | 'row' | 'besides' | 'end' | 'failure'
}

const openFrames = (frameAt: (bytes: Buffer, at: number) => Frame | undefined): Frames => {
  let state: 'head' | 'rows' | 'end' | 'failure' = 'head'
  /** Of a message that goes on in the next bytes. */
  let rest = 0
  let isLastOfHead = false
  return (bytes) => {
    let at = Math.min(rest, bytes.length)
    rest -= at
    let from = state === 'head' ? undefined : 0
    let count = 0
    const begin = () => {
      if (!isLastOfHead || rest > 0) return
      isLastOfHead = false
      state = 'rows'
      from = at
    }
    begin()
    while (rest === 0 && at < bytes.length) {
      const frame = frameAt(bytes, at)
      if (frame === undefined) break
      if (frame.is === 'end' || frame.is === 'failure') {
        state = frame.is
        break
      }
      if (frame.is === 'row') count += 1
      const end = at + frame.length
      at = Math.min(end, bytes.length)
      rest = end - at
      isLastOfHead = frame.is === 'lastOfHead'
      begin()
    }
    const isOver = state === 'end' || state === 'failure'
    return { from: from ?? at, to: at, count, isOver, isWhole: state === 'end', left: isOver ? 0 : bytes.length - at }
  }
}

const letters = { copyOut: 0x48, copyData: 0x64, copyDone: 0x63, notice: 0x4e, parameter: 0x53, error: 0x45 }

/** Of COPY ... TO STDOUT: a letter, and a length that counts itself. */
export const copyFrames = (): Frames => {
  let hasBegun = false
  return openFrames((bytes, at) => {
    if (bytes.length < at + 5) return undefined
    const letter = bytes[at]
    const length = 1 + bytes.readUInt32BE(at + 1)
    if (hasBegun) {
      if (letter === letters.copyData) return { length, is: 'row' }
      if (letter === letters.notice || letter === letters.parameter) return { length, is: 'besides' }
      return { length, is: letter === letters.copyDone ? 'end' : 'failure' }
    }
    hasBegun = letter === letters.copyOut
    return { length, is: hasBegun ? 'lastOfHead' : letter === letters.error ? 'failure' : 'head' }
  })
}

const mostOfPacket = 0xff_ff_ff
/** More are written in several bytes. */
const mostColumns = 250
const [okHead, endHead, errorHead] = [0x00, 0xfe, 0xff]

/** Of a statement that MySQL executes: the number of columns, a packet for each, one that ends them, and the rows. */
export const executeFrames = (): Frames => {
  let columns: number | undefined
  let goesOn = false
  return openFrames((bytes, at) => {
    if (bytes.length < at + 4) return undefined
    const size = bytes.readUIntLE(at, 3)
    const length = 4 + size
    // A packet as long as can be is followed by the rest of its row.
    if (goesOn) {
      goesOn = size === mostOfPacket
      return { length, is: 'besides' }
    }
    if (bytes.length < at + 5) return undefined
    const first = bytes[at + 4]!
    if (columns === undefined) {
      if (first === okHead || first > mostColumns) return { length, is: 'failure' }
      columns = first
      return { length, is: 'head' }
    }
    if (columns > 0) {
      columns -= 1
      return { length, is: 'head' }
    }
    if (columns === 0) {
      columns = -1
      return { length, is: first === endHead ? 'lastOfHead' : 'failure' }
    }
    if (first === errorHead) return { length, is: 'failure' }
    if (first === endHead && size < 9) return { length, is: 'end' }
    goesOn = size === mostOfPacket
    return { length, is: 'row' }
  })
}
