// All commands, in the order of the help.
import type { Command } from './command.ts'
import { login, logout, servers } from './remote/login.ts'

export const commands: readonly Command[] = [login, logout, servers]
