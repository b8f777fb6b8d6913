// Documents, sections, files and links that a comment, a README or a page of docs/ names exist. So a move or a new
// heading cannot leave a sentence behind that leads nowhere.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { anchorsOf, filesBelow, root } from './support/tree.ts'

const files = filesBelow('.', '.ts', '.md', '.sql', '.g4')
const pages = files.filter(({ name }) => name.endsWith('.md'))
const sources = files.filter(({ name }) => !name.endsWith('.md'))
const anchors = new Map(pages.map(({ name, text }) => [name, anchorsOf(text)]))
const baseNames = new Set(files.map(({ name }) => basename(name)))

/** Comments of a source, by their lines; all of a page. */
const proseOf = ({ name, text }: { readonly name: string; readonly text: string }): string => {
  if (name.endsWith('.md')) return text.replaceAll(/^```[^]*?^```/gm, '')
  const start = name.endsWith('.sql') ? /--.*$/gm : /\/\/.*$|\/\*[^]*?\*\//gm
  return [...text.matchAll(start)].map(([comment]) => comment).join('\n')
}

/** A page and its section, such as docs/feeds.md and times; the section may be missing. */
const hasSection = (page: string, section: string | undefined): boolean => {
  const known = anchors.get(page)
  return known !== undefined && (section === undefined || known.has(section))
}

describe('names in comments and pages', () => {
  it('are documents and sections that exist', () => {
    const wrong = files.flatMap(({ name, text }) =>
      [...text.matchAll(/\b((?:docs|grammar)\/[\w-]+\.md)(?:#([\w-]+))?/g)]
        .filter(([, page, section]) => !hasSection(page!, section))
        .map(([cited]) => `${name}: ${cited}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('are cited often enough to be found', () => {
    const cited = sources.flatMap((file) => proseOf(file).match(/\bdocs\/[\w-]+\.md#[\w-]+/g) ?? [])
    assert.ok(cited.length > 40, `${cited.length} are too few`)
  })

  it('are no documents that the repository does not have, nor numbers of their sections', () => {
    const wrong = files.flatMap((file) =>
      [...proseOf(file).matchAll(/\b[\w-]+\.md\b|\bdecisions \d[\d.]*|\([2-5]\.\d(?:[,;] [^)]*)?\)/g)]
        .map(([cited]) => cited)
        .filter((cited) => !baseNames.has(cited))
        .map((cited) => `${file.name}: ${cited}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('are links that lead to a page and heading', () => {
    const wrong = pages.flatMap((page) =>
      [...proseOf(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
        .filter(([, path, section]) => {
          const target = path ? join(dirname(page.name), path) : page.name
          return section === undefined ? !existsSync(join(root, target)) : !hasSection(target, section)
        })
        .map(([link]) => `${page.name}: ${link}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('are files that exist: a path from the top, from src or test, or from the file itself', () => {
    const exists = (from: string, path: string) =>
      ['.', 'src', 'test', dirname(from), join(dirname(from), '..')].some((place) =>
        existsSync(join(root, place, path)),
      )
    const wrong = files.flatMap((file) =>
      [...proseOf(file).matchAll(/(?<![\w/.*-])(?:[\w.-]+\/)+[\w.-]+\.(?:ts|sql|g4)\b(?!\.)/g)]
        .filter(([path]) => !exists(file.name, path))
        .map(([path]) => `${file.name}: ${path}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('are directories that exist, where a page names one between backticks', () => {
    const wrong = pages.flatMap((page) =>
      [...proseOf(page).matchAll(/`((?:src|test|db|docs|grammar)\/[\w./-]*)`/g)]
        .filter(([, path]) => !existsSync(join(root, path!)))
        .map(([, path]) => `${page.name}: ${path}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('are files of the room, or of the room that it is a part of, where a README names them alone', () => {
    const wrong = pages
      .filter(({ name }) => /^(src|test)\/.*README\.md$/.test(name))
      .flatMap(({ name, text }) => {
        const room = name.split('/').slice(0, 2).join('/')
        const there = new Set(
          files.filter((file) => file.name.startsWith(`${room}/`)).map((file) => basename(file.name)),
        )
        return [...text.matchAll(/`([\w-]+(?:\.\w+)*\.ts)`/g)]
          .filter(([, file]) => !there.has(file!))
          .map(([, file]) => `${name}: ${file}`)
      })
    assert.deepEqual(wrong, [])
  })

  it('are files that exist under some path, where a comment names them alone', () => {
    const wrong = sources.flatMap((file) =>
      [...proseOf(file).matchAll(/(?<![\w/.*-])[a-z][\w-]*(?:\.(?:test|load|browser|soak))?\.ts\b/g)]
        .filter(([name]) => !baseNames.has(name))
        .map(([name]) => `${file.name}: ${name}`),
    )
    assert.deepEqual(wrong, [])
  })
})
