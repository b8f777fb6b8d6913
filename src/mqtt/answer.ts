// Refusals of ours in the codes of MQTT: 3.1.1 has few, MQTT 5 one for each and a text. Pure.
import { generate } from 'mqtt-packet'
import type { Packet } from 'mqtt-packet'

export type Version = 3 | 4 | 5

export type Refusal = { readonly status: number; readonly message: string }

export const packetBytes = (packet: Packet, version: Version): Buffer => generate(packet, { protocolVersion: version })

export const connackRefused = ({ status, message }: Refusal, version: Version): Buffer => {
  const isAway = status >= 500
  const [code, reason] = status === 401 ? [4, 0x86] : isAway ? [3, 0x88] : [5, 0x87]
  return packetBytes(
    version === 5
      ? { cmd: 'connack', reasonCode: reason, sessionPresent: false, properties: { reasonString: short(message) } }
      : { cmd: 'connack', returnCode: code, sessionPresent: false },
    version,
  )
}

/** The reason code of MQTT 5 for a status of HTTP. */
export const reasonOf = (status: number): number => {
  if (status === 401 || status === 403) return 0x87
  if (status === 404) return 0x90
  if (status === 413) return 0x95
  if (status === 429) return 0x97
  return status < 500 ? 0x99 : 0x83
}

/** A client need not take long ones. */
export const short = (message: string): string => message.slice(0, 200)
