// Gives the memory of a large buffer back at once. The garbage collector is late: of bodies of 60 MB one after another,
// up to three unused ones were still there.
import { MessageChannel } from 'node:worker_threads'

/** A message to a closed port is dropped, and the memory transferred with it is freed. */
const { port1: nowhere, port2 } = new MessageChannel()
port2.close()
nowhere.unref()

/** It takes 4 µs, where work on so many bytes takes 150. */
const leastBytes = 16 * 1024

/**
 * Node's buffers that share memory have 8 KiB together, from 26.3 on 64, and each of them less than half of that. Node refuses to give
 * it away: the first sample that was stored ended the server.
 */
const mostSharedBytes = 128 * 1024
const isShared = (buffer: Buffer): boolean => {
  const { byteLength } = buffer.buffer
  return byteLength <= mostSharedBytes && 2 * buffer.length < byteLength
}

/** From now on the buffer is empty. A small one is left to the collector, and so is one that may have its memory together with others. */
export const free = (buffer: Buffer): void => {
  const memory = buffer.buffer as ArrayBuffer
  if (memory.byteLength >= leastBytes && !isShared(buffer)) nowhere.postMessage(null, [memory])
}

/**
 * The same for a chunk that has come from a client, unless it is a part of other memory. Left to the collector, chunks of
 * large bodies were 300 MB: they are young, and who works on large arrays makes hardly anything that the collector would
 * look for young garbage for.
 */
export const freeChunk = (chunk: Buffer): void => {
  if (chunk.length === chunk.buffer.byteLength) free(chunk)
}
