// A server that speaks as much of PostgreSQL's protocol as a session needs to begin signing in by a password.
//
//   const port = await listen((socket) => askForRounds(socket, '4096'))
import type { Socket } from 'node:net'

const authentication = (kind: number, text: string): Buffer => {
  const head = Buffer.from('R........')
  head.writeUInt32BE(8 + text.length, 1)
  head.writeUInt32BE(kind, 5)
  return Buffer.concat([head, Buffer.from(text)])
}

/** Asks for so many rounds of hashing before the password. */
export const askForRounds = (socket: Socket, rounds: string): void => {
  socket.once('data', () => {
    socket.write(authentication(10, 'SCRAM-SHA-256\0\0'))
    socket.once('data', (bytes) => {
      const nonce = /r=([^,]+)/.exec(bytes.toString('latin1'))![1]!
      socket.write(authentication(11, `r=${nonce}x,s=c2FsdA==,i=${rounds}`))
    })
  })
}
