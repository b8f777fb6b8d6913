// The place in the studio, kept behind the # of the address (docs/studio.md#addresses): #/component/<uid>?from=…. The
// server knows one page only, and a link shows a colleague the same.
import { batch, effect, signal } from '@preact/signals'
import { addressIn, addressOf, placeAt } from './address.ts'
import type { QueryOf } from './address.ts'
import { chooseOrganization, lastPersonUid, linkedOrganization, organization, person } from './session.ts'

export const place = signal(placeAt(location.hash))

const follow = (): void =>
  batch(() => {
    place.value = placeAt(location.hash)
    linkedOrganization.value = place.value.query.get('org') ?? ''
  })
follow()
addEventListener('hashchange', follow)

/** Undefined where there is no choice. */
const ownOrganization = (): string | undefined =>
  (person.value?.organizations.length ?? 0) > 1 ? organization.value?.uid : undefined

/** The address of a place: to(['component', uid], { tab: 'files' }). */
export const to = (path: readonly string[], query: QueryOf = {}): string => addressOf(path, query, ownOrganization())

export const go = (path: readonly string[], query?: QueryOf): void => {
  location.hash = to(path, query)
}

const replace = (address: string): void => {
  history.replaceState(null, '', address)
  follow()
}

/** Changes the query of the place that is shown, without a step in the browser's history. */
export const replaceQuery = (query: QueryOf): void => replace(to(place.value.path, query))

export const changeOrganization = (uid: string): void =>
  batch(() => {
    chooseOrganization(uid)
    replace(addressIn(place.peek(), uid))
  })

/** Whose place it is; empty: nobody was signed in here yet, and a link is followed by whoever signs in. */
let ownerUid = ''

// A script or a search stands in the address: it goes as its person signs out, in whichever window, or somebody else comes.
effect(() => {
  if (person.value === undefined) return
  const uid = person.value?.userUid ?? lastPersonUid()
  if (ownerUid !== '' && uid !== ownerUid) {
    ownerUid = ''
    replace(addressOf([], {}))
  }
  if (person.value) ownerUid = uid
})

// An address that somebody typed, or kept from before: the browser's line is copied, too.
effect(() => {
  const org = ownOrganization()
  if (org !== undefined && !place.value.query.has('org')) replace(addressIn(place.value, org))
})
