// Removals that say how far they are (docs/management.md#removals).
import assert from 'node:assert/strict'
import { countSome, removeSome, removeSomeOfOrganization } from '../../src/core/upkeep/removal.ts'
import { removeOldRemovals } from '../../src/core/upkeep/removal-progress.ts'
import { addPerson, clientWith } from '../support/http.ts'
import type { Person } from '../support/http.ts'
import { addApiKey, addOrganization, addToken } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

type Removal = {
  readonly uid: string
  readonly entity: string
  readonly subject: string
  readonly name: string
  readonly start: number
  readonly end: number | null
  readonly streams: number
  readonly streamsRemoved: number
  readonly samples: number | null
  readonly samplesRemoved: number
}

describe('a removal in the background', function () {
  let service: TestService
  let owner: Person
  before(async () => {
    service = await openTestService()
    owner = await addPerson(service, 'owner')
  })
  after(() => service.close())

  /** A component with two streams of so many samples. */
  const fill = async (id: string, samples: number): Promise<string> => {
    const values = Array.from({ length: samples }, (_, n) => n).join(',')
    assert.equal((await service.put(`/api/feed?compId=${id}&a=${values}&b=${values}&freq=60000`)).status, 200)
    const { body } = await owner.call('GET', `/api/component?id=${id}`)
    return (body as { readonly component: readonly { readonly uid: string }[] }).component[0]!.uid
  }
  const removalIn = (body: unknown) => (body as { readonly removal: Removal }).removal
  const shown = async (uid: string) => removalIn((await owner.call('GET', `/api/removal/${uid}`)).body)
  const progress = ({ streamsRemoved, samples, samplesRemoved, end }: Removal) => ({
    streamsRemoved,
    samples,
    samplesRemoved,
    isOver: end !== null,
  })
  const removeAll = async () => {
    while ((await removeSomeOfOrganization(service.sql)) || (await countSome(service.sql)));
    for (;;) {
      const { streams, samples } = await removeSome(service.sql)
      if (streams + samples === 0) return
    }
  }

  it('is answered with 202 and its progress, which goes on step by step until it is over', async () => {
    const uid = await fill('Old', 30)
    const { status, body } = await owner.call('DELETE', `/api/component/${uid}`)
    assert.equal(status, 202)
    const removal = removalIn(body)
    assert.deepEqual(
      { ...removal, uid: '', start: 0 },
      {
        uid: '',
        entity: 'component',
        subject: uid,
        name: 'Old',
        start: 0,
        end: null,
        streams: 2,
        streamsRemoved: 0,
        samples: null,
        samplesRemoved: 0,
      },
    )
    while (await countSome(service.sql));
    assert.deepEqual(progress(await shown(removal.uid)), {
      streamsRemoved: 0,
      samples: 60,
      samplesRemoved: 0,
      isOver: false,
    })
    await removeSome(service.sql, 40)
    assert.deepEqual(progress(await shown(removal.uid)), {
      streamsRemoved: 1,
      samples: 60,
      samplesRemoved: 40,
      isOver: false,
    })
    await removeAll()
    assert.deepEqual(progress(await shown(removal.uid)), {
      streamsRemoved: 2,
      samples: 60,
      samplesRemoved: 60,
      isOver: true,
    })
  })

  it('is listed, by its entity, and whether it is done', async () => {
    const uid = await fill('Listed', 3)
    const { body: made } = await owner.call('GET', `/api/stream?componentUid=${uid}`)
    const [stream] = (made as { readonly stream: readonly { readonly uid: string }[] }).stream
    const { status, body } = await owner.call('DELETE', `/api/stream/${stream!.uid}`)
    assert.equal(status, 202)
    const list = async (query: string) => {
      const reply = await owner.call('GET', `/api/removal?${query}`)
      return (reply.body as { readonly removal: readonly Removal[] }).removal.map((one) => one.uid)
    }
    assert.deepEqual(await list('done=false&entity=stream'), [removalIn(body).uid])
    assert.deepEqual(await list('done=true&entity=stream'), [])
    await removeAll()
    assert.deepEqual(await list('done=true&entity=stream&sort=-end'), [removalIn(body).uid])
    assert.equal((await owner.call('GET', '/api/removal/none')).status, 404)
  })

  it('is not asked for where there are no samples', async () => {
    const { body } = await owner.call('POST', '/api/component', { id: 'Empty', stream: [{ id: 'a' }] })
    const { uid } = (body as { readonly component: { readonly uid: string } }).component
    const gone = await owner.call('DELETE', `/api/component/${uid}`)
    assert.deepEqual([gone.status, gone.body], [200, { success: true, message: '' }])
  })

  it('is shown to those who may see the component, by a token too, and to nobody else', async () => {
    const [uid, otherUid] = [await fill('Mine', 2), await fill('Other', 2)]
    const mine = removalIn((await owner.call('DELETE', `/api/component/${uid}`)).body)
    const other = removalIn((await owner.call('DELETE', `/api/component/${otherUid}`)).body)
    const { secret } = await addApiKey(service.sql, service.organizationUid, [
      { resource: `component/${uid}`, methods: ['GET', 'DELETE'] },
    ])
    const key = clientWith(service, `api_key=${secret}`)
    assert.equal((await key('GET', `/api/removal/${mine.uid}`)).status, 200)
    assert.equal((await key('GET', `/api/removal/${other.uid}`)).status, 403)
    assert.equal((await key('GET', '/api/removal/none')).status, 403)
    assert.equal((await key('GET', '/api/removal')).status, 403)
    const token = await addToken(service.sql, service.organizationUid, owner.user, { scope: 'read' })
    assert.equal((await clientWith(service, `access_token=${token}`)('GET', `/api/removal/${mine.uid}`)).status, 200)
    const organization = await addOrganization(service.sql, 'Elsewhere', (await addPerson(service, 'guest')).user)
    const stranger = await addPerson(service, 'owner', organization.uid)
    assert.equal((await stranger.call('GET', `/api/removal/${mine.uid}`)).status, 404)
    await removeAll()
  })

  it('is not shown to a token of another organization, though its user has asked for it', async () => {
    const person = await addPerson(service, 'owner')
    const removal = removalIn((await person.call('DELETE', `/api/component/${await fill('Hers', 2)}`)).body)
    const organization = await addOrganization(service.sql, 'Her other one', person.user)
    const token = await addToken(service.sql, organization.uid, person.user, { scope: 'read' })
    const call = clientWith(service, `access_token=${token}`)
    assert.equal((await call('GET', `/api/removal/${removal.uid}`)).status, 404)
    const { status, body } = await call('GET', '/api/removal')
    assert.deepEqual([status, body], [200, { success: true, message: '', removal: [], totalCount: 0 }])
    await removeAll()
  })

  it('is not shown to its user who has left the organization, nor listed', async () => {
    const person = await addPerson(service, 'admin')
    const { uid } = removalIn((await person.call('DELETE', `/api/component/${await fill('Left', 2)}`)).body)
    const listed = async () => {
      const { body } = await person.call('GET', '/api/removal')
      return (body as { readonly removal: readonly Removal[] }).removal.map((one) => one.uid)
    }
    assert.deepEqual(
      [(await person.call('GET', `/api/removal/${uid}`)).status, (await listed()).includes(uid)],
      [200, true],
    )
    // To another organization: the last one takes the account along.
    await addOrganization(service.sql, 'Her next one', person.user)
    assert.equal((await owner.call('DELETE', `/api/user/${person.user.uid}`)).status, 200)
    assert.deepEqual([(await person.call('GET', `/api/removal/${uid}`)).status, await listed()], [404, []])
    assert.equal((await owner.call('GET', `/api/removal/${uid}`)).status, 200)
    await removeAll()
  })

  it('is seen, where it is of an organization, by the user who deleted it and may belong to none any more', async () => {
    const { user, call } = await addPerson(service, 'guest')
    await service.sql`delete from member where user_key = ${user.key}`
    const organization = await addOrganization(service.sql, 'Gone', user)
    const all = [{ resource: '*', methods: ['GET', 'PUT', 'POST'] as const }]
    const { secret } = await addApiKey(service.sql, organization.uid, all)
    const put = (id: string) => service.request('PUT', `/api/feed?compId=${id}&a=1&b=2&api_key=${secret}`)
    for (const id of ['x', 'y', 'z']) assert.equal((await put(id)).status, 200)
    const { status, body } = await call('DELETE', `/api/organization/${organization.uid}`)
    assert.equal(status, 202)
    const { uid, name, streams, samples } = removalIn(body)
    assert.deepEqual([name, streams, samples], ['Gone', 6, null])
    assert.equal((await owner.call('GET', `/api/removal/${uid}`)).status, 404)
    await removeAll()
    const after = await call('GET', `/api/removal/${uid}`)
    assert.equal(after.status, 200, JSON.stringify(after.body))
    assert.deepEqual(progress(removalIn(after.body)), {
      streamsRemoved: 6,
      samples: 6,
      samplesRemoved: 6,
      isOver: true,
    })
  })

  it('is forgotten when it has been over for 30 days', async () => {
    const count = async () => (await service.sql`select from removal_progress`).length
    assert.ok((await count()) > 0)
    await removeOldRemovals(service.sql, Date.now() + 29 * 86_400_000)
    assert.ok((await count()) > 0)
    await removeOldRemovals(service.sql, Date.now() + 31 * 86_400_000)
    assert.equal(await count(), 0)
  })
})
