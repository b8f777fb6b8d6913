// Lines that send a first sample, by the sender's language.
import { quoteWord } from '../shell.ts'
import { texts } from '../texts.ts'

/** `mqttPort`: null where the server has none, undefined until it has said so. */
export const examplesFor = (
  url: string,
  key: string,
  mqttPort: number | null | undefined,
): readonly { readonly title: string; readonly code: string }[] => {
  const address = `${url}/api/feed?compId=Boiler&temp=20.1&api_key=${encodeURIComponent(key)}`
  const { hostname, port, protocol, origin } = new URL(url)
  // Addresses of IPv6 have brackets in URLs only.
  const host = hostname.replace(/^\[|\]$/g, '')
  return [
    { title: 'curl', code: `curl -X PUT ${quoteWord(address)}` },
    {
      title: 'Python',
      code: `from urllib.request import Request, urlopen\n\nurlopen(Request("${address}", method="PUT"))`,
    },
    { title: 'JavaScript', code: `await fetch('${address}', { method: 'PUT' })` },
    {
      title: 'Arduino',
      code: [
        '#include <HTTPClient.h>',
        '',
        'HTTPClient http;',
        `http.begin("${address}");`,
        'int status = http.PUT("");  // 200: stored',
        'http.end();',
      ].join('\n'),
    },
    {
      title: 'MQTT',
      code: [
        ...(mqttPort === null ? [`# ${texts.first.noMqtt}`] : []),
        `mosquitto_pub -h ${quoteWord(host)} -p ${mqttPort ?? 1883} -u ${quoteWord(key)} -q 1 -t Boiler/temp -m 20.1`,
      ].join('\n'),
    },
    {
      title: 'netcat',
      code:
        protocol === 'https:'
          ? `# netcat speaks no TLS: use curl with this server\ncurl -X PUT ${quoteWord(address)}`
          : `printf 'PUT ${address.slice(origin.length)} HTTP/1.0\\r\\n\\r\\n' | nc ${quoteWord(host)} ${port || 80}`,
    },
  ]
}
