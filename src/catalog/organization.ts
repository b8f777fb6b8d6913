// Organizations in the management API (docs/management.md#organizations). Unlike other entities they are not inside the
// caller's organization: a signed-in user sees those that they belong to, and may make new ones; an API key
// sees its own.
//
//   POST {"name":"North plant"}  ->  the caller owns it
import { demandPublic } from '../access/cover.ts'
import type { Access } from '../access/guard.ts'
import { isOwnHost, knowsOwnName } from '../base/http/address.ts'
import type { Call, Handler, Route } from '../base/http/call.ts'
import { readInput } from '../base/http/input.ts'
import { badRequest, forbidden, notFound, shorten } from '../base/errors.ts'
import type { Members, Reader } from '../base/http/members.ts'
import {
  blankable,
  boolean,
  further,
  nullable,
  objectOf,
  readMembers,
  shownUid,
  text,
  timeZone,
  trueOrFalse,
  unlessBlank,
  versionNumber,
  wholeNumber,
} from '../base/http/members.ts'
import { listReply, oneReply } from '../base/http/list-reply.ts'
import { readPage } from '../base/http/page.ts'
import type { Reply } from '../base/http/reply.ts'
import { jsonReply } from '../base/http/reply.ts'
import type { Transaction } from '../base/database/sql.ts'
import type { World } from '../base/world.ts'
import { auditChange } from '../core/audit-change.ts'
import { writeAudit } from '../core/audit.ts'
import type { Caller, Method } from '../core/caller.ts'
import { demand, userCaller } from '../core/caller.ts'
import { endSomeOfOrganization, unfinishedAfter } from '../core/ending.ts'
import type { Brand, Organization } from '../core/organization.ts'
import {
  createOrganization,
  deleteOrganization,
  findOrganizationByKey,
  isOfOperator,
  listOrganizations,
  lockOrganization,
  organizationSorts,
  updateOrganization,
} from '../core/organization.ts'
import { insertRemoval } from '../core/upkeep/removal-progress.ts'
import { countStreamsOfOrganization } from '../core/stream.ts'
import { refuseManyMemberships } from '../core/user.ts'
import { changeFor } from './change.ts'
import { envelope, refuseStale, withGiven } from './entity.ts'
import { describeEntity } from './entity-description.ts'
import { removedReply } from './removal.ts'

