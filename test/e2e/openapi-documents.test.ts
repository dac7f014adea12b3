import { afterAll, expect, it } from 'vitest'
import { compileSchema } from '../../packages/gateway/src/arguments/compile-schema.ts'
import { listDefinitions, TOOLS } from '../../packages/gateway/src/catalog/list-definitions.ts'
import { loadApi } from '../../packages/gateway/src/upstream/openapi/load-api.ts'
import { reach } from '../../packages/gateway/src/upstream/test-support/reach.ts'
import type { UpstreamServer } from '../../packages/gateway/src/upstream/upstream-server.ts'
import { cleanUp, later } from '../support/clean-up.ts'
import { startDocumentMock } from '../support/document-mock.ts'
import { peerFile } from '../support/peers.ts'
import { type Mock, startPrism } from '../support/prism.ts'
import type { Json } from '../support/raw-mcp.ts'
import { sampleSchema } from '../support/sample-schema.ts'

afterAll(cleanUp)

const example = (name: string) => `@readme/oas-examples/${name}.json`

interface Outcome {
  readonly worked: number
  readonly leftOut: readonly string[]
  readonly failed: readonly string[]
}

/** Calls every operation of a document against a mock of it, with arguments that the tool's schema accepts. */
async function callAll(document: string, start: (file: string) => Promise<Mock>): Promise<Outcome> {
  const file = peerFile(document)
  const { url, violations } = await start(file)
  const transport = {
    kind: 'openapi',
    file,
    url,
    headers: {},
    auth: undefined,
    include: [],
    exclude: [],
  } as const
  const server = reach(transport)
  later(() => server.stop())
  const tools = (await listDefinitions(server, TOOLS)) as readonly Tool[]
  const { leftOut } = await loadApi(transport)
  const failed: string[] = []
  for (const tool of tools) {
    const problem = await tryTool(server, tool, violations)
    if (problem !== undefined) failed.push(`${tool.name}: ${problem}`)
  }
  const worked = tools.length - failed.length
  console.info(
    `${document}: ${worked} operations work, ${leftOut.length} are left out, ${failed.length} fail`,
  )
  return { worked, failed, leftOut: leftOut.map(({ operation, reason }) => `${operation}: ${reason}`) }
}

interface Tool {
  readonly name: string
  readonly inputSchema: Json
}

/** Calls a tool until the mock accepts a request. Returns what was wrong with the last one. */
async function tryTool(
  server: UpstreamServer,
  { name, inputSchema }: Tool,
  violations: readonly string[],
): Promise<string | undefined> {
  const check = compileSchema(inputSchema)
  let problem: string | undefined = 'no arguments fit'
  for (const args of sampleSchema(inputSchema)) {
    if (check(args) !== undefined) continue
    const before = violations.length
    const content = await callOnce(server, name, args as Json)
    problem = Array.isArray(content) ? violations[before]?.slice(0, 300) : 'there is no result'
    if (problem === undefined) break
  }
  return problem
}

async function callOnce(server: UpstreamServer, name: string, args: Json): Promise<unknown> {
  const said = await server.send({
    method: 'tools/call',
    params: { name, arguments: args },
    envelope: { capabilities: {} },
    timeoutMs: 20_000,
    session: '',
  }).reply
  return said.kind === 'answer' ? said.message.result?.content : undefined
}

it.each([
  ['@directus/specs/dist/openapi.json', 136, 0],
  [example('3.0/json/star-trek'), 120, 0],
  // One body would have to contain itself without end.
  [example('3.0/json/circular-request-bodies'), 3, 1],
  [example('3.0/json/file-uploads'), 3, 0],
  [example('3.0/json/polymorphism'), 13, 0],
  [example('3.1/json/petstore'), 20, 0],
  [example('3.1/json/train-travel'), 7, 0],
])(
  'every operation of %s works against Prism, or says why it is left out',
  async (document, worked, leftOut) => {
    const outcome = await callAll(document, startPrism)
    expect(outcome.failed).toEqual([])
    expect(outcome.worked).toBe(worked)
    expect(outcome.leftOut).toHaveLength(leftOut)
  },
  60_000,
)

it.each([
  ['@gitbook/api/spec/openapi.json', 377],
  ['@figma/rest-api-spec/openapi/openapi.yaml', 54],
])(
  'every operation of %s works against a mock of it',
  async (document, worked) => {
    const outcome = await callAll(document, startDocumentMock)
    expect(outcome).toEqual({ worked, failed: [], leftOut: [] })
  },
  60_000,
)
