// Gives the memory of a large buffer back at once. The garbage collector is late: of bodies of 60 MB one after another,
// up to three unused ones were still there.
import { MessageChannel } from 'node:worker_threads'

/** A message to a closed port is dropped, and the memory transferred with it is freed. */
const { port1: nowhere, port2 } = new MessageChannel()
port2.close()
nowhere.unref()

/** It takes 4 µs, where work on so many bytes takes 600. Node's buffers that share memory have 8 KiB together. */
const leastBytes = 64 * 1024

/** From now on the buffer is empty. A small one is left to the collector: it may have its memory together with others. */
export const free = (buffer: Buffer): void => {
  const memory = buffer.buffer as ArrayBuffer
  if (memory.byteLength >= leastBytes) nowhere.postMessage(null, [memory])
}
