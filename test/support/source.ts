// The program's own source as the TypeScript compiler reads it, so that a test can go through all of it: nothing has
// to be listed, and nothing new is forgotten.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SyntaxKind } from 'typescript/unstable/ast'
import type { Node, SourceFile } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'
import type { Checker, Project } from 'typescript/unstable/sync'

export type SourcePlace = {
  readonly node: Node
  readonly text: string
  /** Such as src/base/http/query-string.ts:12. */
  readonly place: string
}

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Every node of these kinds in src, but for what the grammar's generator wrote. */
export const findInSource = <T>(
  kinds: readonly SyntaxKind[],
  take: (found: SourcePlace, checker: Checker) => T,
): readonly T[] => {
  const { program, checker } = openProject()
  const files = program
    .getSourceFileNames()
    .filter((name) => name.startsWith(join(root, 'src/')) && !name.includes('/generated/'))
  return files.flatMap((name) => nodesOf(program.getSourceFile(name)!, kinds).map((found) => take(found, checker)))
}

let project: Project | undefined

/** Once in a process, which it ends with: the compiler takes seconds to read everything. */
const openProject = (): Project => {
  if (project) return project
  const api = new API({ cwd: root })
  ;[project] = api.updateSnapshot({ openProject: join(root, 'tsconfig.build.json') }).getProjects()
  return project!
}

const nodesOf = (file: SourceFile, kinds: readonly SyntaxKind[]): readonly SourcePlace[] => {
  const found: SourcePlace[] = []
  const visit = (node: Node): void => {
    if (kinds.includes(node.kind)) {
      const text = file.text.slice(node.pos, node.end)
      const line = file.text.slice(0, node.end - text.trimStart().length).split('\n').length
      found.push({ node, text: text.trim(), place: `${file.fileName.slice(root.length + 1)}:${line}` })
    }
    node.forEachChild(visit)
  }
  visit(file)
  return found
}

export { SyntaxKind }
