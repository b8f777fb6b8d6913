// The authorization page as a browser without scripts goes through it: fields from the form, the cookie from the reply.
import assert from 'node:assert/strict'
import type { TestReply, TestService } from './service.ts'

/** The hidden fields of a page's first form. */
export const fieldsOf = (page: TestReply): Readonly<Record<string, string>> => {
  const [form = ''] = page.text.split('</form>')
  const found = form.matchAll(/<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g)
  return Object.fromEntries([...found].map(([, name, value]) => [name, unescape(value!)]))
}

const unescape = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The authorization request that a page's forms carry. */
export const carriedIn = (page: TestReply) =>
  JSON.parse(Buffer.from(fieldsOf(page)['carried']!, 'base64url').toString()) as Record<string, string>

export const carry = (request: Readonly<Record<string, string>>) =>
  Buffer.from(JSON.stringify(request)).toString('base64url')

export const cookieOf = (page: TestReply) => (page.headers.get('set-cookie') ?? '').split(';')[0]!

/** Signs in and agrees; gives the address that the browser is sent to. */
export const agree = async (service: TestService, address: URL, email: string, password: string): Promise<string> => {
  const page = await service.request('GET', `${address.pathname}${address.search}`)
  const cookie = cookieOf(page)
  const post = (form: Readonly<Record<string, string>>) =>
    service.request('POST', address.pathname, { body: new URLSearchParams(form), headers: { Cookie: cookie } })
  const consent = await post({ ...fieldsOf(page), email, password, step: 'signin' })
  assert.equal(consent.status, 200)
  const reply = await post({ ...fieldsOf(consent), step: 'allow' })
  assert.equal(reply.status, 303)
  return reply.headers.get('location')!
}
