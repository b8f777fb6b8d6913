// Keeps the house tidy: floors, rooms and a few sentences of CONTRIBUTING.md, read off the files themselves.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { sentencesOfComments, sentencesOfPage } from './support/prose.ts'
import { circlesOf, doorsOf, filesBelow, importsOf, neighboursOf, root } from './support/tree.ts'

const src = join(root, 'src')

/** Imports go down only; rooms of one floor do not know each other, except on the top floor. */
const floors: readonly (readonly string[])[] = [
  ['base', 'embedded', 'client'],
  ['core', 'demo'],
  ['access', 'gsql', 'outbound'],
  ['feed', 'live', 'mqtt', 'catalog', 'oauth', 'connector', 'import', 'transfer', 'studio', 'openapi', 'mcp'],
  ['', 'cli'],
]

/** Parts of rooms: from outside only their doors are imported, which their README names. */
const subRooms = [
  'outbound',
  ...readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'generated' && entry.name !== 'web')
    .map((entry) => relative(src, join(entry.parentPath, entry.name)))
    .filter((name) => /^[\w-]+\/[\w-]+$/.test(name)),
]

/** Packages that nothing imports, each with its reason. */
const notImported = new Map([
  ['antlr-ng', 'grammar/generate.ts runs its program'],
  ['axe-core', 'test/browser/studio.browser.ts hands its text to the browser'],
  ['typescript-5', 'test/client/types.ts hands it to openapi-typescript, which cannot use 7'],
  ['oxlint-tsgolint', 'oxlint runs it for rules that need types'],
])

const files = filesBelow('src', '.ts')
/** The studio's pages run in the browser: a house of their own, which knows the client alone. */
const pages = filesBelow('src/studio/web', '.ts', '.tsx')
const roomOf = (name: string) => (name.includes('/') ? name.split('/')[0]! : '')
const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room))

/** No title begins with these: it begins with its verb, and what is described is its subject. */
const notVerbs = new Set(
  `a an the this that these those who whose whom which what when while where whether if because so but and or nor as than
  of in on at by to from with without for over under into onto through between among against beside beyond before after
  during until since about around up within upon no nothing one two three more another once either neither`.split(
    /\s+/,
  ),
)

