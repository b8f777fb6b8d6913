// The studio's first line: an OAuth request that came in the fragment goes to the authorization page
// (docs/oauth.md#authorization-request), everything else is the studio.
import { render } from 'preact'
import { App } from './app.tsx'

const mark = location.hash.indexOf('?')
if (location.hash.startsWith('#signinoauth') && mark > 0)
  location.replace(location.pathname + location.hash.slice(mark))
else render(<App />, document.querySelector('#app')!)
