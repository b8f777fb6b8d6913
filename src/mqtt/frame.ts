// Cuts the bytes of a connection into MQTT packets: the kind in the first byte, then the length in one to four bytes
// (MQTT 5, 2.1). By hand, because the parser behind it would wait for 256 MB if somebody promised them: here a packet is
// refused by its length before it has come.
export class FrameError extends Error {}

const none = Buffer.alloc(0)
const leastRoom = 256

export class Framer {
  /** Bytes from start to end are waiting. */
  #storage = none
  #start = 0
  #end = 0

  /** The memory it takes. */
  get heldBytes(): number {
    return this.#storage.length
  }

  /** Of a packet that has not come whole. */
  get waitingBytes(): number {
    return this.#end - this.#start
  }

  get isEmpty(): boolean {
    return this.#start === this.#end
  }

  clear(): void {
    this.#storage = none
    this.#start = 0
    this.#end = 0
  }

  /** Copied into one buffer that doubles: single bytes would take a hundred each. */
  push(piece: Buffer): void {
    const bytes = this.#end - this.#start
    if (this.#end + piece.length > this.#storage.length) {
      const storage = Buffer.allocUnsafeSlow(Math.max(leastRoom, 2 * bytes, bytes + piece.length))
      this.#storage.copy(storage, 0, this.#start, this.#end)
      this.#storage = storage
      this.#start = 0
      this.#end = bytes
    }
    this.#end += piece.copy(this.#storage, this.#end)
  }

  /** The first byte of the next packet. */
  get kind(): number | undefined {
    return this.isEmpty ? undefined : this.#storage[this.#start]
  }

  /** The next whole packet, if it is not too long; undefined when it has not come. */
  next(mostBytes: number): Buffer | undefined {
    const length = this.#length(mostBytes)
    if (length === undefined || this.#end - this.#start < length) return undefined
    const packet = Buffer.from(this.#storage.subarray(this.#start, this.#start + length))
    this.#start += length
    if (this.isEmpty) this.clear()
    return packet
  }

  /** The length of the packet with its head; undefined while that is not known. */
  #length(mostBytes: number): number | undefined {
    let length = 0
    for (let at = 1; at <= 4; at += 1) {
      if (this.#start + at >= this.#end) return undefined
      const byte = this.#storage[this.#start + at]!
      length += (byte & 127) * 128 ** (at - 1)
      if (byte < 128) {
        if (length > mostBytes) throw new FrameError(`a packet has at most ${mostBytes} bytes`)
        return length + at + 1
      }
    }
    throw new FrameError('the length of a packet has at most four bytes')
  }
}
