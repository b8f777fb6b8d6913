// Units in the management API (docs/management.md#entities).
//
//   POST {"id":"celsius","name":"Degrees Celsius","symbol":" °C","numberFormat":"0.0"}
import { badRequest, conflict, notFound } from '../base/errors.ts'
import { blankable, identifier, oneOf, readMembers, shownUid, text, versionNumber } from '../base/http/members.ts'
import type { Members } from '../base/http/members.ts'
import {
  booleanStyles,
  deleteUnit,
  findUnit,
  insertUnit,
  isUnitUsed,
  listUnits,
  lockUnit,
  numberFormat,
  unitSorts,
  updateUnit,
} from '../core/unit.ts'
import type { Unit, UnitDefinition } from '../core/unit.ts'
import type { Entity } from './entity.ts'
import { refuseStale, withGiven } from './entity.ts'

const members = {
  uid: shownUid,
  id: blankable(identifier),
  name: text(1, 512),
  symbol: text(0, 64),
  symbolLocation: oneOf('before', 'after'),
  numberFormat,
  booleanStyle: oneOf(...booleanStyles),
  version: versionNumber,
}

const readUnit = (input: unknown) => readMembers('unit', input, members)

const filters = { id: text(0, 512), symbol: text(0, 64) }

export const unitEntity: Entity<Unit, UnitDefinition, Members<typeof members>, typeof filters> = {
  name: 'unit',
  about: {
    part: 'management',
    one: 'a unit',
    many: 'units',
    newMembers: members,
    changeMembers: members,
    example: { id: 'celsius', name: 'Degrees Celsius', symbol: ' °C', numberFormat: '0.0' },
  },
  readNew: (input) => {
    const { id = null, ...given } = readUnit(input)
    const name = given.name ?? id
    if (name === null) throw badRequest('a unit must have a name or an id')
    return {
      id,
      name,
      symbol: given.symbol ?? '',
      symbolLocation: given.symbolLocation ?? 'after',
      numberFormat: given.numberFormat ?? '',
      booleanStyle: given.booleanStyle ?? 'TRUE_FALSE',
    }
  },
  readChange: readUnit,
  filters,
  sorts: unitSorts,
  list: (sql, caller, search) => listUnits(sql, caller.organizationKey, search, search),
  find: (sql, caller, uid) => findUnit(sql, caller.organizationKey, uid),
  create: (sql, caller, given) => insertUnit(sql, caller.organizationKey, given),
  update: async (sql, _caller, seen, given) => {
    const unit = await lockUnit(sql, seen.key)
    if (unit === undefined) throw notFound('unit', seen.uid)
    refuseStale('unit', given, unit)
    return updateUnit(sql, unit.key, withGiven(unit, given))
  },
  remove: async (sql, _caller, seen) => {
    const unit = await lockUnit(sql, seen.key)
    if (unit === undefined) throw notFound('unit', seen.uid)
    if (await isUnitUsed(sql, unit.key)) throw conflict(`unit '${unit.id ?? unit.name}' is the unit of streams`)
    await deleteUnit(sql, unit.key)
    return undefined
  },
  show: (unit) => ({
    uid: unit.uid,
    id: unit.id,
    name: unit.name,
    symbol: unit.symbol,
    symbolLocation: unit.symbolLocation,
    numberFormat: unit.numberFormat,
    booleanStyle: unit.booleanStyle,
    version: unit.version,
  }),
}
