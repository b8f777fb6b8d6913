// The style of the description's page: one column that is read, with the parts beside it where there is room.

export const style = `
:root { color-scheme: light dark; --line: #2f7d4f; --alert: #b03020; --faint: #8884; --soft: #8881 }
@media (prefers-color-scheme: dark) { :root { --line: #5fb584; --alert: #ff9384 } }
* { box-sizing: border-box }
html { scroll-behavior: smooth; scroll-padding-top: 1rem }
body { margin: 0 auto; max-width: 78rem; padding: 1.5rem; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 2.5rem }
nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto }
nav a { display: block; padding: .2rem 0; color: inherit; text-decoration: none } nav a:hover { color: var(--line) }
nav h1 { font-size: 1.3rem; margin: 0 0 .5rem; color: var(--line) }
input, textarea, select, button { font: inherit; color: inherit; background: transparent; padding: .35rem .55rem; border-radius: .4rem; border: 1px solid var(--faint); max-width: 100% }
#find { width: 100%; margin-bottom: .75rem }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.2rem } main > section:first-of-type h2 { margin-top: 1.5rem }
details { border: 1px solid var(--faint); border-radius: .5rem; margin: .4rem 0; overflow: hidden }
summary { cursor: pointer; padding: .5rem .75rem; display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; list-style: none }
summary::-webkit-details-marker { display: none } summary:hover { background: var(--soft) } summary:focus-visible { outline: 2px solid var(--line); outline-offset: -2px }
summary b { font: 600 .8rem/1.4 ui-monospace, monospace; min-width: 4.2rem; color: var(--line) } summary b.DELETE { color: var(--alert) }
summary code { overflow-wrap: anywhere } summary span { opacity: .75; margin-left: auto; text-align: right }
.inside { padding: .25rem .75rem 1rem; border-top: 1px solid var(--faint) }
code, pre, textarea, td input { font: .875rem/1.5 ui-monospace, monospace }
pre { margin: .5rem 0; padding: .75rem; background: var(--soft); border-radius: .4rem; overflow: auto; max-height: 26rem; white-space: pre-wrap; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% } td { padding: .25rem .75rem .25rem 0; vertical-align: top; border-bottom: 1px solid var(--soft) }
td:first-child { white-space: nowrap } td:nth-child(2) { width: 14rem } td:nth-child(2) input { width: 100% } td:last-child { opacity: .8 }
textarea { width: 100%; min-height: 7rem; margin: .5rem 0 } h3 { font-size: .95rem; margin: 1rem 0 .35rem }
button { background: #2f7d4f; color: #fff; border: 0; cursor: pointer } button:disabled { opacity: .6 }
.credential { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .75rem; background: var(--soft); border-radius: .5rem } .credential input { flex: 1 1 16rem }
.status { font-weight: 600 } .status.bad { color: var(--alert) } [hidden] { display: none !important }
@media (max-width: 60rem) { body { display: block; padding: 1rem } nav { position: static; max-height: none } nav a { display: inline-block; margin-right: 1rem } summary span { margin-left: 0; flex-basis: 100%; text-align: left } td { display: block; width: auto !important; border: 0; padding: .1rem 0 } td:last-child { margin-bottom: .5rem } }
`
