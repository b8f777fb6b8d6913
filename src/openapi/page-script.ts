// The script of the description's page: it finds calls by words, and sends the one that is filled in. The credential stays
// in the page: nothing keeps it.

export const script = `
const all = [...document.querySelectorAll('details')]
const byId = (id) => document.getElementById(id)
byId('find').addEventListener('input', () => {
  const words = byId('find').value.toLowerCase().split(/\\s+/).filter(Boolean)
  for (const one of all) one.hidden = !words.every((word) => one.dataset.words.includes(word))
  for (const part of document.querySelectorAll('main > section')) part.hidden = ![...part.querySelectorAll('details')].some((one) => !one.hidden)
})
const open = () => {
  const named = location.hash && byId(decodeURIComponent(location.hash.slice(1)))
  if (named && named.tagName === 'DETAILS') named.open = true
}
addEventListener('hashchange', open)
open()
for (const one of all) one.addEventListener('toggle', () => {
  if (one.open) history.replaceState(null, '', '#' + encodeURIComponent(one.id))
})
byId('kind').addEventListener('change', () => {
  byId('credential').hidden = byId('kind').value === ''
  byId('credential').value = ''
  byId('credential').focus()
})
byId('kind').form.addEventListener('submit', (event) => event.preventDefault())
for (const form of document.querySelectorAll('details form')) form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const { method, path, type } = form.dataset
  const query = new URLSearchParams()
  let address = path
  for (const input of form.querySelectorAll('[data-in]')) {
    const isGiven = input.type === 'checkbox' ? input.checked : input.value !== ''
    if (input.dataset.in === 'path') address = address.replace('{' + input.name + '}', encodeURIComponent(input.value))
    else if (isGiven) query.append(input.name, input.type === 'checkbox' ? '' : input.value)
  }
  const more = form.querySelector('[name=" more"]')
  const body = form.querySelector('textarea')
  if (byId('kind').value === 'key') query.append('api_key', byId('credential').value)
  const target = address + (query.size > 0 ? '?' + query : '') + (more && more.value ? (query.size > 0 ? '&' : '?') + more.value.replace(/^[?&]/, '') : '')
  const headers = {}
  if (byId('kind').value === 'token') headers.Authorization = 'Bearer ' + byId('credential').value
  if (body && body.value) headers['Content-Type'] = type
  const [button, status, reply] = [form.querySelector('button'), form.querySelector('.status'), form.querySelector('.reply')]
  button.disabled = true
  try {
    const answer = await fetch(target, { method, headers, body: body && body.value ? body.value : undefined })
    const text = await answer.text()
    let shown = text
    try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
    status.textContent = method + ' ' + target.replace(/api_key=[^&]*/, 'api_key=…') + ': ' + answer.status + ' ' + answer.statusText
    status.classList.toggle('bad', !answer.ok)
    reply.textContent = shown.length > 100000 ? shown.slice(0, 100000) + ' …' : shown
    reply.hidden = shown === ''
  } catch (error) {
    status.textContent = 'no answer: ' + error.message
    status.classList.add('bad')
    reply.hidden = true
  }
  button.disabled = false
})
`
