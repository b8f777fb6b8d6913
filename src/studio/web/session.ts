// The person at the studio: signed in or not, in which organization, with which role. Every call goes through `client`,
// which names the organization; a call that finds the session ended brings the sign-in back, over the place one was at.
import { computed, signal } from '@preact/signals'
import { createClient, CoppiceError } from '../../client/client.ts'
import type { Client } from '../../client/client.ts'
import { organizationAt, serverAt } from './address.ts'
import { fetchPatiently } from './patience.ts'

export type Role = 'guest' | 'member' | 'admin' | 'owner'
export type Membership = {
  readonly uid: string
  readonly name: string
  readonly role: Role
  /** Whether it runs the server. */
  readonly operator?: boolean
}
export type Person = {
  readonly userUid: string
  readonly email: string
  /** The e-mail, where there is no name. */
  readonly name: string
  readonly organizations: readonly Membership[]
}

/** Undefined until the server has said who is signed in; null: nobody is. */
export const person = signal<Person | null | undefined>(undefined)

const chosenOrganization = signal(recall('organization'))

/** As the address names it; empty: it names none. */
export const linkedOrganization = signal('')

export const organization = computed<Membership | undefined>(() =>
  organizationAt(person.value?.organizations ?? [], linkedOrganization.value, chosenOrganization.value),
)

export const chooseOrganization = (uid: string): void => {
  chosenOrganization.value = uid
  remember('organization', uid)
}

const ranks: readonly Role[] = ['guest', 'member', 'admin', 'owner']

/** Whether the person has this role in the organization, or a higher one: actions that the server would refuse are not offered. */
export const hasRole = (role: Role): boolean =>
  ranks.indexOf(organization.value?.role ?? 'guest') >= ranks.indexOf(role)

/** Whether the person may see how the server is doing. */
export const isOperator = (): boolean => organization.value?.operator === true && hasRole('admin')

/** Of the server, without a slash at its end. */
export const url = serverAt(location.href)

const stranger = createClient({ url })

/** The calls of the person, in the chosen organization. */
export const client = computed<Client>(() => createClient({ url, org: organization.value?.uid, fetch: watched }))

/** Whether the server cannot be reached. */
export const isAway = signal(false)
/** How often it came back: pages load anew by it. */
export const back = signal(0)

/** A 401 means that the session has ended: it has expired, or somebody has ended it. */
const watched: typeof fetch = async (input, init) => {
  try {
    const reply = await patiently(input, init)
    if (reply.status === 401) endSession()
    // A proxy answers so for a server that is away.
    if (reply.status === 502 || reply.status === 504) noticeAway()
    return reply
  } catch (error) {
    if (!init?.signal?.aborted) noticeAway()
    throw error
  }
}

export const endSession = (): void => {
  person.value = null
}

const noticeAway = (): void => {
  if (isAway.peek()) return
  isAway.value = true
  const look = async () => {
    try {
      await loadPerson(0)
      isAway.value = false
      back.value += 1
    } catch {
      setTimeout(() => void look(), lookAgainMs)
    }
  }
  setTimeout(() => void look(), lookAgainMs)
}

const lookAgainMs = 1500

const patiently = fetchPatiently(() => isReachable())

/** A server that is there answers this at once. */
const longestLookMs = 10_000

/** Looks for the server, and notices where it is away. */
export const isReachable = async (): Promise<boolean> => {
  try {
    await loadPerson(0)
    return true
  } catch {
    noticeAway()
    return false
  }
}

export const loadPerson = async (retries?: number): Promise<void> => {
  const look = retries === undefined ? {} : { retries, signal: AbortSignal.timeout(longestLookMs) }
  const found = personOf(await stranger.call('GET /api/login', look))
  // The same person is left alone, so that nothing is drawn anew.
  if (person.peek()?.userUid !== found?.userUid || found === null) meet(found)
}

export const signIn = async (email: string, password: string): Promise<void> => {
  meet(personOf(await stranger.call('POST /api/login', { body: { email, password }, retries: 0 })))
}

const meet = (found: Person | null): void => {
  if (found !== null) ownBy(found.userUid)
  person.value = found
}

export const signOut = async (): Promise<void> => {
  try {
    await stranger.call('DELETE /api/login')
  } catch (error) {
    if (!(error instanceof CoppiceError)) return noticeAway()
    // The session had ended already.
    if (error.status !== 401) throw error
  }
  ownBy('')
  endSession()
}

/** The cookie is of the whole browser: who signs in or out in one window does so in all, and each looks who it is. */
export const followOthers = (): void => {
  const look = () => void (person.peek() === undefined || loadPerson(0).catch(() => {}))
  addEventListener('storage', ({ key }) => key === keyOf('person') && look())
  // A page that the browser has kept for the way back comes into view, too.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look())
}

type LoginReply = {
  readonly userUid?: string | null
  readonly userEmail?: string | null
  readonly userFirstName?: string | null
  readonly userLastName?: string | null
  readonly organization?: readonly unknown[]
}

const personOf = (reply: LoginReply): Person | null =>
  typeof reply.userUid === 'string'
    ? {
        userUid: reply.userUid,
        email: reply.userEmail ?? '',
        name: [reply.userFirstName, reply.userLastName].filter(Boolean).join(' ') || (reply.userEmail ?? ''),
        organizations: (reply.organization ?? []) as readonly Membership[],
      }
    : null

/** Choices of a person are kept in the browser; where it keeps nothing, they are made again. */
export function recall(name: string): string {
  try {
    return localStorage.getItem(keyOf(name)) ?? ''
  } catch {
    return ''
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(keyOf(name), value)
  } catch {
    // Private windows keep nothing.
  }
}

function keyOf(name: string): string {
  return `coppice.${name}`
}

/** Texts that are one person's: they go as the person signs out, or somebody else signs in. */
const ownTexts = ['script', 'scripts'] as const

/** Of whom all windows are; empty: of nobody, who has signed out. */
export const lastPersonUid = (): string => recall('person')

const ownBy = (userUid: string): void => {
  if (lastPersonUid() === userUid) return
  for (const name of ownTexts) remember(name, '')
  remember('person', userUid)
}
