// A server that speaks as much of MySQL's protocol as a session needs to come to its statement, and whose answer to that is the
// test's own. All its packets have one number, which the driver only warns of.
//
//   const port = await listen((socket) => actMysql(socket, () => socket.write(mysql.ok)))
import type { Socket } from 'node:net'

const packet = (payload: Buffer): Buffer => {
  const head = Buffer.from([0, 0, 0, 1])
  head.writeUIntLE(payload.length, 0, 3)
  return Buffer.concat([head, payload])
}

const lengthAndText = (text: string): Buffer => {
  const length = Buffer.from([0xfd, 0, 0, 0])
  length.writeUIntLE(text.length, 1, 3)
  return Buffer.concat([length, Buffer.from(text, 'latin1')])
}

const hex = (payload: string) => packet(Buffer.from(payload, 'hex'))

const greeting = hex(
  '0a382e302e31000700000061626364656667680001a22d020008001500000000000000000000' +
    '696a6b6c6d6e6f7071727374006d7973716c5f6e61746976655f70617373776f726400',
)
const [ok, last, notLast] = [hex('00000002000000'), hex('fe00000200'), hex('fe00000a00')]
/** A VARCHAR in utf8mb4, as the only one. */
const columns = Buffer.concat([hex('01'), hex('036465660000000176000c2d00e8030000fd0000000000'), last])

export const mysql = {
  packet,
  ok,
  columns,
  row: (text: string) => packet(Buffer.concat([Buffer.from([0, 0]), lengthAndText(text)])),
  last,
  /** Another result follows. */
  notLast,
  infile: packet(Buffer.concat([Buffer.from([0xfb]), Buffer.from('/etc/passwd')])),
  error: (message: string) => packet(Buffer.concat([Buffer.from('ff2804', 'hex'), Buffer.from(`#42000${message}`)])),
}

const version = Buffer.concat([columns, packet(Buffer.from('\u00058.0.1')), last])
const prepared = Buffer.concat([hex('000100000001000000000000'), columns.subarray(5)])
const [asks, prepares, executes] = [3, 0x16, 0x17]

/** `answer` is called for each statement that is executed. */
export const actMysql = (socket: Socket, answer: () => void): void => {
  let isIn = false
  const answers = [version]
  let left = Buffer.alloc(0)
  socket.write(greeting)
  socket.on('data', (bytes) => {
    left = Buffer.concat([left, bytes])
    while (left.length >= 4 && left.length >= 4 + left.readUIntLE(0, 3)) {
      const command = left[4]
      left = left.subarray(4 + left.readUIntLE(0, 3))
      if (!isIn) socket.write(ok)
      else if (command === asks) socket.write(answers.shift() ?? ok)
      else if (command === prepares) socket.write(prepared)
      else if (command === executes) answer()
      isIn = true
    }
  })
}