const logo: Reader<string> = further(text(0, 200_000), {}, (name, written) => {
  const isImage = /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(written)
  if (written !== '' && !isImage && !/^\/(?![/\\])/.test(written))
    throw badRequest(`${name} must be a data: URL of an image, or a path of this server`)
  return written
})
const domain: Reader<string> = further(text(0, 253), {}, (name, given) => {
  const written = given.toLowerCase()
  if (!/^([a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*)?$/.test(written))
    throw badRequest(`${name} must be a host name, not '${shorten(written)}'`)
  return written
})
const brand: Reader<Brand> = further(
  objectOf({ domain: blankable(domain), name: blankable(text(1, 200)), logo: blankable(logo) }),
  {},
  (_name, given) => Object.fromEntries(Object.entries(given).filter(([, member]) => member !== null)),
)

const members = {
  uid: shownUid,
  name: text(1, 512),
  timeZone: unlessBlank(timeZone),
  public: boolean,
  plan: objectOf({ gsql: boolean }),
  retentionDays: nullable(wholeNumber(1, 100_000)),
  brand: blankable(brand),
  version: versionNumber,
}

const filters = { name: text(0, 512), public: trueOrFalse }
const sorts = Object.keys(organizationSorts)

const about = describeEntity(
  'organization',
  {
    part: 'management',
    one: 'an organization',
    many: 'organizations',
    newMembers: members,
    changeMembers: members,
    needs: ['name'],
    example: { name: 'North plant', timeZone: 'Europe/Berlin' },
  },
  filters,
  sorts,
)

type OrganizationMembers = Members<typeof members>

const nothing = () => undefined

export const organizationRoutes = (world: World, access: Access): readonly Route[] => {
  const readOrganization = async (call: Call): Promise<OrganizationMembers> => {
    const given = readMembers('organization', await readInput(call), members)
    const own = given.brand?.domain
    if (own !== undefined && isOwnHost(world.config, own))
      throw badRequest(`the domain '${own}' is this service's own, or an address`)
    return given
  }

  /**
   * Refuses a domain that may be the service's own, which only its operator knows. An unchanged one may be sent back.
   */
  const refuseUnsureDomain = (organization: Organization, given: OrganizationMembers): void => {
    const own = given.brand?.domain
    if (own === undefined || own === organization.brand.domain) return
    if (!knowsOwnName(world.config) && !isOfOperator(organization))
      throw forbidden(
        'a domain can be claimed once the operator has set BASE_URL: this service does not know its own name',
      )
  }

  /**
   * Handles a call about the organization of the path: the form is judged first, then the right, then its existence.
   */
  const forOne = <Given>(
    method: Method,
    read: (call: Call) => Given | Promise<Given>,
    handle: (caller: Caller, given: Given, call: Call) => Promise<Reply>,
  ): Handler =>
    access.guardAccount(async ({ callers }, call) => {
      const uid = call.params['uid']!
      const given = await read(call)
      const caller = callers.find(({ organizationUid }) => organizationUid === uid)
      // An organization of others does not exist for a user; a key has its rights, or has not, for any uid.
      const judged = caller ?? callers.find(({ user }) => user === undefined)
      if (judged) demand(judged, `${method} organization`, uid)
      if (caller === undefined) throw notFound('organization', uid)
      return handle(caller, given, call)
    })

  const list = access.guardAccount(async ({ callers }, call) => {
    const { public: isPublic, ...search } = readPage(call.query, filters, sorts)
    callers.forEach((caller) => demand(caller, 'GET organization', caller.organizationUid))
    const keys = callers.map(({ organizationKey }) => organizationKey)
    return listReply(
      call,
      world.sql,
      about.list.rows,
      (sql) => listOrganizations(sql, keys, search, { ...search, isPublic }),
      show,
    )
  })

  const one = forOne('GET', nothing, async ({ organizationKey, organizationUid }, _given, call) => {
    const organization = await findOrganizationByKey(world.sql, organizationKey)
    if (organization === undefined) throw notFound('organization', organizationUid)
    return oneReply(call, about.list.rows, show(organization))
  })

  const readNew = async (call: Call) => {
    const { name, ...given } = await readOrganization(call)
    if (name === undefined) throw badRequest('an organization must have a name')
    return { name, given }
  }
  const create = access.guardAccount(async ({ user }, call) => {
    const { name, given } = await readNew(call)
    if (user === undefined) throw forbidden('this call needs a signed-in user')
    const organization = await changeFor(call, world.sql, async (sql) => {
      await refuseManyMemberships(sql, user.userKey)
      const made = await createOrganization(sql, name, user.userKey)
      const caller = userCaller(made, { key: user.userKey, uid: user.userUid, role: 'owner' })
      refuseUnsureDomain(made, given)
      const completed = Object.keys(given).length === 0 ? made : await change(sql, caller, made, given)
      await writeAudit(sql, caller, 'organization.create', made.uid, await auditChange(undefined, show(completed)))
      return completed
    })
    await access.refresh()
    return jsonReply(envelope('organization', show(organization)), 201)
  })

  const update = forOne('PUT', readOrganization, async (caller, given, call) => {
    const organization = await changeFor(call, world.sql, async (sql) => {
      const locked = await lockOrganization(sql, caller.organizationKey)
      if (locked === undefined) throw notFound('organization', caller.organizationUid)
      refuseStale('organization', given, locked)
      refuseUnsureDomain(locked, given)
      const changed = await change(sql, caller, locked, given)
      await writeAudit(sql, caller, 'organization.update', locked.uid, await auditChange(show(locked), show(changed)))
      return changed
    })
    await access.refresh()
    return jsonReply(envelope('organization', show(organization)))
  })

  const remove = forOne('DELETE', nothing, async (caller, _given, call) => {
    const removal = await changeFor(call, world.sql, async (sql) => {
      const ended = await endSomeOfOrganization(sql, caller.organizationKey)
      if (ended) return unfinishedAfter(sql, caller, 'organization.end_some', caller.organizationUid, ended)
      const found = await findOrganizationByKey(sql, caller.organizationKey)
      const streams = await countStreamsOfOrganization(sql, caller.organizationKey)
      await deleteOrganization(sql, { key: caller.organizationKey, uid: caller.organizationUid })
      const gone = await auditChange(found && show(found), undefined)
      await writeAudit(sql, caller, 'organization.delete', caller.organizationUid, gone)
      return insertRemoval(sql, caller, {
        entity: 'organization',
        subject: caller.organizationUid,
        name: found?.name ?? '',
        componentUid: null,
        streams,
      })
    })
    await access.refresh()
    return removedReply(removal)
  })

  const path = '/api/organization'
  return [
    { method: 'GET', path, handle: list, description: about.list },
    { method: 'GET', path: `${path}/:uid`, handle: one, description: about.one },
    { method: 'POST', path, handle: create, description: about.create },
    { method: 'PUT', path: `${path}/:uid`, handle: update, description: about.update },
    { method: 'DELETE', path: `${path}/:uid`, handle: remove, description: about.remove },
  ]
}

const change = async (
  sql: Transaction,
  caller: Caller,
  organization: Organization,
  given: OrganizationMembers,
): Promise<Organization> => {
  if (given.public === true && !organization.isPublic) demandPublic(caller)
  const { public: isPublic, brand: branding, plan, ...rest } = given
  const changed = withGiven(organization, {
    ...rest,
    isPublic,
    brand: branding === null ? {} : branding,
    plan: plan && { ...organization.plan, ...plan },
  })
  return updateOrganization(sql, organization, changed)
}

const show = (organization: Organization) => ({
  uid: organization.uid,
  name: organization.name,
  timeZone: organization.timeZone,
  public: organization.isPublic,
  plan: organization.plan,
  retentionDays: organization.retentionDays,
  brand: organization.brand,
  version: organization.version,
})
