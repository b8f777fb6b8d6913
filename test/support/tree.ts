// The files of the repository and their imports, for the tests that keep the house tidy.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export type TreeFile = {
  readonly path: string
  /** From the directory that was asked for, such as base/config.ts. */
  readonly name: string
  readonly text: string
}

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The hand-written files below a directory of the repository, with these ends of names. */
export const filesBelow = (directory: string, ...ends: readonly string[]): readonly TreeFile[] =>
  pathsBelow(join(root, directory))
    .filter((path) => ends.some((end) => path.endsWith(end)))
    .map((path) => ({ path, name: relative(join(root, directory), path), text: readFileSync(path, 'utf8') }))

const pathsBelow = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (!entry.isDirectory()) return [path]
    return ['generated', 'web', 'node_modules', '.git', '.cache', 'data', 'dist'].includes(entry.name)
      ? []
      : pathsBelow(path)
  })

/** The imports of a file, types too, as they are written there. */
export const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^(?:import|export)\b[^'\n]*(?:\{[^}]*\}[^'\n]*)?from '([^']+)'/gm)].map((match) => match[1]!)

/** The names of the files of the same tree that a file imports. */
export const neighboursOf = ({ path, name, text }: TreeFile): readonly string[] =>
  importsOf(text)
    .filter((target) => target.startsWith('.'))
    .map((target) => join(dirname(name), relative(dirname(path), resolve(dirname(path), target))))

/** Files of which each can be reached from each other by imports, in order of their names; by Tarjan. */
export const circlesOf = (files: readonly TreeFile[]): readonly (readonly string[])[] => {
  const targets = new Map(files.map((file) => [file.name, neighboursOf(file)]))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: (readonly string[])[] = []
  const visit = (name: string): void => {
    order.set(name, order.size)
    lowest.set(name, order.get(name)!)
    open.push(name)
    for (const target of targets.get(name) ?? []) {
      if (!targets.has(target)) continue
      if (!order.has(target)) visit(target)
      if (open.includes(target)) lowest.set(name, Math.min(lowest.get(name)!, lowest.get(target)!))
    }
    if (lowest.get(name) !== order.get(name)) return
    const circle = open.splice(open.indexOf(name))
    if (circle.length > 1 || targets.get(name)!.includes(name)) circles.push(circle.toSorted())
  }
  for (const { name } of files) if (!order.has(name)) visit(name)
  return circles
}

/** The files that may be imported from outside a sub-room: its README names them; undefined while it does not. */
export const doorsOf = (room: string): readonly string[] | undefined => {
  const path = join(root, 'src', room, 'README.md')
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const [paragraph] = /\bDoors: [^]*?(?=\n\n|$)/.exec(text) ?? []
  return paragraph === undefined
    ? undefined
    : [...paragraph.matchAll(/`([\w-]+\.ts)`/g)].map(([, name]) => `${room}/${name}`)
}

/** The names by which the headings of a page can be linked to. */
export const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
