// Finds out whether a page of another site made the browser send a call: a browser adds its cookies to that too.
// SameSite holds back most of it; this also holds back a sibling domain. Devices name no origin, and pass.
import type { Call } from '../base/http/call.ts'
import { forbidden } from '../base/errors.ts'

/** For calls whose credential came in a cookie. */
export const refuseOtherSites = (headers: Call['headers'], baseUrl: string | undefined): void => {
  if (isByOtherSite(headers, baseUrl)) throw forbidden('a cookie is no credential for a call that another site makes')
}

/** Old browsers name the origin only. */
export const isByOtherSite = (headers: Call['headers'], baseUrl: string | undefined): boolean => {
  const { 'sec-fetch-site': site, origin, host } = headers
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  if (origin === undefined || origin === originOf(baseUrl)) return false
  return !URL.canParse(origin) || new URL(origin).host !== host
}

const originOf = (baseUrl: string | undefined) => (baseUrl === undefined ? undefined : new URL(baseUrl).origin)