/** Begins with a word that is no verb, or with a value: unless that is a choice of two verbs, or a whole rule. */
const isHalfSentence = (title: string): boolean =>
  /^[^\p{L}]/u.test(title)
    ? !/^\$\{(rule\b|\w+ \? ')/.test(title)
    : notVerbs.has(/^[\p{L}]+/u.exec(title)![0].toLowerCase())

/** A glob of package.json as a pattern: of those it has stars, choices and what is no choice. */
const patternOf = (glob: string): RegExp => {
  const parts: Readonly<Record<string, string>> = { '**/': '(?:.*/)?', '*': '[^/]*', '{': '(?:', '}': ')', ',': '|' }
  const text = glob.replaceAll(
    /!\(([^)]*)\)|\*\*\/|[*{},.]/g,
    (part, others?: string) => (others && `(?!(?:${others})/)[^/]+`) ?? parts[part] ?? `\\${part}`,
  )
  return new RegExp(`^${text}$`)
}

describe('the house', () => {
  it('has a floor for every room', () => {
    const rooms = [...new Set(files.map(({ name }) => roomOf(name)))]
    assert.deepEqual(
      rooms.filter((room) => floorOf(room) < 0),
      [],
    )
  })

  it('imports downward only', () => {
    const wrong = files.flatMap((file) =>
      neighboursOf(file)
        .filter((target) => {
          const [from, to] = [roomOf(file.name), roomOf(target)]
          const isNeighbour =
            floorOf(from) === floorOf(to) && from !== to && !['', 'base', 'embedded', 'cli'].includes(from)
          return floorOf(to) > floorOf(from) || isNeighbour
        })
        .map((target) => `${file.name} imports ${target}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('keeps the client free of Node, of packages and of all other rooms', () => {
    const wrong = files
      .filter(({ name }) => roomOf(name) === 'client')
      .flatMap(({ name, text }) => importsOf(text).map((target) => `${name} imports ${target}`))
      .filter((line) => !/ imports \.\/[\w/-]+\.ts$/.test(line))
    assert.deepEqual(wrong, [])
  })

  it('uses the client in the command line, the studio and the demo only, and there by its door', () => {
    const wrong = files
      .filter(({ name }) => roomOf(name) !== 'client')
      .flatMap((file) => neighboursOf(file).map((target) => [file.name, target] as const))
      .filter(
        ([from, to]) =>
          roomOf(to) === 'client' && !(['cli', 'studio', 'demo'].includes(roomOf(from)) && to === 'client/client.ts'),
      )
    assert.deepEqual(wrong, [])
  })

  it('lets commands that talk to a server use the client and nothing else of the house', () => {
    const wrong = files
      .filter(({ name }) => roomOf(name) === 'cli' && !name.startsWith('cli/host/') && name !== 'cli/commands.ts')
      .flatMap((file) => neighboursOf(file).map((target) => `${file.name} imports ${target}`))
      .filter((line) => !/ imports (?:client\/client\.ts|cli\/(?!host\/).*)$/.test(line))
    assert.deepEqual(wrong, [])
  })

  it('has no circle of imports, types included', () => {
    assert.deepEqual(circlesOf(files), [])
  })

  it('has at most 45 files in a room beside its sub-rooms', () => {
    const rooms = new Map<string, number>()
    for (const { name } of files) rooms.set(dirname(name), (rooms.get(dirname(name)) ?? 0) + 1)
    assert.deepEqual(
      [...rooms].filter(([, count]) => count > 45),
      [],
    )
  })

  it('names the doors of every sub-room in its README', () => {
    assert.deepEqual(
      subRooms.filter((room) => !doorsOf(room)?.length),
      [],
    )
  })

  it('imports from outside a sub-room only its doors', () => {
    const wrong = subRooms.flatMap((room) => {
      const doors = doorsOf(room)
      const isInside = (name: string) => name.startsWith(`${room}/`)
      return files
        .filter(({ name }) => doors && !isInside(name))
        .flatMap((file) =>
          neighboursOf(file)
            .filter((target) => isInside(target) && !doors!.includes(target))
            .map((target) => `${file.name} imports ${target}`),
        )
    })
    assert.deepEqual(wrong, [])
  })

  it('names as doors of a sub-room only files that are imported from outside', () => {
    const wrong = subRooms.flatMap((room) => {
      const isInside = (name: string) => name.startsWith(`${room}/`)
      const targets = new Set(files.filter(({ name }) => !isInside(name)).flatMap(neighboursOf))
      return (doorsOf(room) ?? []).filter((door) => !targets.has(door))
    })
    assert.deepEqual(wrong, [])
  })

  it("imports of the rest of the house only the client in the studio's pages, without a circle", () => {
    const outside = pages.flatMap((file) => neighboursOf(file).filter((name) => name.startsWith('..')))
    assert.deepEqual([...new Set(outside)], ['../../client/client.ts'])
    assert.deepEqual(circlesOf(pages), [])
  })

  it('imports every package that it depends on, or runs it by a script', () => {
    const { dependencies, optionalDependencies, devDependencies, scripts } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as {
      readonly [part: string]: Readonly<Record<string, string>>
    }
    const isImported = (name: string, from: readonly { readonly text: string }[]) =>
      from.some(({ text }) => importsOf(text).some((target) => target === name || target.startsWith(`${name}/`)))
    const tests = [...filesBelow('test', '.ts'), ...filesBelow('grammar', '.ts')]
    const commands = [...Object.values(scripts!), readFileSync(join(root, '.mocharc.json'), 'utf8')].join(' ')
    const wrong = [
      ...Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !isImported(name, files)),
      ...Object.keys(devDependencies!).filter((name) => {
        if (['@types/node', '@types/mocha'].includes(name)) return false
        if (name.startsWith('@types/')) return !isImported(name.slice('@types/'.length), [...files, ...tests])
        return !isImported(name, [...tests, ...pages]) && !new RegExp(`\\b${name}\\b`).test(commands)
      }),
    ]
    assert.deepEqual(wrong.toSorted(), [...notImported.keys()].toSorted())
  })

  it('uses every variable of the configuration', () => {
    const [, type = ''] =
      /export type Config = \{([^}]*)\}/.exec(readFileSync(join(src, 'base/config.ts'), 'utf8')) ?? []
    const members = [...type.matchAll(/^ {2}readonly (\w+):/gm)].map(([, name]) => name!)
    assert.ok(members.length > 20)
    const others = files.filter(({ name }) => name !== 'base/config.ts')
    const wrong = members.filter((member) => {
      const use = new RegExp(`(config|Config)\\.${member}\\b|\\{[^{}]*\\b${member}\\b[^{}]*\\} = [\\w.]*[cC]onfig\\b`)
      return !others.some(({ text }) => use.test(text))
    })
    assert.deepEqual(wrong, [])
  })

  it('finds at least one import in nearly every file, so that no rule about them can pass by blindness', () => {
    const without = files.filter(({ text }) => importsOf(text).length === 0)
    assert.ok(without.length < files.length / 5, without.map(({ name }) => name).join(' '))
  })

  it('knows Koa on the top floor only, but for the reading of input', () => {
    const mayKnow = (name: string, target: string) =>
      !name.includes('/') || (name === 'base/http/input.ts' && target === 'koa-body')
    const wrong = files.filter(({ name, text }) =>
      importsOf(text).some((target) => /^(@?koa)/.test(target) && !mayKnow(name, target)),
    )
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    )
  })

  it('reads Accept headers in base/http/accepted.ts only, which knows how long they may be', () => {
    const readers = files.filter(({ text }) => importsOf(text).some((target) => /^(accepts|negotiator)$/.test(target)))
    assert.deepEqual(
      readers.map(({ name }) => name),
      ['base/http/accepted.ts'],
    )
  })

  it('reads the environment in base/config.ts only, and where the command line begins', () => {
    const readers = new Set(['base/config.ts', 'cli/main.ts'])
    const wrong = files.filter(({ name, text }) => !readers.has(name) && /process\.env|[{,] env\b/.test(text))
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    )
  })

  it('writes SQL in core, db, base and the GS SQL engine only', () => {
    const wrong = files.filter(
      ({ name, text }) =>
        !['core', 'base', 'gsql', 'embedded', ''].includes(roomOf(name)) && /sql(<[^`]*>)?`/.test(text),
    )
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    )
  })

  it('gives tests whole sentences as titles, each beginning with its verb', () => {
    const titleOf = /\bit\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`((?:[^`\\]|\\.)*)`|([^\s'"`,)]+)[,(.])/g
    const titles = filesBelow('test', '.ts').flatMap(({ name, text }) =>
      [...text.matchAll(titleOf)].map(([, single, double, template, value]) => ({
        name,
        title: single ?? double ?? template ?? `\${${value}}`,
      })),
    )
    assert.ok(titles.length > 1000, `${titles.length} titles are found`)
    assert.deepEqual(
      titles.filter(({ title }) => isHalfSentence(title)).map(({ name, title }) => `${name}: ${title}`),
      [],
    )
  })

  it('has no stop-watch in a test, whose verdict would be that of the machine', () => {
    const watches = /performance\.now|hrtime|cpuUsage|Date\.now\(\) - \w*(?:start|began|before)/i
    const wrong = filesBelow('test', '.test.ts', '.load.ts').filter(
      ({ name, text }) => name !== 'house.test.ts' && watches.test(text),
    )
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    )
  })

  it('names the needs of each test that it skips', () => {
    // Groups that are left out by describe.skip have it in their title.
    const silent = filesBelow('test', '.ts').filter(({ text }) => /\b(?:this|it)\.skip\(/.test(text))
    assert.deepEqual(
      silent.map(({ name }) => name),
      [],
    )
  })

  it('runs every file of tests by one line of package.json, or by one of the soaks', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>
    }
    const lines = ['test', 'test:load', 'test:browser'].map((line) =>
      [...scripts[line]!.matchAll(/'([^']+\.ts)'/g)].map(([, glob]) => patternOf(glob!)),
    )
    const soaks = readFileSync(join(root, 'test/soak/main.ts'), 'utf8')
    const own = /^ *describe(?:\.skip)?\(/m
    const runs = filesBelow('test', '.ts')
      .filter(({ name, text }) => own.test(text) || /\.(?:test|load|browser|soak)\.ts$/.test(name))
      .filter(({ name }) => name !== 'hostile/event-loop.ts') // Its groups are those of two other files.
      .map(({ name }) => ({
        name,
        count: name.endsWith('.soak.ts')
          ? Number(soaks.includes(`'test/${name}'`))
          : lines.filter((globs) => globs.some((glob) => glob.test(`test/${name}`))).length,
      }))
    assert.ok(runs.length > 250, `${runs.length} files are found`)
    assert.deepEqual(
      runs.filter(({ count }) => count !== 1),
      [],
    )
  })

  it('has the tests of a room in a room of the same name, and others where CONTRIBUTING.md says', () => {
    const rooms = new Set(filesBelow('test', '.test.ts', '.load.ts').map(({ name }) => dirname(name)))
    const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
    const wrong = [...rooms].filter((room) => !existsSync(join(src, room)) && !guide.includes(`test/${room}`))
    assert.deepEqual(wrong, [])
    assert.ok(rooms.has('core/sample') && rooms.has('journey'), [...rooms].join(' '))
  })

  it('opens every file with a comment on its purpose', () => {
    const wrong = files.filter(({ text }) => !text.startsWith('// ') && !text.startsWith('#!'))
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    )
  })

  it('begins no sentence of a comment or a page with a bare what or who, but with its subject', () => {
    const bare = /^['"(`[]*(what|who|whom|whose|whoever|whatever|whichever)\b/i
    const wrongIn = (name: string, sentences: readonly string[]) =>
      sentences.filter((sentence) => bare.test(sentence)).map((sentence) => `${name}: ${sentence}`)
    assert.deepEqual(
      wrongIn('a', sentencesOfComments('// One. What two\n// says.\nlet a // who three\n/** Whose. */\n')),
      ['a: What two says.', 'a: who three', 'a: Whose.'],
    )
    assert.deepEqual(wrongIn('a', sentencesOfPage('# What\n\n- **Who** is. Whatever.\n| a | whose |\nand what')), [
      'a: What',
      'a: Who is.',
      'a: Whatever.',
      'a: whose',
    ])
    assert.deepEqual(
      [
        ...files.flatMap(({ name, text }) => wrongIn(name, sentencesOfComments(text))),
        ...filesBelow('.', '.md').flatMap(({ name, text }) => wrongIn(name, sentencesOfPage(text))),
      ],
      [],
    )
  })

  it('has a README in every room', () => {
    const rooms = readdirSync(src).filter(
      (name) => statSync(join(src, name)).isDirectory() && readdirSync(join(src, name)).length > 0,
    )
    assert.deepEqual(
      rooms.filter((room) => !existsSync(join(src, room, 'README.md'))),
      [],
    )
  })

  it('brings no password for the database of the containers', () => {
    const compose = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
    assert.match(compose, /\$\{POSTGRES_PASSWORD:\?/)
    assert.doesNotMatch(compose, /PASSWORD:-|postgres:\/\/[^:]+:(?!\$\{POSTGRES_PASSWORD:\?)/)
  })

  it('names no package registry and no path of a machine in committed files', () => {
    const wrong = [join(root, 'package.json'), join(root, 'package-lock.json')].filter((path) =>
      /https?:\/\/[^"]*(npm|registry)/.test(readFileSync(path, 'utf8').replaceAll(/"(url|funding)": "[^"]*"/g, '')),
    )
    assert.deepEqual(wrong, [])
  })
})
