// A channel: listeners who hear the same streams in the same form, so that their events are made once for all of them.
// Channels are found by what they hear: by stream, component or folder.
import type { Caller, KeyScope } from '../core/caller.ts'
import type { HeardStream, PlacedFolder, Subscription } from '../core/live/heard-stream.ts'
import type { Wanted } from '../core/live/journal.ts'
import type { Show } from './show.ts'

export type Channel<Listener> = {
  readonly name: string
  readonly organizationKey: number
  readonly tenantUid: string
  readonly subscription: Subscription
  /** Of the streams of single components; in folders all are looked at. */
  readonly wanted: Wanted
  readonly show: Show
  /** The same as a text: channels of one form have the same events. */
  readonly form: string
  /** Of the components in folders, some may be closed to a caller who may read the others. */
  readonly may: (stream: HeardStream) => boolean
  readonly listeners: Set<Listener>
}

export type ChannelFacts = {
  readonly caller: Caller
  readonly subscription: Subscription
  /** The components of the streams and the components themselves. */
  readonly componentKeys: readonly number[]
  readonly show: Show
}

/** Beyond it the journal of the whole organization is read. */
const mostWantedComponents = 500

export class Channels<Listener> {
  readonly #byName = new Map<string, Channel<Listener>>()
  readonly #byStream = new Map<number, Set<Channel<Listener>>>()
  readonly #byComponent = new Map<number, Set<Channel<Listener>>>()
  readonly #byFolder = new Map<string, Set<Channel<Listener>>>()
  /** By tenant, in the order of their turns. */
  readonly #foldersOf = new Map<string, Set<string>>()
  readonly #byOrganization = new Map<number, Set<Channel<Listener>>>()
  readonly #byTenant = new Map<string, Set<Channel<Listener>>>()
  /** Tenants whose journal is not read together with that of the others. */
  readonly #apart = new Set<string>()
  /** Of keys: each as it was read has a number, and one whose rights were changed has another. */
  readonly #numbers = new WeakMap<KeyScope, number>()
  #lastNumber = 0
  #wanted: Wanted | undefined

  all(): Iterable<Channel<Listener>> {
    return this.#byName.values()
  }

  add(facts: ChannelFacts, listener: Listener): Channel<Listener> {
    const name = nameOf(facts, this.#numberOf(facts.caller.key))
    const channel = this.#byName.get(name) ?? this.#open(name, facts)
    channel.listeners.add(listener)
    return channel
  }

  remove(channel: Channel<Listener>, listener: Listener): void {
    channel.listeners.delete(listener)
    if (channel.listeners.size > 0 || this.#byName.get(channel.name) !== channel) return
    this.#byName.delete(channel.name)
    this.#wanted = undefined
    this.#index(channel, (map, key) => {
      const known = map.get(key)
      known?.delete(channel)
      if (known?.size === 0) map.delete(key)
    })
    this.#forgetFolders(channel)
  }

