// One message by MQTT 5, for tests of other rooms than mqtt: connects, publishes, and gives the code of the answer.
//
//   assert.equal(await publish(service.service.mqttPort!, { username: service.apiKey }, 'Boiler/temp', '21.5'), 0)
import { once } from 'node:events'
import { connect } from 'node:net'
import { generate, parser } from 'mqtt-packet'
import type { Packet } from 'mqtt-packet'

type Login = { readonly username?: string; readonly password?: string }

/** The reason code of the PUBACK, or of the CONNACK or DISCONNECT that came in its place. */
export const publish = async (
  port: number,
  { username, password }: Login,
  topic: string,
  payload: string,
): Promise<number> => {
  const socket = connect(port, '127.0.0.1')
  const options = { protocolVersion: 5 }
  const reader = parser(options)
  socket.on('data', (bytes) => void reader.parse(bytes)).on('error', () => {})
  const send = (packet: Packet) => void socket.write(generate(packet, options))
  const next = async () => {
    const [packet] = (await once(reader, 'packet')) as [Packet]
    return (packet as { readonly reasonCode?: number }).reasonCode ?? 0
  }
  try {
    send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 5,
      clientId: 'test',
      clean: true,
      keepalive: 60,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password: Buffer.from(password) }),
    })
    const refused = await next()
    if (refused !== 0) return refused
    send({ cmd: 'publish', topic, payload, qos: 1, messageId: 1, dup: false, retain: false })
    return await next()
  } finally {
    socket.destroy()
  }
}
