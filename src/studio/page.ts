// The start page: sign in, pick a stream, see its samples drawn. It talks to the API like anyone, holds no
// secret, and needs nothing but itself.

export const style = `
:root { color-scheme: light dark; --line: #2f7d4f; --faint: #8886 }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif }
header { display: flex; align-items: baseline; gap: 1rem; margin-bottom: 1rem }
h1 { font-size: 1.4rem; margin: 0; color: var(--line) }
header span { opacity: .7 } header button { margin-left: auto }
form { display: grid; gap: .75rem; max-width: 22rem; margin: 3rem auto }
label { display: grid; gap: .25rem } input, select, button { font: inherit; padding: .45rem .6rem; border-radius: .4rem; border: 1px solid var(--faint) }
button { cursor: pointer } form button { background: var(--line); color: #fff; border: 0 }
.bar { display: flex; flex-wrap: wrap; gap: .75rem; margin-bottom: 1rem } .bar select { min-width: 12rem }
svg { width: 100%; height: 22rem; border: 1px solid var(--faint); border-radius: .5rem }
polyline { fill: none; stroke: var(--line); stroke-width: 2; vector-effect: non-scaling-stroke }
text { font-size: 13px; fill: currentColor; opacity: .75 }
table { border-collapse: collapse; width: 100%; margin-top: 1rem } td, th { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--faint) }
td:last-child, th:last-child { text-align: right; font-variant-numeric: tabular-nums }
[role=alert] { color: #c0392b; min-height: 1.5em } [hidden] { display: none !important }
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
const choose = (select, options) => {
  select.replaceChildren(...options.map(([value, label]) => new Option(label, value)))
}
let components = []
const open = async () => {
  components = (await api('/api/component?limit=1000')).component.filter((each) => each.id)
  $('signin').hidden = true
  $('view').hidden = $('signout').hidden = false
  choose($('component'), components.map((each) => [each.id, each.name]))
  $('none').hidden = components.length > 0
  pickComponent()
}
const pickComponent = () => {
  const component = components.find((each) => each.id === $('component').value)
  choose($('stream'), (component?.stream ?? []).filter((each) => each.id).map((each) => [each.id, each.name]))
  draw()
}
const draw = async () => {
  const [component, stream] = [$('component').value, $('stream').value]
  if (!component || !stream) return
  const path = '/api/comp/' + encodeURIComponent(component) + '/stream/' + encodeURIComponent(stream) + '/feed?retFData'
  const samples = await api(path).catch((error) => { say(error.message); return [] })
  chart(samples.filter((sample) => typeof sample.data === 'number').reverse())
  $('rows').replaceChildren(...samples.slice(0, 20).map((sample) => {
    const row = document.createElement('tr')
    for (const text of [new Date(sample.time).toLocaleString(), sample.fData]) row.insertCell().textContent = text
    return row
  }))
}
const chart = (samples) => {
  const times = samples.map((sample) => sample.time), values = samples.map((sample) => sample.data)
  const [t0, t1, v0, v1] = [Math.min(...times), Math.max(...times), Math.min(...values), Math.max(...values)]
  const x = (t) => 60 + 930 * (t1 === t0 ? 0.5 : (t - t0) / (t1 - t0))
  const y = (v) => 320 - 290 * (v1 === v0 ? 0.5 : (v - v0) / (v1 - v0))
  $('line').setAttribute('points', samples.map((sample) => x(sample.time) + ',' + y(sample.data)).join(' '))
  $('dot').setAttribute('cx', x(t1)); $('dot').setAttribute('cy', y(values.at(-1) ?? 0)); $('dot').setAttribute('r', samples.length ? 4 : 0)
  $('high').textContent = samples.length ? String(v1) : ''
  $('low').textContent = samples.length && v1 !== v0 ? String(v0) : ''
  $('from').textContent = samples.length ? new Date(t0).toLocaleString() : 'no numbers yet'
  $('to').textContent = samples.length > 1 ? new Date(t1).toLocaleString() : ''
}
$('signin').addEventListener('submit', async (event) => {
  event.preventDefault()
  say('')
  const body = JSON.stringify({ email: $('email').value, password: $('password').value })
  try {
    await api('/api/login', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    $('password').value = ''
    await open()
  } catch (error) { say(error.message) }
})
$('signout').addEventListener('click', async () => { await api('/api/login', { method: 'DELETE' }).catch(() => {}); location.reload() })
$('component').addEventListener('change', pickComponent)
$('stream').addEventListener('change', draw)
open().catch((error) => {
  $('signin').hidden = false
  if (error.status !== 401) say(error.message)
})
setInterval(() => { if (!$('view').hidden && !document.hidden) draw() }, 10000)
`

export const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coppice</title>
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
<div class="bar"><label>Component <select id="component"></select></label><label>Stream <select id="stream"></select></label></div>
<p id="none" hidden>Nothing has been uploaded yet. The lines printed at the first start upload a sample.</p>
<svg viewBox="0 0 1000 360" preserveAspectRatio="none" role="img" aria-label="Samples over time">
<polyline id="line"/><circle id="dot" r="0" fill="#2f7d4f"/>
<text id="high" x="4" y="34"></text><text id="low" x="4" y="324"></text><text id="from" x="60" y="350"></text><text id="to" x="990" y="350" text-anchor="end"></text>
</svg>
<table><thead><tr><th>Time</th><th>Value</th></tr></thead><tbody id="rows"></tbody></table>
</main>
<script>${script}</script>
</body>
</html>
`
