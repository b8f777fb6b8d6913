// The start page: sign in, pick a stream, see its samples drawn. It talks to the API like anyone, holds no
// secret, and needs nothing but itself.

export const style = `
:root { color-scheme: light dark; --line: #2f7d4f; --alert: #b03020; --faint: #8886 }
@media (prefers-color-scheme: dark) { :root { --line: #5fb584; --alert: #ff9384 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif }
header { display: flex; align-items: baseline; gap: 1rem; margin-bottom: 1rem }
h1 { font-size: 1.4rem; margin: 0; color: var(--line) }
header span { opacity: .7 } header button { margin-left: auto; white-space: nowrap }
form { display: grid; gap: .75rem; max-width: 22rem; margin: 3rem auto }
label { display: grid; gap: .25rem } input, select, button { font: inherit; padding: .45rem .6rem; border-radius: .4rem; border: 1px solid var(--faint) }
button { cursor: pointer } form button { background: #2f7d4f; color: #fff; border: 0 } form button[aria-busy=true] { opacity: .6 }
.bar { display: flex; flex-wrap: wrap; gap: .75rem; margin-bottom: 1rem } .bar label { flex: 0 1 18rem; min-width: 0; grid-template-columns: minmax(0, 1fr) }
#zone { margin: 0 0 .25rem; opacity: .75; font-size: .9rem }
svg { display: block; width: 100%; height: 22rem; border: 1px solid var(--faint); border-radius: .5rem }
polyline { fill: none; stroke: var(--line); stroke-width: 2 } circle { fill: var(--line) }
text { font-size: 13px; fill: currentColor; opacity: .75 }
@media (max-width: 340px) { text { font-size: 11px } }
table { border-collapse: collapse; width: 100%; margin-top: 1rem } td, th { text-align: left; padding: .3rem .6rem; overflow-wrap: anywhere; border-bottom: 1px solid var(--faint) }
td:last-child, th:last-child { min-width: 7rem; text-align: right; font-variant-numeric: tabular-nums }
[role=alert] { color: var(--alert); min-height: 1.5em; margin: 0 0 .5rem } [hidden] { display: none !important }
@media (max-width: 40rem) { body { padding: 1rem } header span { display: none } .bar label { flex-basis: 100% } svg { height: 15rem } form { margin-top: 1rem } }
`

