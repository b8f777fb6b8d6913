// A port that nobody has, below the range that the kernel gives to outgoing connections: it is still free after a restart.
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer().once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}
