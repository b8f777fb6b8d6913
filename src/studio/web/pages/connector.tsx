// One connector. Of pushes: its script in the editor, a panel to try it, its address, its last calls. Of imports: its runs.
import { useLoad } from '../load.ts'
import { place } from '../router.ts'
import { texts } from '../texts.ts'
import { Page, ShownPage } from '../ui/parts.tsx'
import { HttpConnector } from './connector-http.tsx'
import { ImportConnector } from './connector-import.tsx'

const ConnectorPage = () => {
  const uid = place.value.path[1] ?? ''
  const connector = useLoad(`connector ${uid}`, (client) => client.entities('connector').show(uid))
  return (
    <ShownPage title={texts.connectors.title} of={connector}>
      {(shown) => (
        <Page title={shown.name}>
          {shown.type === 'http' ? (
            <HttpConnector key={shown.uid} connector={shown} saved={connector.reload} />
          ) : (
            <ImportConnector connector={shown} changed={connector.reload} />
          )}
        </Page>
      )}
    </ShownPage>
  )
}

export default ConnectorPage
