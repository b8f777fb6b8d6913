// An empty organization: three steps to the first sample, with lines to paste, and the moment when it arrives.
import { useState } from 'preact/hooks'
import { useLoad } from '../load.ts'
import { to } from '../router.ts'
import { client, hasRole, url } from '../session.ts'
import { texts } from '../texts.ts'
import { Code, Form, Notice, Page, Spinner } from '../ui/parts.tsx'
import { Demo } from './first-demo.tsx'
import { examplesFor } from './first-examples.ts'

const words = texts.first

export const FirstSample = () => {
  const [key, setKey] = useState('')
  const arrived = useLoad(
    'first',
    (calls, signal) => calls.call('GET /api/component', { query: { limit: 1, streams: false }, signal }),
    1000,
  )
  const first = arrived.value?.component[0]
  return (
    <Page title={words.title}>
      <p class="quiet">{words.lead}</p>
      <section class="card stack">
        <h2>1. {words.key}</h2>
        <p>{words.keyLead}</p>
        {key !== '' ? (
          <Code text={key} />
        ) : hasRole('admin') ? (
          <Form button={words.makeKey} submit={async () => setKey(await makeKey())} />
        ) : (
          <p class="quiet">{words.askForKey}</p>
        )}
      </section>
      <section class="card stack">
        <h2>2. {words.send}</h2>
        <p>{words.sendLead}</p>
        <Examples apiKey={key || 'YOUR_KEY'} />
      </section>
      <section class="card stack">
        <h2>3. {words.arrive}</h2>
        {first === undefined ? (
          <p class="row">
            <Spinner /> {words.waiting}
          </p>
        ) : (
          <div class="row">
            <Notice>{words.arrived}</Notice>
            <a class="button first" href={to(['component', first.uid])}>
              {words.open}
            </a>
          </div>
        )}
      </section>
      {hasRole('admin') && <Demo />}
    </Page>
  )
}

const makeKey = async (): Promise<string> => {
  const capabilities = [{ resource: 'component/*/feed', methods: ['GET' as const, 'PUT' as const] }]
  const { api_key: made } = await client
    .peek()
    .call('POST /api/api_key', { body: { name: 'First sample', capabilities } })
  return String((made as { readonly secret?: string }).secret)
}

const Examples = ({ apiKey }: { readonly apiKey: string }) => {
  const server = useLoad('server', (calls, signal) => calls.call('GET /api/login', { signal }))
  const examples = examplesFor(url, apiKey, server.value?.mqttPort)
  const [chosen, setChosen] = useState(0)
  return (
    <div class="stack">
      <div class="row" role="group">
        {examples.map(({ title }, index) => (
          <button key={title} aria-pressed={index === chosen} onClick={() => setChosen(index)}>
            {title}
          </button>
        ))}
      </div>
      <Code text={examples[chosen]!.code} />
    </div>
  )
}
