// The examples of docs/ and README.md, typed as they stand there: each page by a shell of its own, against a service
// of its own. In a block marked `console`, `$ ` begins what is typed, `> ` goes on with it, and the rest is the reply.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { startJobs } from '../src/jobs.ts'
import { newDirectory } from './support/directory.ts'
import { program } from './support/program.ts'
import type { TestService } from './support/service.ts'
import { openTestService } from './support/service.ts'
import { skipWithout } from './support/skip.ts'

const root = new URL('../', import.meta.url)
const docs = readdirSync(new URL('docs', root)).filter((name) => name.endsWith('.md'))
const pages = ['README.md', ...docs.map((name) => `docs/${name}`)]

type Example = { readonly typed: string; readonly reply: string }

const examplesOf = (text: string): readonly Example[] => {
  const examples: { typed: string; reply: string }[] = []
  for (const [, block] of text.matchAll(/^```console\n([^]*?)^```/gm))
    for (const line of block!.trimEnd().split('\n')) {
      if (line.startsWith('$ ')) examples.push({ typed: line.slice(2), reply: '' })
      else if (line.startsWith('> ')) examples.at(-1)!.typed += `\n${line.slice(2)}`
      else examples.at(-1)!.reply += `${line}\n`
    }
  return examples
}

const mark = '--- end of an example ---'

/** All of them in one shell, so that variables and files of one are there for the next. */
const type = (examples: readonly Example[], variables: Record<string, string>, directory: string): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const script = examples.map(({ typed }) => `${typed}\nprintf '%s\\n' '${mark}'\n`).join('')
    const words = program.map((word) => `'${word}'`).join(' ')
    const shell = spawn('sh', ['-c', `curl() { command curl -sS "$@"; }\ncoppice() { ${words} "$@"; }\n${script}`], {
      cwd: directory,
      env: { PATH: process.env['PATH'], HOME: directory, ...variables },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    // CSV ends its lines as RFC 4180 says; a terminal shows them alike.
    shell.once('error', reject).once('close', () => resolve(output.replaceAll('\r\n', '\n').split(`${mark}\n`)))
  })

const fits = (reply: string, expected: string): boolean => {
  const pattern = expected
    .trimEnd()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('[^]*')
  return new RegExp(`^${pattern}$`).test(reply.trimEnd())
}

const variablesFor = async (service: TestService): Promise<Record<string, string>> => {
  const { url, apiKey, ownerEmail, ownerPassword } = service
  const login = await service.request('POST', '/api/login', {
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: ownerEmail, password: ownerPassword }),
  })
  const { sessionUid, userUid } = login.json as { sessionUid: string; userUid: string }
  return {
    URL: url,
    KEY: apiKey,
    EMAIL: ownerEmail,
    PASSWORD: ownerPassword,
    SESSION: sessionUid,
    USER_UID: userUid,
    ORG_UID: service.organizationUid,
  }
}

describe('the documentation', function () {
  it('is not read blindly: most pages have examples', () => {
    const counts = pages.map((page) => examplesOf(readFileSync(new URL(page, root), 'utf8')).length)
    assert.ok(counts.filter((count) => count > 0).length >= 8, String(counts))
  })

  for (const page of pages) {
    const examples = examplesOf(readFileSync(new URL(page, root), 'utf8'))
    if (examples.length === 0) continue
    it(`shows the real replies, typed with curl: ${page}`, async function () {
      const tools = ['curl', ...(examples.some(({ typed }) => typed.includes('openssl')) ? ['openssl'] : [])]
      const missing = tools.find((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0)
      if (missing !== undefined) return skipWithout(this, missing)
      const service = await openTestService()
      // Some pages wait for what the background does.
      const jobs = startJobs(service.service.world, service.databaseUrl)
      const directory = await newDirectory('docs')
      try {
        const replies = await type(examples, await variablesFor(service), directory)
        examples.forEach(({ typed, reply }, index) => {
          if (!fits(replies[index]!, reply)) assert.equal(replies[index], reply, `$ ${typed}`)
        })
      } finally {
        rmSync(directory, { recursive: true })
        await jobs.stop()
        await service.close()
      }
    })
  }
})
