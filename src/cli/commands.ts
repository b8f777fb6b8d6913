// All commands, in the order of the help, and the version of the program that has them.
import { productVersion } from '../base/version.ts'
import type { Command } from './command.ts'
import { optionsOf } from './command.ts'
import { completionCommand } from './completion.ts'
import { backup, demo, doctor, resetPassword, restore, sqlRole } from './host/commands.ts'
import { audit, whoami } from './remote/account.ts'
import { call } from './remote/call.ts'
import { derive } from './remote/derive.ts'
import { entityCommands } from './remote/entities.ts'
import { file } from './remote/file.ts'
import { imports } from './remote/imports.ts'
import { login, logout, servers } from './remote/login.ts'
import { query } from './remote/query.ts'
import { get, put, stat } from './remote/samples.ts'
import { tail } from './remote/tail.ts'
import { exportCommand, importCommand } from './remote/transfer.ts'

export const version = productVersion

export const commands: readonly Command[] = [
  login,
  whoami,
  servers,
  put,
  get,
  stat,
  tail,
  query,
  file,
  ...entityCommands,
  derive,
  imports,
  exportCommand,
  importCommand,
  audit,
  call,
  demo,
  logout,
  backup,
  restore,
  resetPassword,
  doctor,
  sqlRole,
  completionCommand(() => commands, optionsOf),
]
