// One message of the Model Context Protocol and its answer, by the official SDK, without a session: any server of several
// may get the next message. The SDK is loaded when the first message comes.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Json } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import type { Reply } from '../base/http/reply.ts'
import { replyFromError } from '../base/http/reply.ts'
import { productVersion } from '../base/version.ts'
import type { InnerCalls } from './inner-call.ts'
import type { Message } from './message.ts'
import { instructions, resources } from './reference.ts'
import type { Tool } from './tool.ts'

export type Outcome = 'done' | 'refused' | 'failed'

export type Desk = {
  /** The tools that the caller may use. */
  readonly tools: readonly Tool[]
  readonly calls: InnerCalls
  readonly count: (tool: string, outcome: Outcome) => void
  readonly log: Log
}

const load = async () => {
  const [{ Server: ServerOfSdk }, { WebStandardStreamableHTTPServerTransport: Transport }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  return { ServerOfSdk, Transport, types }
}

type Sdk = Awaited<ReturnType<typeof load>>

let loading: Promise<Sdk> | undefined

/** The address is only looked at by the SDK. */
const address = 'http://localhost/api/mcp'

export const answerMessage = async (desk: Desk, message: Message, version: string | undefined): Promise<Reply> => {
  const sdk = await (loading ??= load())
  const server = openServer(sdk, desk, message.given)
  const transport = new sdk.Transport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const headers = {
      // Simple clients name neither, and there is one form of answer here.
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
    }
    const request = new Request(address, { method: 'POST', headers, body: '{}' })
    const response = await transport.handleRequest(request, { parsedBody: message.frame })
    const type = response.headers.get('content-type')
    return {
      status: response.status,
      headers: type === null ? {} : { 'Content-Type': type },
      body: await response.text(),
    }
  } finally {
    await server.close()
  }
}

const openServer = ({ ServerOfSdk, types }: Sdk, desk: Desk, given: Json | undefined): Server => {
  const server = new ServerOfSdk(
    { name: 'coppice', title: 'Coppice', version: productVersion },
    {
      capabilities: { tools: {}, resources: {} },
      instructions,
      // Arguments are judged by the readers of each tool; the SDK's own judge takes longer to make than most calls.
      jsonSchemaValidator: {
        getValidator: () => (input: unknown) => ({ valid: true, data: input, errorMessage: undefined }) as never,
      },
    },
  )
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({ tools: desk.tools.map(shownTool) }))
  server.setRequestHandler(types.CallToolRequestSchema, ({ params }) => runTool(desk, params.name, given))
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({
    resources: resources.map(({ uri, name, title }) => ({ uri, name, title, mimeType: 'text/plain' })),
  }))
  server.setRequestHandler(types.ReadResourceRequestSchema, ({ params: { uri } }) => {
    const found = resources.find((each) => each.uri === uri)
    if (found === undefined)
      throw new types.McpError(
        types.ErrorCode.InvalidParams,
        `there is no resource of this address, but ${resources.map((each) => each.uri).join(', ')}`,
      )
    return { contents: [{ uri, mimeType: 'text/plain', text: found.text }] }
  })
  return server
}

const shownTool = ({ name, title, description, inputSchema, writes }: Tool) => ({
  name,
  title,
  description,
  inputSchema: inputSchema as { type: 'object' },
  annotations: {
    readOnlyHint: writes === undefined,
    destructiveHint: writes !== undefined,
    idempotentHint: true,
    openWorldHint: false,
  },
})

const textResult = (text: string, isError = false) => ({
  content: [{ type: 'text' as const, text }],
  ...(isError ? { isError } : {}),
})

/** A refusal is an answer, which the assistant reads and mends. */
const runTool = async ({ tools, calls, count, log }: Desk, name: string, given: Json | undefined) => {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) {
    count('unknown', 'refused')
    return textResult(
      `there is no such tool for this credential, but ${tools.map((each) => each.name).join(', ')}`,
      true,
    )
  }
  try {
    const text = await tool.run(calls, given)
    count(tool.name, 'done')
    return textResult(text)
  } catch (error) {
    const { status, body } = replyFromError(error, log)
    count(tool.name, status > 499 ? 'failed' : 'refused')
    const { code, message } = JSON.parse(body as string) as { readonly code: string; readonly message: string }
    return textResult(`${code}: ${message}`, true)
  }
}
