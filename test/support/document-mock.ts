import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Validator } from '@cfworker/json-schema'
import { parse } from 'yaml'
import { later } from './clean-up.ts'
import type { Mock } from './prism.ts'
import type { Json } from './raw-mcp.ts'

/**
 * A mock for documents that take Prism minutes to load. It finds the operation of a request, checks its required
 * parameters and its body with another validator than the gateway's, and answers with an empty value of the promised type.
 */
export async function startDocumentMock(file: string): Promise<Mock> {
  const source = readFileSync(file, 'utf8')
  const document = (file.endsWith('.json') ? JSON.parse(source) : parse(source)) as Json
  const routes = readRoutes(document)
  const violations: string[] = []
  const server = createServer((req, res) => void answer(req, res, { routes, document, violations }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  later(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, violations }
}

interface Route {
  readonly method: string
  readonly pattern: RegExp
  readonly parameters: readonly Json[]
  readonly operation: Json
}

const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {}

function follow(document: Json, value: unknown): Json {
  const { $ref } = asObject(value)
  if (typeof $ref !== 'string') return asObject(value)
  const steps = $ref.slice(2).split('/')
  const found = steps.reduce<unknown>(
    (at, step) => asObject(at)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  )
  return follow(document, found)
}

function readRoutes(document: Json): readonly Route[] {
  const routes = Object.entries(asObject(document.paths)).flatMap(([path, item]) =>
    ['get', 'put', 'post', 'delete', 'patch'].flatMap(method => {
      const { [method]: operation, parameters = [] } = asObject(item)
      if (operation === undefined) return []
      const all = [
        ...(parameters as unknown[]),
        ...((asObject(operation).parameters as unknown[] | undefined) ?? []),
      ]
      const quoted = path.split(/\{[^{}]+\}/).map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      return [
        {
          method: method.toUpperCase(),
          pattern: new RegExp(`^${quoted.join('[^/]+')}$`),
          parameters: all.map(parameter => follow(document, parameter)),
          operation: asObject(operation),
        },
      ]
    }),
  )
  // A path without placeholders comes before one that it also matches.
  return routes.toSorted(
    (a, b) => a.pattern.source.split('[^/]+').length - b.pattern.source.split('[^/]+').length,
  )
}

interface Mocked {
  readonly routes: readonly Route[]
  readonly document: Json
  readonly violations: string[]
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  { routes, document, violations }: Mocked,
): Promise<void> {
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://mock')
  const body = await text(req)
  const route = routes.find(({ method, pattern }) => method === req.method && pattern.test(pathname))
  const refuse = (problem: string): void => {
    violations.push(`${req.method} ${pathname}: ${problem}`)
    res.writeHead(422).end(problem)
  }
  if (route === undefined) return refuse('there is no such operation')
  const missing = route.parameters.find(
    ({ in: place, name, required }) =>
      required === true &&
      ((place === 'query' &&
        ![...searchParams.keys()].some(key => key === name || key.startsWith(`${String(name)}[`))) ||
        (place === 'header' && req.headers[String(name).toLowerCase()] === undefined)),
  )
  if (missing !== undefined) return refuse(`${String(missing.name)} is missing`)
  const problem = checkBody(route.operation, { body, type: req.headers['content-type'] }, document)
  if (problem !== undefined) return refuse(problem)
  respond(res, route.operation, document)
}

function checkBody(
  { requestBody }: Json,
  sent: { readonly body: string; readonly type: string | undefined },
  document: Json,
): string | undefined {
  const { content, required } = follow(document, requestBody)
  if (content === undefined) return sent.body === '' ? undefined : 'there must be no body'
  if (sent.body === '') return required === true ? 'the body is missing' : undefined
  const media = Object.entries(asObject(content)).find(([type]) =>
    sent.type?.startsWith(type.split(';')[0] ?? ''),
  )
  if (media === undefined) return `the type ${sent.type} is not offered`
  if (!/json/.test(media[0])) return undefined
  const schema = { ...asObject(asObject(media[1]).schema), components: document.components }
  const { valid, errors } = new Validator(schema as object, '2020-12').validate(JSON.parse(sent.body))
  return valid ? undefined : JSON.stringify(errors.at(-1))
}

const EMPTY: Readonly<Record<string, string>> = {
  array: '[]',
  object: '{}',
  string: '""',
  integer: '0',
  number: '0',
  boolean: 'true',
}

function respond(res: ServerResponse, { responses }: Json, document: Json): void {
  const [status, response] = Object.entries(asObject(responses)).find(([code]) => /^2\d\d$/.test(code)) ?? [
    '204',
    {},
  ]
  const [type, media] = Object.entries(asObject(follow(document, response).content))[0] ?? []
  if (type === undefined) return void res.writeHead(Number(status)).end()
  const { type: kind = 'object' } = follow(document, asObject(media).schema)
  res.writeHead(Number(status), { 'content-type': type }).end(EMPTY[String([kind].flat()[0])] ?? '{}')
}