  /** Those that hear the stream, each once. Only of those that are looked for the rights are: that takes longest. */
  hearing(
    stream: HeardStream,
    isLookedFor: (channel: Channel<Listener>) => boolean = () => true,
  ): ReadonlySet<Channel<Listener>> {
    const found = new Set<Channel<Listener>>()
    for (const channel of this.#byStream.get(stream.key) ?? []) if (isLookedFor(channel)) found.add(channel)
    for (const channel of this.#byComponent.get(stream.componentKey) ?? []) if (isLookedFor(channel)) found.add(channel)
    for (const channels of this.#above(stream))
      for (const channel of channels)
        if (!found.has(channel) && isLookedFor(channel) && channel.may(stream)) found.add(channel)
    return found
  }

  /** The same of one channel, which is not searched for among the others: there may be thousands. */
  hears(channel: Channel<Listener>, stream: HeardStream): boolean {
    if (this.#byStream.get(stream.key)?.has(channel)) return true
    if (this.#byComponent.get(stream.componentKey)?.has(channel)) return true
    for (const channels of this.#above(stream)) if (channels.has(channel)) return channel.may(stream)
    return false
  }

  /** The channels of each folder that the stream is in or below. */
  *#above({ organizationKey, folder }: HeardStream): Generator<ReadonlySet<Channel<Listener>>> {
    if (this.#byFolder.size === 0) return
    for (let path = folder; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
      const channels = this.#byFolder.get(`${organizationKey} ${path}`)
      if (channels) yield channels
    }
  }

  /** Undefined where nobody listens to the organization. */
  tenantOf(organizationKey: number): string | undefined {
    const [channel] = this.#byOrganization.get(organizationKey) ?? []
    return channel?.tenantUid
  }

  hasTenant(tenantUid: string): boolean {
    return this.#byTenant.has(tenantUid)
  }

  *listenersOf(tenantUid: string): Generator<Listener> {
    for (const { listeners } of this.#byTenant.get(tenantUid) ?? []) yield* listeners
  }

  /** From here on the wants of the tenant are not among those of all. */
  setApart(tenantUid: string): void {
    this.#apart.add(tenantUid)
    this.#wanted = undefined
  }

  takeBack(tenantUid: string): void {
    this.#apart.delete(tenantUid)
    this.#wanted = undefined
  }

  /**
   * The wants of all of them together, made anew only when channels have come or gone: it is asked for some times a second.
   * Of an organization with many it is everything, and what nobody wants is left out afterwards.
   */
  wanted(): Wanted {
    this.#wanted ??= gatherWanted(this.#together())
    return this.#wanted
  }

  wantedOf(tenantUid: string): Wanted {
    return gatherWanted(this.#byTenant.get(tenantUid) ?? [])
  }

  *#together(): Generator<Channel<Listener>> {
    for (const channel of this.#byName.values()) if (!this.#apart.has(channel.tenantUid)) yield channel
  }

  /** Everything that must exist, each once. */
  heard(): { readonly streamKeys: readonly number[]; readonly componentKeys: readonly number[] } {
    const componentKeys = new Set<number>()
    for (const { wanted } of this.#byName.values()) for (const key of wanted.componentKeys) componentKeys.add(key)
    return { streamKeys: [...this.#byStream.keys()], componentKeys: [...componentKeys] }
  }

  /**
   * Some of the folders that must exist, a few of each tenant, and the next ones at the next time: it is asked for every second, and
   * a tenant may listen to a hundred thousand.
   */
  nextFolders(mostOfTenant: number): readonly PlacedFolder[] {
    const next: PlacedFolder[] = []
    for (const names of this.#foldersOf.values()) {
      let left = Math.min(mostOfTenant, names.size)
      for (const name of names) {
        if (left === 0) break
        left -= 1
        names.delete(name)
        names.add(name)
        const at = name.indexOf(' ')
        next.push({ organizationKey: Number(name.slice(0, at)), path: name.slice(at + 1) })
      }
    }
    return next
  }

  #numberOf(key: KeyScope | undefined): number {
    if (key === undefined) return 0
    const number = this.#numbers.get(key) ?? (this.#lastNumber += 1)
    this.#numbers.set(key, number)
    return number
  }

  #open(name: string, { caller, subscription, componentKeys, show }: ChannelFacts): Channel<Listener> {
    const { organizationKey, tenantUid } = caller
    const channel: Channel<Listener> = {
      name,
      organizationKey,
      tenantUid,
      subscription,
      wanted: { componentKeys, organizationKeys: subscription.folders.length > 0 ? [organizationKey] : [] },
      show,
      form: JSON.stringify(show),
      may: ({ componentUid }) => caller.may('GET component/feed', componentUid),
      listeners: new Set(),
    }
    this.#byName.set(name, channel)
    this.#wanted = undefined
    this.#index(channel, (map, key) => void map.set(key, (map.get(key) ?? new Set()).add(channel)))
    for (const path of subscription.folders) {
      const names = this.#foldersOf.get(tenantUid) ?? new Set()
      this.#foldersOf.set(tenantUid, names.add(`${organizationKey} ${path}`))
    }
    return channel
  }

  #forgetFolders({ tenantUid, organizationKey, subscription }: Channel<Listener>): void {
    const names = this.#foldersOf.get(tenantUid)
    for (const path of subscription.folders) {
      const name = `${organizationKey} ${path}`
      if (!this.#byFolder.has(name)) names?.delete(name)
    }
    if (names?.size === 0) this.#foldersOf.delete(tenantUid)
  }

  #index(channel: Channel<Listener>, each: <Key>(map: Map<Key, Set<Channel<Listener>>>, key: Key) => void): void {
    const { streamKeys, componentKeys, folders } = channel.subscription
    each(this.#byOrganization, channel.organizationKey)
    each(this.#byTenant, channel.tenantUid)
    for (const key of streamKeys) each(this.#byStream, key)
    for (const key of componentKeys) each(this.#byComponent, key)
    for (const path of folders) each(this.#byFolder, `${channel.organizationKey} ${path}`)
  }
}

const gatherWanted = (channels: Iterable<Pick<Channel<never>, 'organizationKey' | 'wanted'>>): Wanted => {
  const named = new Map<number, Set<number>>()
  const whole = new Set<number>()
  for (const { organizationKey, wanted } of channels) {
    if (whole.has(organizationKey)) continue
    const keys = named.get(organizationKey) ?? new Set()
    named.set(organizationKey, keys)
    for (const key of wanted.componentKeys) keys.add(key)
    if (wanted.organizationKeys.length > 0 || keys.size > mostWantedComponents) {
      whole.add(organizationKey)
      named.delete(organizationKey)
    }
  }
  return { componentKeys: [...named.values()].flatMap((keys) => Array.from(keys)), organizationKeys: [...whole] }
}

/**
 * Of a folder each caller may see something else, and a key whose rights were changed something else than before. Users
 * who may see some of it may see all of it.
 */
const nameOf = ({ caller, subscription, show }: ChannelFacts, keyNumber: number): string => {
  const { streamKeys, componentKeys, folders } = subscription
  const whose = folders.length === 0 ? caller.organizationKey : [caller.organizationUid, caller.actor, keyNumber]
  return JSON.stringify([
    whose,
    streamKeys.toSorted(byNumber),
    componentKeys.toSorted(byNumber),
    folders.toSorted(),
    show,
  ])
}

const byNumber = (one: number, other: number) => one - other