export const script = `
const $ = (id) => document.getElementById(id)
const api = async (path, options) => {
  const reply = await fetch(path, options)
  const json = await reply.json().catch(() => ({}))
  if (!reply.ok) throw Object.assign(new Error(json.message || reply.statusText), { status: reply.status })
  return json
}
const say = (message) => { $('alert').textContent = message }
/** Each call of a user of several organizations names one. */
const inOrg = (path) => org === '' ? path : path + (path.includes('?') ? '&' : '?') + 'org=' + encodeURIComponent(org)
const choose = (select, options) => {
  select.replaceChildren(...options.map(([value, label]) => new Option(label, value)))
}
let components = [], org = ''
const open = async () => {
  const organizations = (await api('/api/organization?limit=1000')).organization
  choose($('organization'), organizations.map((each) => [each.uid, each.name]))
  const last = sessionStorage.getItem('org')
  if (organizations.some((each) => each.uid === last)) $('organization').value = last
  $('organizations').hidden = organizations.length < 2
  $('signin').hidden = true
  $('view').hidden = $('signout').hidden = false
  await pickOrganization()
}
let picking = 0
const pickOrganization = async () => {
  org = $('organization').value
  sessionStorage.setItem('org', org)
  const turn = ++picking
  let [found, message] = [[], 'You belong to no organization.']
  if (org) {
    message = ''
    found = await api(inOrg('/api/component?limit=1000')).then((reply) => reply.component, (error) => { message = error.message; return [] })
  }
  if (turn !== picking) return
  components = found.filter((each) => each.id)
  choose($('component'), components.map((each) => [each.id, each.name]))
  $('none').hidden = components.length > 0 || message !== ''
  pickComponent(message)
}
const pickComponent = (message = '') => {
  const component = components.find((each) => each.id === $('component').value)
  zone = knownZone(component?.timeZone ?? 'UTC')
  $('zone').textContent = component ? 'Times in ' + zone : ''
  choose($('stream'), (component?.stream ?? []).filter((each) => each.id).map((each) => [each.id, each.name]))
  draw(message)
}
let zone = 'UTC'
/** A browser may be older than a zone. */
const knownZone = (name) => {
  try { return new Intl.DateTimeFormat([], { timeZone: name }) && name } catch { return 'UTC' }
}
/** The time as the clocks of the component show it, whose days and months its statistics have. */
const local = (ms, style) => new Date(ms).toLocaleString([], { ...style, timeZone: zone })
let drawing = 0
const draw = async (message = '') => {
  const [component, stream] = [$('component').value, $('stream').value]
  const turn = ++drawing
  let samples = []
  if (component && stream) {
    const path = '/api/comp/' + encodeURIComponent(component) + '/stream/' + encodeURIComponent(stream) + '/feed?retFData'
    samples = await api(inOrg(path)).catch((error) => { message = error.message; return [] })
  }
  // Another was picked meanwhile, whose answer may be here already.
  if (turn !== drawing) return
  say(message)
  chart(samples.filter((sample) => typeof sample.data === 'number').reverse())
  $('rows').replaceChildren(...samples.slice(0, 20).map((sample) => {
    const row = document.createElement('tr')
    for (const text of [local(sample.time), sample.fData]) row.insertCell().textContent = text
    return row
  }))
}
const margin = 10, line = 18
let charted = []
/** In the page's own pixels, so that letters keep their shape at any width. */
const chart = (samples) => {
  charted = samples
  const { clientWidth: width, clientHeight: height } = $('chart')
  if (width === 0) return
  $('chart').setAttribute('viewBox', '0 0 ' + width + ' ' + height)
  const place = (id, text, x, y) => {
    $(id).textContent = text
    $(id).setAttribute('x', x)
    $(id).setAttribute('y', y)
  }
  const day = (ms) => local(ms, { dateStyle: 'short', timeStyle: 'short' })
  const bottom = height - margin - line
  $('line').setAttribute('points', '')
  $('dot').setAttribute('r', 0)
  for (const id of ['high', 'low', 'from', 'to']) place(id, '', 0, 0)
  if (samples.length === 0) return place('from', 'no numbers yet', margin, height - margin)
  const times = samples.map((sample) => sample.time), values = samples.map((sample) => sample.data)
  const [t0, t1, v0, v1] = [Math.min(...times), Math.max(...times), Math.min(...values), Math.max(...values)]
  place('high', String(v1), margin, margin + line - 4)
  if (v1 !== v0) place('low', String(v0), margin, bottom - 6)
  const labels = Math.max($('high').getComputedTextLength(), $('low').getComputedTextLength())
  const left = Math.min(2 * margin + labels, width / 3), right = width - margin - 4
  const x = (t) => t1 === t0 ? (left + right) / 2 : left + (right - left) * (t - t0) / (t1 - t0)
  // From -1e308 to 1e308 is more than a number can be; half of it is not.
  const part = v1 - v0 === Infinity ? 2 : 1
  const y = (v) => v1 === v0 ? height / 2 : bottom - (bottom - margin - 4) * ((v / part - v0 / part) / (v1 / part - v0 / part))
  $('line').setAttribute('points', samples.map((sample) => x(sample.time) + ',' + y(sample.data)).join(' '))
  $('dot').setAttribute('cx', x(t1))
  $('dot').setAttribute('cy', y(values.at(-1)))
  $('dot').setAttribute('r', 4)
  place('from', day(t0), margin, height - margin)
  if (t1 !== t0) place('to', day(t1), width - margin, height - margin)
}
new ResizeObserver(() => chart(charted)).observe($('chart'))
let attempt = { body: '', over: new AbortController() }
$('signin').addEventListener('submit', async (event) => {
  event.preventDefault()
  const body = JSON.stringify({ email: $('email').value, password: $('password').value })
  // A second press of the same is ignored; another input counts, and ends the attempt before it.
  if (body === attempt.body) return
  attempt.over.abort()
  const own = attempt = { body, over: new AbortController() }
  const isOver = () => own.over.signal.aborted
  const [button] = $('signin').getElementsByTagName('button')
  say('')
  button.ariaBusy = true
  try {
    await api('/api/login', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, signal: own.over.signal })
    if (isOver()) return
    $('password').value = ''
    await open()
  } catch (error) {
    if (!isOver()) say(error.message)
  } finally {
    if (!isOver()) button.ariaBusy = own.body = ''
  }
})
$('signin').addEventListener('input', () => say(''))
$('signout').addEventListener('click', async () => { await api('/api/login', { method: 'DELETE' }).catch(() => {}); location.reload() })
$('organization').addEventListener('change', pickOrganization)
$('component').addEventListener('change', () => pickComponent())
$('stream').addEventListener('change', () => draw())
const begin = async () => {
  const { userUid } = await api('/api/login')
  if (userUid === null) $('signin').hidden = false
  else await open()
}
begin().catch((error) => {
  $('signin').hidden = false
  say(error.message)
})
setInterval(() => { if (!$('view').hidden && !document.hidden) draw() }, 10000)
`

export const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coppice</title>
<link rel="icon" href="favicon.svg" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<header><h1>Coppice</h1><span>time-series data</span><button id="signout" hidden>Sign out</button></header>
<p id="alert" role="alert"></p>
<form id="signin" hidden>
<label>E-mail <input id="email" type="email" autocomplete="username" required></label>
<label>Password <input id="password" type="password" autocomplete="current-password" required></label>
<button>Sign in</button>
</form>
<main id="view" hidden>
<div class="bar"><label id="organizations" hidden>Organization <select id="organization"></select></label><label>Component <select id="component"></select></label><label>Stream <select id="stream"></select></label></div>
<p id="none" hidden>Nothing has been uploaded yet. The lines printed at the first start upload a sample.</p>
<p id="zone"></p>
<svg id="chart" role="img" aria-label="Samples over time">
<polyline id="line"/><circle id="dot" r="0"/>
<text id="high"></text><text id="low"></text><text id="from"></text><text id="to" text-anchor="end"></text>
</svg>
<table><thead><tr><th>Time</th><th>Value</th></tr></thead><tbody id="rows"></tbody></table>
</main>
<script>${script}</script>
</body>
</html>
`
