// All commands, in the order of the help.
import type { Command } from './command.ts'
import { optionsOf } from './command.ts'
import { completionCommand } from './completion.ts'
import { backup, demo, doctor, resetPassword, restore } from './host/commands.ts'
import { audit, whoami } from './remote/account.ts'
import { call } from './remote/call.ts'
import { derive } from './remote/derive.ts'
import { entityCommands } from './remote/entities.ts'
import { file } from './remote/file.ts'
import { imports } from './remote/imports.ts'
import { login, logout, servers } from './remote/login.ts'
import { query } from './remote/query.ts'
import { get, put, stat } from './remote/samples.ts'

export const commands: readonly Command[] = [
  login,
  whoami,
  servers,
  put,
  get,
  stat,
  query,
  file,
  ...entityCommands,
  derive,
  imports,
  audit,
  call,
  demo,
  logout,
  backup,
  restore,
  resetPassword,
  doctor,
  completionCommand(() => commands, optionsOf),
]
