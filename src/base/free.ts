// Gives the memory of a large buffer back at once. The garbage collector comes when it comes: with bodies of 60 MB one
// after another, up to three that nobody needed any more were still there.
import { MessageChannel } from 'node:worker_threads'

/** Whatever is sent to a closed port is dropped, and the memory that goes with it is freed. */
const { port1: nowhere, port2 } = new MessageChannel()
port2.close()
nowhere.unref()

const leastBytes = 1024 * 1024

/** From now on the buffer is empty. A small one is left to the collector: it may have its memory together with others. */
export const free = (buffer: Buffer): void => {
  const memory = buffer.buffer as ArrayBuffer
  if (memory.byteLength >= leastBytes) nowhere.postMessage(null, [memory])
}
