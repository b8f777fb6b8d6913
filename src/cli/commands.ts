// All commands, in the order of the help.
import type { Command } from './command.ts'
import { backup, demo, doctor, resetPassword, restore } from './host/commands.ts'
import { login, logout, servers } from './remote/login.ts'

export const commands: readonly Command[] = [login, logout, servers, backup, restore, resetPassword, doctor, demo]
