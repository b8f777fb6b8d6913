// Units and folders in the management API (docs/management.md#entities), rule by rule.
import assert from 'node:assert/strict'
import type { Manager } from '../support/manage.ts'
import { done, openManager, refusal } from '../support/manage.ts'
import type { TestService } from '../support/service.ts'
import { openTestService } from '../support/service.ts'

const inUse = (path: string) => refusal(409, 'conflict', `folder '${path}' has components or folders in it`)

describe('managing units and folders', () => {
  let service: TestService
  let manage: Manager
  before(async () => {
    service = await openTestService()
    manage = await openManager(service)
  })
  after(() => service.close())

  describe('a unit', () => {
    const table: readonly [input: unknown, message: string][] = [
      [{}, 'a unit must have a name or an id'],
      [{ id: 'u', symbol: 7 }, 'symbol must be a string'],
      [{ id: 'u', symbol: 'x'.repeat(65) }, 'symbol must have at most 64 characters'],
      [{ id: 'u', symbolLocation: 'above' }, 'symbolLocation must be one of before, after'],
      [{ id: 'u', numberFormat: 'two decimals' }, "numberFormat must be like 0,000.00, not 'two decimals'"],
      [
        { id: 'u', booleanStyle: 'UP_DOWN' },
        'booleanStyle must be one of TRUE_FALSE, ONE_ZERO, ON_OFF, YES_NO, CLOSE_OPEN, OPEN_CLOSE, HIGH_LOW, LOW_HIGH',
      ],
    ]
    for (const [input, message] of table)
      it(`is refused: ${message.slice(0, 70)}`, async () => {
        assert.deepEqual(await manage.ask('POST', '/api/unit', input), refusal(400, 'bad_request', message))
      })

    it('is refused with an ID that is taken', async () => {
      await manage.make('unit', { id: 'taken' })
      const taken = refusal(409, 'conflict', "there is a unit with the id 'taken'")
      assert.deepEqual(await manage.ask('POST', '/api/unit', { id: 'taken' }), taken)
      const { uid } = await manage.make('unit', { id: 'free' })
      assert.deepEqual(await manage.ask('PUT', `/api/unit/${uid}`, { id: 'taken' }), taken)
    })

    it('is refused in a stale version', async () => {
      const { uid } = await manage.make('unit', { id: 'aging' })
      assert.equal((await manage.ask('PUT', `/api/unit/${uid}`, { symbol: 'a', version: 1 })).status, 200)
      assert.deepEqual(
        await manage.ask('PUT', `/api/unit/${uid}`, { symbol: 'b', version: 1 }),
        refusal(409, 'stale_version', 'this unit was changed by somebody else since you read it'),
      )
    })
  })

  it('makes, shows, changes and deletes a unit', async () => {
    const { uid } = await manage.make('unit', { id: 'celsius', symbol: ' °C' })
    const unit = {
      uid,
      id: 'celsius',
      name: 'celsius',
      symbol: ' °C',
      symbolLocation: 'after',
      numberFormat: '',
      booleanStyle: 'TRUE_FALSE',
      version: 1,
    }
    assert.deepEqual(await manage.ask('GET', `/api/unit/${uid}`), { status: 200, body: { ...done, unit } })
    assert.deepEqual(
      await manage.ask('PUT', `/api/unit/${uid}`, { ...unit, numberFormat: '0.0', booleanStyle: 'ON_OFF' }),
      { status: 200, body: { ...done, unit: { ...unit, numberFormat: '0.0', booleanStyle: 'ON_OFF', version: 2 } } },
    )
    assert.deepEqual(await manage.ask('DELETE', `/api/unit/${uid}`), { status: 200, body: done })
    assert.deepEqual(
      await manage.ask('GET', `/api/unit/${uid}`),
      refusal(404, 'unit_not_found', `unit '${uid}' not found`),
    )
  })

  it('shows booleans in the words of the unit', async () => {
    const unit = await manage.make('unit', { id: 'valve', symbol: '!', booleanStyle: 'OPEN_CLOSE' })
    await manage.make('component', { id: 'v', stream: [{ id: 's', valueType: 'BOOLEAN', unitUid: unit.uid }] })
    await service.put('/api/feed?compId=v&s=1,false&time=1000,2000')
    const samples = (await service.get('/api/comp/v/feed?retFData')).json as { fData: string }[]
    assert.deepEqual(
      samples.map(({ fData }) => fData),
      ['Close', 'Open'],
    )
  })

  describe('a folder', () => {
    const table: readonly [input: unknown, message: string][] = [
      [{}, 'a folder must have a path'],
      [{ path: 'Components/x' }, "folder must be /Components or below it, not 'Components/x'"],
      [{ path: '/Components/a//b' }, "folder '/Components/a//b' has an empty part or a control character"],
      [{ path: 7 }, 'path must be a string'],
      [{ path: '/Components/x', name: 'x' }, "folder has no member 'name', it has uid, path"],
    ]
    for (const [input, message] of table)
      it(`is refused: ${message}`, async () => {
        assert.deepEqual(await manage.ask('POST', '/api/folder', input), refusal(400, 'bad_request', message))
      })

    it('is refused when it is there', async () => {
      await manage.make('folder', { path: '/Components/there' })
      assert.deepEqual(
        await manage.ask('POST', '/api/folder', { path: '/Components/there/' }),
        refusal(409, 'conflict', "there is a folder '/Components/there'"),
      )
    })
  })

  const folderAt = async (path: string) =>
    (await manage.list('folder', `text=${path}`)).find((each) => each.path === path)!

  it('makes a folder with its parents, and by naming it', async () => {
    const made = await manage.make('folder', { path: '/Components/Plant/North/' })
    assert.deepEqual(made, { uid: made.uid, path: '/Components/Plant/North' })
    assert.equal((await manage.ask('GET', `/api/folder/${(await folderAt('/Components/Plant')).uid}`)).status, 200)
    await service.put('/api/feed?compId=in-folder&folder=/Components/Devices/New&a=1')
    assert.ok(await folderAt('/Components/Devices'))
    const [component] = await manage.list('component', 'folder=/Components/Devices')
    assert.equal(component!.id, 'in-folder')
  })

  it('deletes an empty folder only', async () => {
    const { uid } = await manage.make('component', { id: 'inside', folder: '/Components/Full/Deep' })
    const full = await folderAt('/Components/Full')
    const deep = await folderAt('/Components/Full/Deep')
    assert.deepEqual(await manage.ask('DELETE', `/api/folder/${full.uid}`), inUse('/Components/Full'))
    assert.deepEqual(await manage.ask('DELETE', `/api/folder/${deep.uid}`), inUse('/Components/Full/Deep'))
    assert.equal((await manage.ask('DELETE', `/api/component/${uid}`)).status, 200)
    assert.deepEqual(await manage.ask('DELETE', `/api/folder/${deep.uid}`), { status: 200, body: done })
    assert.deepEqual(await manage.ask('DELETE', `/api/folder/${full.uid}`), { status: 200, body: done })
    assert.deepEqual(
      await manage.ask('DELETE', `/api/folder/${(await folderAt('/Components')).uid}`),
      refusal(409, 'conflict', '/Components cannot be deleted'),
    )
  })

  it('moves no folder to where one in it would have a path that is too long', async () => {
    const name = 'x'.repeat(240)
    const deep = await manage.make('folder', { path: `/Components/short/${name}/${name}` })
    const short = await folderAt('/Components/short')
    assert.deepEqual(
      await manage.ask('PUT', `/api/folder/${short.uid}`, { path: `/Components/${'y'.repeat(30)}` }),
      refusal(400, 'bad_request', 'a path below it would have more than 512 characters'),
    )
    assert.deepEqual(await manage.one('folder', deep.uid), deep)
    assert.equal((await manage.ask('PUT', `/api/folder/${short.uid}`, { path: '/Components/s' })).status, 200)
  })

  it('moves a folder with its contents', async () => {
    const { uid } = await manage.make('component', { id: 'carried', folder: '/Components/Old/Sub' })
    const old = await folderAt('/Components/Old')
    const move = (path: string, folder = old) => manage.ask('PUT', `/api/folder/${folder.uid}`, { path })
    await manage.make('folder', { path: '/Components/Taken' })
    assert.deepEqual(await move('/Components/Taken'), refusal(409, 'conflict', "there is a folder '/Components/Taken'"))
    assert.deepEqual(
      await move('/Components/Old/Sub/Deeper'),
      refusal(400, 'bad_request', 'a folder cannot be moved into itself'),
    )
    assert.deepEqual(
      await move('/Components/X', await folderAt('/Components')),
      refusal(409, 'conflict', '/Components stays where it is'),
    )
    assert.deepEqual(await move('/Components/New/Home'), {
      status: 200,
      body: { ...done, folder: { uid: old.uid, path: '/Components/New/Home' } },
    })
    const { body } = await manage.ask('GET', `/api/component/${uid}`)
    assert.equal((body as { component: { folder: string } }).component.folder, '/Components/New/Home/Sub')
  })
})
