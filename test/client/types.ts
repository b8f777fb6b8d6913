// The types of the client, made from the description of all routes: `npm run client:types` writes them, and
// types.test.ts compares. No service is started for it: routes describe themselves before anything is opened.
import { writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import type OpenapiTypescript from 'openapi-typescript'
import type { astToString as AstToString } from 'openapi-typescript'
import type { Parts } from '../../src/app.ts'
import { routesOf } from '../../src/app.ts'
import { readConfig } from '../../src/base/config.ts'
import { openapiDocument } from '../../src/openapi/document.ts'

export const typesPath = new URL('../../src/client/generated/api.ts', import.meta.url)

export const describeApi = () =>
  openapiDocument(routesOf(standIn({ world: standIn({ config: readConfig({}) }) }) as Parts), '', '')

/** Has these members, and for every other something that may be called and asked: making the routes only hands it on. */
const standIn = (members: object): object =>
  new Proxy(
    Object.assign(() => standIn({}), members),
    {
      get: (target, name) =>
        name === Symbol.toPrimitive ? () => 1 : ((Reflect.get(target, name) as unknown) ?? standIn({})),
    },
  )

/** openapi-typescript writes with the compiler's own printer, which TypeScript 7 does not have: it is given 5. */
const loadOpenapiTypescript = () => {
  const require = createRequire(import.meta.url)
  const place = createRequire(require.resolve('openapi-typescript')).resolve('typescript')
  require.cache[place] = Object.assign(new Module(place), { exports: require('typescript-5') as unknown, loaded: true })
  return require('openapi-typescript') as {
    readonly default: typeof OpenapiTypescript
    readonly astToString: typeof AstToString
  }
}

export const typesOf = async (document: object): Promise<string> => {
  const { default: openapiTypescript, astToString } = loadOpenapiTypescript()
  const nodes = await openapiTypescript(document as Parameters<typeof OpenapiTypescript>[0], {
    emptyObjectsUnknown: true,
  })
  return `// Made by \`npm run client:types\` from the description of the API; not to be edited.\n${astToString(nodes)}`
}

if (process.argv[1] === new URL(import.meta.url).pathname) writeFileSync(typesPath, await typesOf(describeApi()))
